"""Doing something once, a moment later, for certain."""

from __future__ import annotations

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

# A timer that rings more often than it can look at the clock would do nothing else.
LEAST_SECONDS = 0.001


def later(host: MessagePump, delay: float, work: Callable[[], None]) -> Timer:
    """Calls `work` once after so many seconds, unless the timer is stopped before.

    A timer of Textual that rings once never does so when the process stands still for longer than
    the delay just as it begins: it skips what it has missed. One that goes on rings the next time.
    """

    def ring() -> None:
        timer.stop()
        host.call_next(work)

    timer = host.set_interval(max(delay, LEAST_SECONDS), ring)
    return timer
