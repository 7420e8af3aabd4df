"""Questions in workers: the newest answer counts, late ones are dropped, errors are said."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from panel.screens.queue import QueueScreen
from state.clock import Moment
from state.errors import NotFound
from state.index.view import View
from tests.panel.desk import Desk, opened
from tests.panel.settling import held_up
from tests.panel.test_queue import queue
from tests.state.world import World


class Held:
    """A question that is answered when the test lets it be."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.begun = threading.Event()
        self.go = threading.Event()

    def __call__(self, view: View, now: Moment) -> str:
        self.begun.set()
        self.go.wait(30)
        return self.answer


@asynccontextmanager
async def asking(world: World) -> AsyncIterator[tuple[Desk, QueueScreen]]:
    """A screen whose questions are answered when the test lets them be."""
    async with opened(world) as desk:
        await queue(desk)
        mode = desk.mode
        assert isinstance(mode, QueueScreen)
        with held_up("ask"):
            yield desk, mode


async def test_a_late_answer_to_an_older_question_is_dropped(world: World) -> None:
    got: list[str] = []
    async with asking(world) as (desk, mode):
        first, second = Held("first"), Held("second")
        mode.ask("topic", first, got.append)
        await desk.until(first.begun.is_set, "asked")
        mode.ask("topic", second, got.append)
        second.go.set()
        await desk.until(lambda: got == ["second"], "the newer answer")
        first.go.set()
        mode.ask("other", _answered("other"), got.append)
        await desk.until(lambda: got[-1] == "other", "one more")
        assert got == ["second", "other"]


async def test_an_answer_that_nobody_wants_any_more_is_dropped(world: World) -> None:
    got: list[str] = []
    async with asking(world) as (desk, mode):
        held = Held("never")
        mode.ask("topic", held, got.append)
        await desk.until(held.begun.is_set, "asked")
        mode.forget("topic")
        held.go.set()
        mode.ask("other", _answered("other"), got.append)
        await desk.until(lambda: got == ["other"], "only the other")


async def test_a_list_that_changes_all_the_time_is_shown_all_the_same(world: World) -> None:
    got: list[str] = []
    async with asking(world) as (desk, mode):
        first = Held("first")
        mode.ask("topic", first, got.append)
        await desk.until(first.begun.is_set, "asked")
        for answer in ("second", "third"):
            mode.ask("topic", _answered(answer), got.append, refresh=True)
        first.go.set()
        await desk.until(lambda: got == ["first", "third"], "the running and the last one")


async def test_an_error_is_said_or_given_to_who_wants_it(world: World) -> None:
    def lost(view: View, now: Moment) -> str:
        raise NotFound("it is not there", "look elsewhere")

    failed: list[str] = []
    async with asking(world) as (desk, mode):
        mode.ask("topic", lost, failed.append)
        await desk.sees("it is not there", "look elsewhere")
        mode.ask("topic", lost, failed.append, lambda error: failed.append(error.code))
        await desk.until(lambda: failed == ["not_found"], "the error")


def _answered(answer: str) -> Held:
    held = Held(answer)
    held.go.set()
    return held
