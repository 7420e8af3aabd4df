"""Who scans: the open panel, `wake scan` and `wake run` all do it by this (W9, W13, W31).

Any number of scanners comes to the same: what one has written the others find done.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from state.adapters import queries as adapters
from state.adapters.check import check
from state.clock import Moment, elapsed_ms
from state.command import Actor
from state.index.view import View
from state.journal.writer import SYSTEM
from state.project import Project
from state.wake import scanned
from state.wake.advance import Advanced
from state.wake.due import jumped
from state.wake.load import pinned_adapters, seat_wake, seats_with_open_window
from state.wake.model import SeatWake
from state.wake.operations import PassedOver, SeatScanned
from state.wake.scanning import Scan, is_behind, planned

# Files of adapters are read again after so long; large ones less often.
CHECK_MS = 10_000
CHECK_LARGE_MS = 300_000
LARGE_BYTES = 32 * 1024 * 1024
NEVER_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class SeatFound:
    """What a scan of one seat came to: new intents, messages passed over by reason, the window's
    state afterwards. `rev` is the last line that it wrote, None when it changed nothing.
    """

    seat: str
    created: int
    passed: Mapping[str, int]
    window: str
    rev: int | None


class Scanner:
    """Scans one project; keeps in mind when it last read adapters' files."""

    def __init__(self, project: Project, via: str) -> None:
        self._project = project
        self._actor = Actor(SYSTEM, via)
        self._read: dict[tuple[str, int], tuple[Moment, bool]] = {}

    def scan(self) -> tuple[SeatFound, ...]:
        """Every open window once. The errors of `Project.run`."""
        with self._project.view() as view:
            now = self._project.clock.moment()
            drifted = self.drifted(view, now)
            seats = seats_with_open_window(view)
            behind = bool(jumped(view, now))
            plans = {seat: planned(view, seat, now, drifted) for seat in seats}
        found = []
        for seat, plan in plans.items():
            found.append(self._write(seat, drifted) if plan.ops or behind else _nothing(plan))
            # Only now: a scan that couldn't write has looked at nothing.
            scanned.leave(self._project.paths, seat, now)
        return tuple(found)

    def drifted(self, view: View, now: Moment) -> frozenset[str]:
        """W13: adapters of open windows whose files differ from what was registered."""
        found = set()
        for name in pinned_adapters(view):
            adapter = adapters.registered(view, name)
            if adapter is None:
                continue
            # Two may have the same fingerprint and other files, or the same files anew.
            which = (name, adapter.registered_rev)
            before = self._read.get(which)
            every = CHECK_LARGE_MS if adapter.bytes > LARGE_BYTES else CHECK_MS
            if before is None or before[1] or elapsed_ms(before[0], now) >= every:
                before = self._read[which] = (now, not check(adapter).is_same)
            if before[1]:
                found.add(name)
        return frozenset(found)

    def _write(self, seat: str, drifted: frozenset[str]) -> SeatFound:
        created, passed, rev = 0, dict[str, int](), None
        while True:
            done = self._project.run(Scan(seat, drifted), self._actor)
            for op in done.ops:
                rev = done.rev
                if op["op"] == "seat_scanned":
                    created += len(op["created"])
                    for group in op["passed"]:
                        count = passed.get(group["reason"], 0) + len(group["messages"])
                        passed[group["reason"]] = count
            if not is_behind(done.ops):
                break
        with self._project.view() as view:
            return SeatFound(seat, created, passed, seat_wake(view, seat).state, rev)


def next_scan_ms(wake: SeatWake, last: Moment | None, now: Moment) -> int:
    """Milliseconds until the time alone asks for a scan of this seat, 0 when it does (W27).

    That is when something is due, and an interval after the `last` scan of this process, so that
    it can be told that somebody scans (W31). Each new line asks for one anyway.
    """
    window = wake.open_window
    if window is None:
        return NEVER_MS
    interval = window.policy.scan_interval_seconds * 1000
    left = [0 if last is None else interval - elapsed_ms(last, now)]
    if wake.lease is not None:
        left.append(wake.lease.left_ms(now))
    if window.state != "hold" and window.left_ms(now):
        left.append(window.left_ms(now))
    # While a wish waits or a lease runs no cycle is quiet (W9).
    if window.state == "active" and wake.lease is None and not wake.messages("pending"):
        left.append(interval - elapsed_ms(window.counted, now))
    return max(0, min(left))


def found_by(plan: Advanced, seat: str) -> SeatFound:
    """A dry run's answer in the shape of a scan's (W23)."""
    created, passed = 0, dict[str, int]()
    for op in plan.ops:
        if isinstance(op, SeatScanned):
            created += len(op.created)
            passed |= _counted(op.passed)
    return SeatFound(seat, created, passed, plan.wake.state, None)


def _nothing(plan: Advanced) -> SeatFound:
    return SeatFound(plan.wake.seat, 0, {}, plan.wake.state, None)


def _counted(passed: tuple[PassedOver, ...]) -> dict[str, int]:
    return {group.reason: len(group.messages) for group in passed}
