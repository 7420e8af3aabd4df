"""What the roster looks like: seats, their counts, what happened to them."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from state.checks import SEAT_ID
from state.clock import Moment, left_ms
from state.errors import NotFound
from state.index.view import View

# Operations that touch one seat and leave the roster's revision as it is.
OF_ONE_SEAT = frozenset({"seat_away", "seat_back", "queue_closed"})


@dataclass(frozen=True, slots=True)
class Away:
    """M15: until when (UTC), why, and who said so."""

    until: str
    reason: str
    by: str


class Seat(NamedTuple):
    """One participant. `unread` means after the seat's cursor and nothing more (M11).

    `revision` is that of the entity `seat:ID`; `next_due` the number of the oldest unread message.
    `mode` is `queue_only` as long as its wake policy is not enabled, else `wake_enabled` (R8, R16).
    `window` is the state of its last wake window as the journal has it, `closed` without one; None
    for the user. `away` is the mark as it
    was made, also when its time has come: `decide.is_away` says whether it still holds.
    """

    seat: str
    name: str
    kind: str
    host: str
    roles: tuple[str, ...]
    status: str
    visibility: str
    unread: int
    open_tasks: int
    cursor: int
    mode: str
    window: str | None
    away: Away | None
    joined: int
    revision: int
    next_due: int | None


_SELECT = (
    "SELECT id, name, kind, host, roles, status, visibility, queued - passed,"
    " live_tasks,"
    " cursor, away_until, away_reason, away_by, joined,"
    " (SELECT rev FROM entity e WHERE e.name='seat:' || seat.id),"
    " CASE WHEN queued > passed THEN (SELECT message FROM involved"
    " WHERE seat=number AND role=0 AND message > cursor ORDER BY message LIMIT 1) END,"
    " (SELECT enabled FROM policy WHERE policy.seat=seat.id),"
    " (SELECT state FROM window JOIN policy ON window.number=policy.window"
    " WHERE policy.seat=seat.id)"
    " FROM seat"
)


_ORDER = " ORDER BY number"
_EVENT = "SELECT rev, at, by, via, seat, op FROM roster_event"


def seats(view: View) -> tuple[Seat, ...]:
    """Every seat, the user first, then in the order in which they first joined."""
    return tuple(_seat(row) for row in view.rows(_SELECT + _ORDER))


def find(view: View, seat: str) -> Seat | None:
    """One seat, active or not; None for an id that never was."""
    if not SEAT_ID.fullmatch(seat):
        return None
    row = view.row(_SELECT + " WHERE id=?", seat)
    return None if row is None else _seat(row)


def get(view: View, seat: str) -> Seat:
    """One seat. NotFound with the ids there are."""
    found = find(view, seat)
    if found is None:
        known = ", ".join(row[0] for row in view.rows("SELECT id FROM seat ORDER BY id LIMIT 12"))
        raise NotFound(f"there is no seat {seat!r}", f"seats here: {known}")
    return found


def statuses(view: View) -> dict[str, str]:
    """Whether each seat is `active` or `inactive`, by id, in the order in which they joined."""
    return dict(view.rows("SELECT id, status FROM seat ORDER BY number"))


def revision(view: View) -> int:
    """The roster's revision: the line that last changed it (R9)."""
    return view.revision("roster")


def live_tasks(view: View, seat: str) -> tuple[int, ...]:
    """Numbers of the seat's tasks that are open or accepted, oldest first."""
    found = view.rows(
        "SELECT message FROM task WHERE holder=? AND state IN ('open', 'accepted')"
        " ORDER BY message",
        seat,
    )
    return tuple(row[0] for row in found)


def passed(view: View, seat: str) -> int:
    """How many messages of its queue the seat's cursor has passed."""
    return view.number("SELECT passed FROM seat WHERE id=?", seat)


def last_in_queue(view: View, seat: str) -> int:
    """The number of the newest message that ever stood in the seat's queue, 0 without one."""
    return view.number(
        "SELECT message FROM involved WHERE seat=(SELECT number FROM seat WHERE id=?) AND role=0"
        " ORDER BY message DESC LIMIT 1",
        seat,
    )


def tasks_since(view: View, seat: str, first: int) -> tuple[tuple[int, bool], ...]:
    """From one number on, oldest first, the seat's tasks and whether each is unfinished."""
    found = view.rows(
        "SELECT message, state IN ('open', 'accepted') FROM task"
        " WHERE holder=? AND message>=? ORDER BY message",
        seat,
        first,
    )
    return tuple((number, bool(unfinished)) for number, unfinished in found)


def dismissable(view: View, seat: str) -> tuple[int, ...]:
    """Messages whose intents a person can dismiss: pending, failed or in `terminal_hold` (R14)."""
    found = view.rows(
        "SELECT message FROM intent WHERE seat=?"
        " AND state IN ('pending', 'failed', 'terminal_hold') ORDER BY message",
        seat,
    )
    return tuple(row[0] for row in found)


def leased_message(view: View, seat: str, now: Moment) -> int | None:
    """The message under the seat's live lease, None without one (W27)."""
    row = view.row(
        "SELECT message, since_utc, since_boot, since_ms, run_ms FROM lease"
        " WHERE seat=? AND over IS NULL",
        seat,
    )
    if row is None or not left_ms(Moment(*row[1:4]), row[4], now):
        return None
    return int(row[0])


def events(view: View, after: int, upto: int | None = None) -> tuple[dict[str, Any], ...]:
    """What changed the roster after one revision, oldest first: rev, at, by, via, seat, op (R9)."""
    last = view.rev if upto is None else upto
    found = _events(view, " WHERE rev > ? AND rev <= ? ORDER BY rev, n", after, last)
    return tuple(event for event in found if event["op"]["op"] not in OF_ONE_SEAT)


def history(view: View, seat: str) -> tuple[dict[str, Any], ...]:
    """Everything that ever happened to one seat, tombstones included, as `events` gives it (R5)."""
    return _events(view, " WHERE seat=? ORDER BY rev, n", seat)


def _events(view: View, where: str, *values: Any) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"rev": rev, "at": at, "by": by, "via": via, "seat": seat, "op": orjson.loads(op)}
        for rev, at, by, via, seat, op in view.rows(_EVENT + where, *values)
    )


def _seat(row: tuple[Any, ...]) -> Seat:
    away = None if row[10] is None else Away(row[10], row[11], row[12])
    return Seat(
        seat=row[0],
        name=row[1],
        kind=row[2],
        host=row[3],
        roles=tuple(orjson.loads(row[4])),
        status=row[5],
        visibility=row[6],
        unread=row[7],
        open_tasks=row[8],
        cursor=row[9],
        mode="wake_enabled" if row[16] else "queue_only",
        window=None if row[2] == "user" else row[17] or "closed",
        away=away,
        joined=row[13],
        revision=row[14],
        next_due=row[15],
    )
