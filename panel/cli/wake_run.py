"""`wake run`: who looks for messages while the panel is closed, until nothing is open (W9, W31)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Verb
from panel.cli.wake_scan import NO_WINDOW, STARTS_NOTHING, VIA, said

if TYPE_CHECKING:
    from state.journal.doorbell import Doorbell
    from state.journal.journal import Journal
    from state.scanner import Scanner, SeatFound

# The doorbell is never believed: the head is looked at as often as this too. A signal ends the
# wait no later.
TICK_SECONDS = 0.25
CLOSED = "closed"
ALL_CLOSED = "every window is closed"


def _run(call: Call) -> int:
    """Cycles until every window is closed, or a signal ends it."""
    import threading

    from panel.cli.main import stay
    from state.journal.doorbell import Doorbell
    from state.scanner import Scanner

    stay()
    bell = Doorbell(call.paths.head_dir, threading.Event(), call.paths.head)
    shown: dict[str, str] = {}
    try:
        with Ending() as ending:
            scanner = Scanner(call.project, VIA)
            while not ending.told and _cycle(call, scanner, shown, bell, ending):
                pass
    finally:
        bell.close()
    return 0


def _cycle(
    call: Call, scanner: Scanner, shown: dict[str, str], bell: Doorbell, ending: Ending
) -> bool:
    """Scans once and waits for a reason to scan again; false when there can be none any more."""
    from state.clock import elapsed_ms
    from state.errors import Busy
    from state.scanner import next_scan_ms
    from state.wake.load import seat_wake, seats_with_open_window

    journal, clock = call.project.journal, call.project.clock
    # Before the scan, so that nothing is missed that comes while it looks.
    rev, began = _rev(journal), clock.moment()
    try:
        found = scanner.scan()
    except Busy as busy:
        # Whoever holds the lock for long keeps every scanner out; it is tried again.
        _note(busy.message)
        found = ()
    with call.looking() as view:
        now = clock.moment()
        opened = {seat: seat_wake(view, seat) for seat in seats_with_open_window(view)}
    if not call.is_sound:
        return False
    states = {seat: wake.state for seat, wake in opened.items()}
    _tell(call, found, states, shown)
    if not opened:
        return False
    due = min(next_scan_ms(wake, began, now) for wake in opened.values())
    while not ending.told and _rev(journal) == rev and elapsed_ms(began, clock.moment()) < due:
        bell.tend()
        bell.wait(TICK_SECONDS)
    return True


def _rev(journal: Journal) -> int:
    """The last commit; a blank HEAD tells of no other one than was seen here.

    Replaced when the project's folder is gone or is another one.
    """
    journal.check_place()
    if journal.head_or_none() is None and journal.seen is not None:
        return journal.seen.rev
    return journal.head().rev


def _tell(
    call: Call, found: tuple[SeatFound, ...], states: dict[str, str], shown: dict[str, str]
) -> None:
    """One line for each change: what a scan wrote, or another state of a window."""
    from panel.present import ages

    results = {one.seat: one for one in found}
    time = ages.now_line(ages.parsed(call.project.clock.now())).partition(" ")[0]
    first = not shown
    for seat in sorted({*states, *shown, *results}):
        state, one = states.get(seat, CLOSED), results.get(seat)
        wrote = one is not None and one.rev is not None
        if not wrote and state == shown.get(seat, CLOSED):
            continue
        if one is None:
            one = _seen(seat, state)
        call.answer(shapes.scanned(one), partial(_stamped, time, one))
    shown.clear()
    shown.update(states)
    if not states:
        last = NO_WINDOW if first and not found else ALL_CLOSED
        if not call.json:
            output.write_lines([f"{time} {last}"])
    output.flush()


def _stamped(time: str, one: SeatFound) -> list[str]:
    return [f"{time} {said(one)}"]


def _seen(seat: str, state: str) -> SeatFound:
    """What another process has made of a window."""
    from state.scanner import SeatFound

    return SeatFound(seat, 0, {}, state, None)


def _note(text: str) -> None:
    from panel.cli.errors import note

    note(text)


class Ending:
    """SIGINT, SIGTERM or SIGHUP end what runs: after the cycle or the tick in which they come.

    Nothing is raised: an exception in the midst of waiting for the bell could break its lock.
    """

    def __init__(self) -> None:
        self.told = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Ending:
        import signal

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before = signal.getsignal(number)
            # Whoever started it with `nohup` wants it to outlive the terminal.
            if number != signal.SIGHUP or before is not signal.SIG_IGN:
                self._before[number] = before
                signal.signal(number, self._tell)
        return self

    def __exit__(self, *_: object) -> None:
        import signal

        for number, before in self._before.items():
            signal.signal(number, before)

    def _tell(self, *_: object) -> None:
        self.told = True


RUN = Verb(
    _run,
    "Scan until every window is closed.",
    more=f"{STARTS_NOTHING} Stays in the foreground; Ctrl-C or SIGTERM ends it, with 0. With"
    " --json it gives one object a line.",
)
