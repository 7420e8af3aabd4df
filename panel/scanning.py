"""The open panel scans: at each new line, and when the time alone gives a scan something to do.

It does so in a worker, with a project of its own; what it can't do is kept and shown, not shouted.
Any number of panels comes to what one does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message

from panel.bridge import SLICE_SECONDS, WAY, Bridge
from panel.submitting import SubmittingApp
from panel.words import states
from state.clock import Clock, Moment, elapsed_ms
from state.errors import Damaged, ReadOnly, StateError
from state.paths import Paths
from state.project import Committed, Project

if TYPE_CHECKING:
    from state.command import Actor, Command
    from state.index.build import Progress
    from state.wake.model import SeatWake

# After a scan that failed, the next one is tried so much later.
AGAIN_MS = 5_000


class _Scanned(Message, bubble=False):
    """A scan of the picture at `rev` is over; `error` is why it came to nothing."""

    def __init__(self, eyes: Eyes | None, rev: int, error: StateError | None) -> None:
        super().__init__()
        self.eyes = eyes
        self.rev = rev
        self.error = error


class _Brief(Project):
    """Waits for the lock only as long as a panel that is closed may go on."""

    def run(
        self,
        command: Command,
        actor: Actor,
        *,
        key: str | None = None,
        wait: float = SLICE_SECONDS,
        progress: Progress | None = None,
    ) -> Committed:
        return super().run(command, actor, key=key, wait=wait, progress=progress)


class Eyes:
    """What scans one opened project, one scan at a time, from any thread."""

    def __init__(self, paths: Paths, clock: Clock) -> None:
        from state.scanner import Scanner

        self._project = _Brief(paths, clock)
        self._scanner = Scanner(self._project, WAY)

    def scan(self) -> None:
        """Every open window once. Errors of `state.errors`."""
        with self._project:
            self._scanner.scan()


def wait_ms(wakes: Iterable[SeatWake], last: Moment | None, now: Moment) -> int | None:
    """Milliseconds until the time asks for a scan; None while no window is open."""
    from state.scanner import next_scan_ms

    left = [next_scan_ms(wake, last, now) for wake in wakes if wake.open_window is not None]
    return min(left, default=None)


class ScanningApp(SubmittingApp):
    """An app that scans while it is open. `scan_trouble` is why it can't, None while it can."""

    def __init__(self, paths: Paths, clock: Clock | None = None) -> None:
        super().__init__(paths, clock)
        self.scan_trouble: StateError | None = None
        self._eyes: Eyes | None = None
        self._eyes_of: Bridge | None = None
        self._scanning = False
        self._scanned_rev = 0
        self._scanned: Moment | None = None

    def show_snapshot(self) -> None:
        super().show_snapshot()
        self._scan_if_due()

    def second_passed(self) -> None:
        super().second_passed()
        self._scan_if_due()

    def _scan_if_due(self) -> None:
        if self._scanning or self.bridge is None or self.snapshot is None or self.followed is None:
            return
        now, health = self.clock.moment(), self.snapshot.health
        wakes = self.snapshot.overview.wakes.seats
        wait = wait_ms(wakes.values(), self._scanned, now) if wakes else None
        if wait is None:
            self.scan_trouble = None
        elif self.snapshot.verified.wrong is not None:
            self.scan_trouble = Damaged(self.snapshot.verified.wrong)
        elif health.trouble is not None or not health.writable:
            self.scan_trouble = health.trouble or ReadOnly(states.READ_ONLY)
        elif self._is_time(wait, self.snapshot.rev, now):
            self._scanning, self._scanned = True, now
            if self._eyes_of is not self.bridge:
                self._eyes, self._eyes_of = None, self.bridge
            self._scan(self._eyes, self.paths, self.snapshot.rev)

    def _is_time(self, wait: int, rev: int, now: Moment) -> bool:
        if self.scan_trouble is not None and self._scanned is not None:
            return elapsed_ms(self._scanned, now) >= AGAIN_MS
        return wait == 0 or rev > self._scanned_rev

    @work(thread=True, group="scan", exit_on_error=False, description="scan open windows")
    def _scan(self, eyes: Eyes | None, paths: Paths, rev: int) -> None:
        error: StateError | None = None
        try:
            eyes = eyes or Eyes(paths, self.clock)
            if not self.stopping.is_set():
                eyes.scan()
        except StateError as raised:
            error = raised
        finally:
            self.post_message(_Scanned(eyes, rev, error))

    @on(_Scanned)
    def _scan_over(self, event: _Scanned) -> None:
        self._scanning = False
        self._eyes = event.eyes
        self.scan_trouble = event.error
        if event.error is None:
            self._scanned_rev = event.rev
