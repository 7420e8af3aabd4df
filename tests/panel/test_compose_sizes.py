"""Writing a message: typing ahead, completion, every size."""

from __future__ import annotations

import pytest

from tests.panel.desk import opened
from tests.panel.test_compose import composing, sent, write
from tests.panel.test_queue import queue
from tests.state.world import World


async def test_what_is_typed_ahead_of_the_dialog_does_nothing_in_the_mode(world: World) -> None:
    world.post("codex", "user", title="a note")
    before = world.log()
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: desk.mode.why_not("acknowledge") is None, "something is due")
        # All at once, as when the terminal was slow: the keys are there before the dialog is.
        for key in ("m", "k", "k"):
            desk.app.simulate_key(key)
        await desk.until(lambda: composing(desk), "the message")
        await desk.pilot.pause()
        assert not desk.app.is_saving
    assert world.log() == before


async def test_seats_are_completed_as_they_are_typed(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await desk.press("m")
        await desk.until(lambda: composing(desk), "the message")
        await desk.sees("codex, gemini, hermes or all")
        await desk.write("her")
        await desk.sees("to", "hermes")
        await desk.press("right", "space")
        await desk.write("co")
        await desk.sees("to", "hermes codex")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10), (1, 1)])
async def test_it_can_be_written_at_every_size(world: World, size: tuple[int, int]) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await desk.pilot.resize_terminal(*size)
        await write(desk, "codex", "small", "text", kind="question")
        if size[1] >= 24:
            for word in ("to", "kind", "urgency", "title", "refs"):
                assert desk.line(word), word
        await sent(desk)
        await desk.pilot.resize_terminal(120, 40)
        await desk.sees("#2", "? small")
