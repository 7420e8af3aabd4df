"""Someone else was faster: what was typed is kept, and what changed is said in words (R9)."""

from __future__ import annotations

import pytest

from panel.screens.conflict import Conflict
from panel.screens.form import Form
from panel.screens.seat_menu import SeatMenu
from state.command import USER, Actor
from state.roster.commands import AddSeat, HideSeat, MarkAway, RenameSeat
from tests.panel.desk import Desk, opened
from tests.state.world import World


async def rename_form(desk: Desk, name: str) -> None:
    """The form that renames codex, with a name typed."""
    await desk.press("tab", "down", "s")
    await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
    await desk.press("n")
    await desk.until(lambda: isinstance(desk.app.screen, Form), "the form")
    await desk.press("ctrl+u")
    await desk.write(name)


async def conflict(desk: Desk) -> None:
    await desk.until(lambda: isinstance(desk.app.screen, Conflict), "the conflict")


@pytest.mark.rule("R9")
async def test_each_event_in_between_is_said_in_words_and_nothing_is_written(
    world: World,
) -> None:
    async with opened(world) as desk:
        await rename_form(desk, "Builder")
        world.project.run(HideSeat("gemini", 1), Actor(USER, "tui"))
        world.project.run(RenameSeat("hermes", 2, "Messenger"), Actor(USER, "tty"))
        before = world.log()
        world.clock.move(seconds=3)
        await desk.press("enter")
        await conflict(desk)
        await desk.sees("Someone was faster")
        await desk.sees("Your change: rename codex to Builder")
        await desk.sees("You saw the roster at r1, it is at r3 now.")
        await desk.sees("r2 you hid gemini in another panel, 3 s ago")
        await desk.sees("r3 you renamed hermes to Messenger at a terminal, 3 s ago")
        assert world.log() == before
        await desk.press("a")
        await desk.until(lambda: desk.said.startswith("saved as r4"), "saved")
        assert not isinstance(desk.app.screen, Form | Conflict)
    assert world.seat("codex").name == "Builder"
    assert world.lines()[-1]["guards"] == {"roster": 3}


@pytest.mark.rule("R9")
async def test_one_key_drops_the_change(world: World) -> None:
    async with opened(world) as desk:
        await rename_form(desk, "Builder")
        world.run(HideSeat("gemini", 1))
        before = world.log()
        await desk.press("enter")
        await conflict(desk)
        await desk.press("x")
        await desk.until(lambda: desk.app.screen is desk.mode, "the overview")
        await desk.misses("saving")
    assert world.log() == before
    assert world.seat("codex").name == "codex"


@pytest.mark.rule("R9")
async def test_who_is_overtaken_twice_is_asked_twice(world: World) -> None:
    async with opened(world) as desk:
        await rename_form(desk, "Builder")
        world.run(HideSeat("gemini", 1))
        await desk.press("enter")
        await conflict(desk)
        world.run(HideSeat("hermes", 2))
        await desk.press("a")
        await desk.sees("You saw the roster at r2, it is at r3 now.")
        await desk.sees("r3 you hid hermes by command")
        assert not desk.line("hid gemini")
        await desk.press("a")
        await desk.until(lambda: desk.said.startswith("saved as r4"), "saved")


@pytest.mark.rule("R9")
async def test_a_hiding_by_two_keys_conflicts_like_any_change(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("tab", "down", "s")
        await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
        await desk.sees("h  hide")
        # The menu follows, and so does what its keys carry: only what comes between the last
        # picture and the key is a conflict, and the key is faster than any picture here.
        hold = desk.app.screen
        assert isinstance(hold, SeatMenu)
        world.run(HideSeat("gemini", 1))
        hold.action_choose("hide")
        await desk.until(
            lambda: isinstance(desk.app.screen, Conflict) or desk.said.startswith("saved"),
            "an answer",
        )
        await conflict(desk)
        await desk.sees("Your change: hide codex")
        await desk.press("a")
        await desk.until(lambda: desk.said.startswith("saved as r3"), "saved")
    assert world.seat("codex").visibility == "hidden"


@pytest.mark.rule("R9")
async def test_applying_asks_the_rules_again_and_keeps_what_was_typed(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("tab", "s")
        await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
        await desk.press("a")
        await desk.until(lambda: isinstance(desk.app.screen, Form), "the form")
        await desk.write("scout")
        world.run(AddSeat("scout", 1))
        await desk.press("f2")
        await conflict(desk)
        await desk.sees("r2 you added scout by command")
        await desk.press("a")
        await desk.sees("scout is a seat already", "choose another id")
        await desk.sees("id", "scout")
        assert isinstance(desk.app.screen, Form)


async def test_what_touches_no_roster_is_no_conflict(world: World) -> None:
    async with opened(world) as desk:
        await rename_form(desk, "Builder")
        world.post("hermes", "user", title="meanwhile")
        world.run(MarkAway("gemini", "2026-11-30T12:00:00+00:00", "out"))
        await desk.press("enter")
        await desk.until(lambda: desk.said.startswith("saved as r4"), "saved")
