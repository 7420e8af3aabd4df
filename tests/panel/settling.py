"""Waiting until an app has handled what reached it, and all that this brought about.

Textual's own pilot waits for a processor that looks idle. That proves nothing on a busy machine,
where a process stands still unasked, and costs a quiet one most of the time of each key.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from textual._context import active_app
from textual._queue import Queue
from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump

from tests.support import PATIENCE_SECONDS

TURNS = 50
# What goes on as long as the app does, or as long as a person looks.
LASTING = frozenset({"follow", "stream", "inventory"})
_held_up: list[str] = []


@contextmanager
def held_up(*groups: str) -> Iterator[None]:
    """Meanwhile workers of these groups wait for what the test does: they are not waited for."""
    _held_up.extend(groups)
    try:
        yield
    finally:
        for group in groups:
            _held_up.remove(group)


async def settled(*_: float) -> None:
    """Return when no part of the app in this context has anything to do, nor any worker for it.

    Takes and ignores the limits of `textual._wait.wait_for_idle`, in whose place it stands.
    """
    app = active_app.get()
    end = time.monotonic() + PATIENCE_SECONDS
    turns = 0
    # A key passes the loop twice before it stands in the queue of the app.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    while True:
        if not _at_work(app):
            if app.screen_stack:
                app.screen._on_timer_update()
            await asyncio.sleep(0)
            if not _at_work(app):
                return
        turns += 1
        await asyncio.sleep(0 if turns < TURNS else 0.001)
        if time.monotonic() > end:
            raise AssertionError(f"still at work after {PATIENCE_SECONDS:g} s: {_at_work(app)}")


def _at_work(app: App[Any]) -> list[str]:
    """The parts that have something to do, and the groups of workers that aren't done."""
    # The app itself, to which keys and workers speak first, is not in its registry.
    return [type(pump).__name__ for pump in (app, *app._registry) if _has_to_do(pump)] + [
        worker.group
        for worker in app.workers
        if not worker.is_finished and worker.group not in (*LASTING, *_held_up)
    ]


def _has_to_do(pump: MessagePump) -> bool:
    if pump._task is None or pump._task.done():
        return False
    queue: Queue[Message | None] = pump._message_queue
    # One that waits at its empty queue has ended what it took from there before.
    waits = not queue.values and bool(queue.ready_event._waiters)
    return not waits or bool(pump._next_callbacks)
