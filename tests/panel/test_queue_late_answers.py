"""An answer that comes late never undoes what was pressed while it was on its way."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from panel.asks import messages as asks
from panel.asks.messages import Listed
from state.clock import Moment
from state.index.view import View
from state.messages.listing import Filter
from tests.panel.desk import opened
from tests.panel.settling import held_up
from tests.panel.test_queue import cursor, queue
from tests.state.world import World


async def test_a_key_counts_more_than_the_place_asked_for_before_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [world.post("codex", "user", title=f"note {n}") for n in range(9)]
    listed, asked, answer = asks.listed, threading.Event(), threading.Event()

    def slowly(wanted: Filter, number: int | None) -> Callable[[View, Moment], Listed]:
        question = listed(wanted, number)

        def ask(view: View, now: Moment) -> Listed:
            asked.set()
            assert answer.wait(30)
            return question(view, now)

        return ask

    async with opened(world, (120, 24)) as desk:
        await queue(desk)
        await desk.until(lambda: f"#{numbers[-1]}" in cursor(desk), "the newest")
        monkeypatch.setattr(asks, "listed", slowly)
        world.post("hermes", "user", title="one more")
        with held_up("ask"):
            await desk.until(asked.is_set, "the list is asked for")
            await desk.press("down", "down")
        answer.set()
        await desk.sees("All messages: 10")
        assert f"#{numbers[-3]}" in cursor(desk)
