"""Bursts are answered at once and then at intervals, and the last wish is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from textual import _time
from textual.app import App

from panel import live
from panel.widgets.gather import INTERVAL, Gather
from tests.panel.desk import opened
from tests.state.world import World


class Host:
    """Keeps what it was asked to do later, as a widget's timers would."""

    def __init__(self) -> None:
        self.later: list[tuple[float, Callable[[], Any]]] = []
        self.stopped = 0

    def set_interval(self, delay: float, callback: Callable[[], Any]) -> Host:
        self.later.append((delay, callback))
        return self

    def call_next(self, callback: Callable[[], Any]) -> None:
        callback()

    def stop(self) -> None:
        self.stopped += 1


def gathered() -> tuple[Gather, Host, list[float], list[float]]:
    host, now, done = Host(), [100.0], list[float]()
    gather = Gather(host, lambda: done.append(now[0]), clock=lambda: now[0])  # type: ignore[arg-type]
    return gather, host, now, done


def test_the_first_wish_is_answered_at_once() -> None:
    gather, host, _, done = gathered()
    gather.ask()
    assert done == [100.0]
    assert host.later == []


def test_a_burst_is_answered_once_when_the_interval_is_over() -> None:
    gather, host, now, done = gathered()
    for _ in range(1_000):
        gather.ask()
        now[0] += 0.00001
    assert done == [100.0]
    ((delay, answer),) = host.later
    assert 0 < delay <= INTERVAL
    now[0] = 100.0 + INTERVAL
    answer()
    assert done == [100.0, 100.0 + INTERVAL]
    gather.ask()
    assert len(host.later) == 2
    assert len(done) == 2


def test_what_may_wait_longer_keeps_further_apart() -> None:
    gather, host, now, done = gathered()
    gather.ask(10 * INTERVAL)
    assert done == [100.0]
    now[0] += 2 * INTERVAL
    gather.ask(10 * INTERVAL)
    ((delay, _),) = host.later
    assert 7 * INTERVAL < delay < 9 * INTERVAL
    assert done == [100.0]


def test_after_a_pause_the_next_is_answered_at_once() -> None:
    gather, host, now, done = gathered()
    gather.ask()
    now[0] += INTERVAL
    gather.ask()
    assert done == [100.0, 100.0 + INTERVAL]
    assert host.later == []


def test_a_wish_during_the_work_is_answered_later() -> None:
    host, now, done = Host(), [0.0], list[int]()

    def work() -> None:
        done.append(len(done))
        if len(done) == 1:
            gather.ask()

    gather = Gather(host, work, clock=lambda: now[0])  # type: ignore[arg-type]
    gather.ask()
    assert done == [0]
    host.later.pop()[1]()
    assert done == [0, 1]


def test_what_is_to_come_can_be_called_off() -> None:
    gather, host, _, _ = gathered()
    gather.ask()
    gather.ask()
    gather.stop()
    gather.stop()
    assert host.stopped == 1
    gather.ask()
    assert len(host.later) == 2


async def test_with_a_real_timer() -> None:
    app: App[None] = App()
    done: list[int] = []
    async with app.run_test() as pilot:
        gather = Gather(app, lambda: done.append(1))
        gather.ask()
        gather.ask()
        assert done == [1]
        while len(done) < 2:
            await pilot.pause(0.01)


async def test_no_wish_is_lost_where_the_process_stands_still_as_the_timer_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: set[object] = set()
    look = _time.get_time

    def late() -> float:
        """To each timer's second look at the clock and all after it a second has passed."""
        task = asyncio.current_task()
        passed = float(task in begun)
        begun.add(task)
        return look() + passed

    app: App[None] = App()
    done: list[int] = []
    async with app.run_test() as pilot:
        monkeypatch.setattr(_time, "get_time", late)
        gather = Gather(app, lambda: done.append(1))
        for number in (2, 3):
            gather.ask()
            gather.ask()
            async with asyncio.timeout(120):
                while len(done) < number:
                    await pilot.pause(0.01)


async def test_pictures_of_what_others_do_wait_for_keys(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "KEYS_SECONDS", 60.0)
    asked: list[float | None] = []
    async with opened(world) as desk:
        await desk.sees("Nobody needs you")
        with monkeypatch.context() as patch:
            patch.setattr(Gather, "ask", lambda _, interval=None: asked.append(interval))
            desk.app.retake()
        assert asked == [None]
        await desk.press("down")
        with monkeypatch.context() as patch:
            patch.setattr(Gather, "ask", lambda _, interval=None: asked.append(interval))
            desk.app.retake()
        assert asked == [None, live.BESIDE_KEYS_SECONDS]
