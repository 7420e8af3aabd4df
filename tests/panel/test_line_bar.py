"""The line above a list has the keys from the moment it is opened, and never while it is away."""

from __future__ import annotations

import pytest
from textual import events

from panel.widgets.line_bar import LineBar
from panel.widgets.safe_input import SafeInput
from tests.panel.desk import Desk, opened
from tests.state.world import World

MODES = pytest.mark.parametrize("mode", ["2", "8"])


async def switched(desk: Desk, mode: str) -> None:
    await desk.press(mode)
    await desk.sees("newest first")


@MODES
async def test_what_is_typed_after_the_key_goes_into_the_line(world: World, mode: str) -> None:
    world.post("user", "codex", title="one")
    async with opened(world) as desk:
        await switched(desk, mode)
        shown = desk.mode
        # Typed fast: the digit is there already when the line is opened.
        desk.app.post_message(events.Key("1", "1"))
        shown.action_goto()  # type: ignore[attr-defined]
        field = shown.query_one(SafeInput)
        await desk.until(lambda: field.value == "1", "the digit in the line")
        assert desk.mode is shown
        await desk.press("escape")
        assert not shown.query_one(LineBar).is_open
        await desk.press("1")
        await desk.until(lambda: desk.mode.MODE == "overview", "the overview")


async def test_what_is_typed_ahead_is_no_command(world: World) -> None:
    world.post("codex", "user", title="one")
    async with opened(world) as desk:
        await switched(desk, "2")
        before = world.log()
        # All there before the first of them has acted: among them reply, acknowledge, message.
        for letter in "frkm":
            desk.app.post_message(events.Key(letter, letter))
        field = desk.mode.query_one(SafeInput)
        await desk.until(lambda: sorted(field.value) == ["k", "m", "r"], "the letters in the line")
        assert desk.app.screen is desk.mode
        assert world.log() == before


@MODES
async def test_a_line_that_is_not_there_takes_no_keys(world: World, mode: str) -> None:
    world.post("user", "codex", title="one")
    async with opened(world) as desk:
        await switched(desk, mode)
        # As Textual does where what had the keys is hidden.
        desk.mode.set_focus(None)
        await desk.press("1")
        await desk.until(lambda: desk.mode.MODE == "overview", "the overview")
        await switched(desk, mode)
        await desk.press("1")
        await desk.until(lambda: desk.mode.MODE == "overview", "the overview again")
