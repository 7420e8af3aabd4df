"""Gathers bursts of wishes to repaint: the first is answered at once, later ones at intervals."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

from panel.widgets.later import later

INTERVAL = 0.05


class Gather:
    """Calls `work` at once when asked after a pause, else once when the interval is over.

    Whatever is asked between two calls is answered by one. The last wish is never lost as long as
    the host lives. To be used from the host's own thread.
    """

    def __init__(
        self,
        host: MessagePump,
        work: Callable[[], None],
        interval: float = INTERVAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host = host
        self._work = work
        self._interval = interval
        self._clock = clock
        self._last = float("-inf")
        self._timer: Timer | None = None

    def ask(self, interval: float | None = None) -> None:
        """Wish for one call of `work`, which may happen before this returns.

        `interval` is that between the last call and this one, where it is to be another.
        """
        if self._timer is not None:
            return
        between = self._interval if interval is None else interval
        wait = self._last + between - self._clock()
        if wait <= 0:
            self._do()
        else:
            self._timer = later(self._host, wait, self._do)

    def stop(self) -> None:
        """Forget a call that is still to come."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _do(self) -> None:
        self._timer = None
        self._last = self._clock()
        self._work()
