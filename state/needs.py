"""The one function behind "Needs you": what waits for the person, each with its age (M14, R15)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from state.clock import seconds_between
from state.command import USER
from state.index.view import View
from state.looked import Look
from state.roster.decide import is_away
from state.roster.queries import Seat
from state.routing.hook_notes import standing

if TYPE_CHECKING:
    from state.wake.shown import Shown

DUE_SECONDS = 15 * 60
DUE_SECONDS_URGENT = 5 * 60
# Nobody looks through more; what is beyond is counted all the same.
LIMIT = 1000


class Need(NamedTuple):
    """One thing that needs the person.

    Of kind `question`, `task`, `result`, `due` or `terminal_hold`, `id` is the message that it is
    about and `text` its title; of kind `hold` or `unscanned`, `id` is that of the window and `text`
    one word for the cause; of kind `hook`, `id` is the line that notes it, `text` the host and one
    word for what is wrong, and `seat` is empty where none was named. `since` is when it began to
    wait. `hidden`: the seat is hidden, and is shown all the same.
    """

    kind: str
    seat: str
    id: int
    since: str
    text: str
    hidden: bool


class Needs(NamedTuple):
    """What needs the person, the longest wait first: at most `LIMIT` of `total`."""

    first: tuple[Need, ...]
    total: int


def needs(
    view: View,
    seats: Sequence[Seat],
    looks: Mapping[str, Look],
    wakes: "Mapping[str, Shown]",
    now: str,
) -> Needs:
    """Everything that needs the person."""
    hidden = {seat.seat for seat in seats if seat.visibility == "hidden"}
    waiting, tasks = _waiting(view, hidden), _tasks(view, hidden)
    counted = [*_due(view, seats, looks, now), *_windows(view, wakes, hidden)]
    counted += [*_stuck(view, hidden), *_hooks(view, now, hidden)]
    total = len(counted) + _count(view, waiting, _WAITING) + _count(view, tasks, _TASKS)
    found = sorted([*waiting, *tasks, *counted], key=lambda need: (need.since, need.id))
    return Needs(tuple(found[:LIMIT]), total)


def is_due(seat: Seat, came: str, urgent: bool, look: Look | None, now: str) -> bool:
    """M14, M15: the oldest unread message is old, the seat hasn't looked since, nor is it away."""
    if seat.kind == "user" or seat.next_due is None:
        return False
    if is_away(seat, now):
        return False
    if look is not None and look.rev >= seat.next_due:
        return False
    limit = DUE_SECONDS_URGENT if urgent else DUE_SECONDS
    return seconds_between(came, now) > limit


_WAITING = "waiting WHERE open=1"
_TASKS = f"task WHERE holder='{USER}' AND state='open'"


def _count(view: View, found: Sequence[Need], which: str) -> int:
    """How many there are, of which those found are the first."""
    return len(found) if len(found) < LIMIT else view.number(f"SELECT count(*) FROM {which}")


def _waiting(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows(
        f"SELECT kind, seat, message, at, title FROM {_WAITING} ORDER BY message LIMIT {LIMIT}"
    )
    return [
        Need(kind, seat, number, since, title, seat in hidden)
        for kind, seat, number, since, title in found
    ]


def _tasks(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows(
        f"SELECT author, message, since, title FROM {_TASKS} ORDER BY message LIMIT {LIMIT}"
    )
    return [
        Need("task", author, number, since, title, author in hidden)
        for author, number, since, title in found
    ]


def _windows(view: View, wakes: "Mapping[str, Shown]", hidden: set[str]) -> list[Need]:
    """Windows on hold, and armed ones that nobody scans (W13, W31)."""
    found = []
    for seat, one in wakes.items():
        window = one.window
        if window is None:
            continue
        if window.state == "hold":
            since = _held_since(view, seat) or window.armed_at
            kind, why = "hold", window.reason
        elif window.nobody_scans:
            kind, since, why = "unscanned", window.scanned_at or window.armed_at, ""
        else:
            continue
        found.append(Need(kind, seat, window.number, since, why, seat in hidden))
    return found


def _held_since(view: View, seat: str) -> str | None:
    row = view.row(
        "SELECT at FROM window_change WHERE seat=? AND state='hold' ORDER BY rev DESC LIMIT 1", seat
    )
    return None if row is None else str(row[0])


def _stuck(view: View, hidden: set[str]) -> list[Need]:
    """Intents that used up their attempts, until they are retried or dismissed (W15)."""
    found = view.rows(
        "SELECT seat, message, at, (SELECT title FROM message m WHERE m.id=i.message)"
        f" FROM intent i WHERE state='terminal_hold' LIMIT {LIMIT}"
    )
    return [
        Need("terminal_hold", seat, number, since, title, seat in hidden)
        for seat, number, since, title in found
    ]


def _hooks(view: View, now: str, hidden: set[str]) -> list[Need]:
    """Hooks that could not do their work, until they record again, for a day (S15)."""
    return [
        Need("hook", one.seat, one.rev, one.at, one.said, one.seat in hidden)
        for one in standing(view, now)
    ]


def _due(view: View, seats: Sequence[Seat], looks: Mapping[str, Look], now: str) -> list[Need]:
    found = []
    for seat in seats:
        if seat.next_due is None:
            continue
        row = view.row("SELECT at, urgent, title FROM message WHERE id=?", seat.next_due)
        if row is not None and is_due(seat, row[0], bool(row[1]), looks.get(seat.seat), now):
            hidden = seat.visibility == "hidden"
            found.append(Need("due", seat.seat, seat.next_due, row[0], row[2], hidden))
    return found
