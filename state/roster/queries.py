"""What the roster looks like: seats, their counts, what happened to them."""

from dataclasses import dataclass
from typing import Any

import orjson

from state.errors import NotFound
from state.index.view import View

USER_SHOWN = "you"


@dataclass(frozen=True, slots=True)
class Away:
    """M15: until when (UTC), why, and who said so."""

    until: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Seat:
    """One participant. `unread` means after the seat's cursor and nothing more (M11).

    `revision` is that of the entity `seat:ID`; `next_due` the number of the oldest unread message.
    `mode` is `queue_only` as long as no wake policy is enabled (R16).
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
    " (SELECT count(*) FROM task WHERE holder=id AND state IN ('open', 'accepted')),"
    " cursor, away_until, away_reason, away_by, joined,"
    " (SELECT rev FROM entity e WHERE e.name='seat:' || seat.id),"
    " CASE WHEN queued > passed THEN (SELECT message FROM involved"
    " WHERE seat=id AND message > cursor AND n IS NOT NULL ORDER BY message LIMIT 1) END"
    " FROM seat"
)


def seats(view: View) -> tuple[Seat, ...]:
    """Every seat, the user first, then in the order in which they first joined."""
    order = " ORDER BY kind != 'user', (SELECT min(rev) FROM roster_event r WHERE r.seat=id), id"
    return tuple(_seat(row) for row in view.rows(_SELECT + order))


def find(view: View, seat: str) -> Seat | None:
    """One seat, active or not; None for an id that never was."""
    row = view.row(_SELECT + " WHERE id=?", seat)
    return None if row is None else _seat(row)


def get(view: View, seat: str) -> Seat:
    """One seat. NotFound with the ids there are."""
    found = find(view, seat)
    if found is None:
        known = ", ".join(row[0] for row in view.rows("SELECT id FROM seat ORDER BY id LIMIT 12"))
        raise NotFound(f"there is no seat {seat!r}", f"seats here: {known}")
    return found


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


def events(view: View, after: int, upto: int | None = None) -> tuple[dict[str, Any], ...]:
    """What happened to seats after one revision, oldest first: rev, at, by, via, seat, op."""
    found = view.rows(
        "SELECT rev, at, by, via, seat, op FROM roster_event WHERE rev > ? AND rev <= ?"
        " ORDER BY rev, n",
        after,
        view.rev if upto is None else upto,
    )
    return tuple(
        {"rev": rev, "at": at, "by": by, "via": via, "seat": seat, "op": orjson.loads(op)}
        for rev, at, by, via, seat, op in found
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
        mode="queue_only",
        window="closed" if row[2] == "agent" else None,
        away=away,
        joined=row[13],
        revision=row[14],
        next_due=row[15],
    )
