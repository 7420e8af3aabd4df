"""A follower that ended with an error is said, and begun again."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from panel import live
from state.errors import Replaced
from state.journal import follow as following
from state.journal.follow import News
from state.journal.journal import Journal
from tests.panel.desk import opened
from tests.state.world import World


async def test_a_follower_that_ended_is_said_and_begun_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow = following.follow
    lives = []
    ended = threading.Event()

    def mortal(journal: Journal, stop: threading.Event) -> Iterator[News]:
        lives.append(journal)
        for news in follow(journal, stop):
            yield news
            if len(lives) == 1:
                ended.wait(30)
                raise Replaced("the folder is another one", "open it again")

    monkeypatch.setattr(following, "follow", mortal)
    # The next one begins when the test says that a second has passed.
    monkeypatch.setattr(live, "TICK_SECONDS", 3600.0)
    async with opened(world) as desk:
        await desk.sees("Nobody needs you")
        ended.set()
        await desk.sees("■ replaced:", "the folder is another one")
        desk.app.second_passed()
        await desk.misses("■ replaced:")
        assert len(lives) == 2
        world.post("codex", "user", title="heard again?", kind="question")
        await desk.sees("asks: heard again?")
