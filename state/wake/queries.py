"""What stands in the journal of wakes: messages to look at, intents and leases by id, receipts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from state.errors import NotFound
from state.index.names import QUEUED
from state.index.view import View
from state.wake.discovery import AT_ONCE, Candidate
from state.wake.load import lease_of
from state.wake.model import Lease, Window
from state.wake.receipts import SeenReply


def candidates(view: View, seat: str, window: Window) -> tuple[Candidate, ...]:
    """W8, W11: the oldest messages in the seat's queue that this window hasn't looked at yet."""
    found = view.rows(
        "SELECT m.id, m.sender, m.kind, m.urgent, m.addressing, m.hops,"
        " EXISTS (SELECT 1 FROM reply r WHERE r.parent=m.id AND r.sender=?),"
        " EXISTS (SELECT 1 FROM closed c WHERE c.seat=? AND m.id BETWEEN c.first AND c.last)"
        " FROM involved i JOIN message m ON m.id=i.message"
        " WHERE i.seat=(SELECT number FROM seat WHERE id=?) AND i.role=? AND i.message>?"
        " ORDER BY i.message LIMIT ?",
        *(seat, seat, seat, QUEUED, window.through, AT_ONCE),
    )
    return tuple(
        Candidate(
            number, sender, kind, bool(urgent), addressing, hops, bool(answered), bool(closed)
        )
        for number, sender, kind, urgent, addressing, hops, answered, closed in found
    )


@dataclass(frozen=True, slots=True)
class IntentRow:
    """An intent, with the title and sender of its message."""

    intent: str
    seat: str
    message: int
    window: int
    state: str
    reason: str
    attempts: int
    at: str
    title: str
    sender: str


@dataclass(frozen=True, slots=True)
class LeaseRow:
    """A lease as it was granted. `over` is how it ended, None until a line says so."""

    seat: str
    intent: str
    window: int
    lease: Lease
    over: str | None
    reason: str
    over_at: str | None


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """A receipt, taken or refused: a refused one has a `code` and a `reason`.

    `seat` and `message` are those of its lease, None where that isn't known here.
    """

    rev: int
    lease: str
    seat: str | None
    message: int | None
    outcome: str
    exit_code: int | None
    evidence: Mapping[str, Any] | None
    code: str | None
    reason: str | None
    at: str
    by: str
    via: str


_INTENT = (
    "SELECT i.id, i.seat, i.message, i.window, i.state, coalesce(i.reason, ''), i.attempts, i.at,"
    " m.title, m.sender FROM intent i JOIN message m ON m.id=i.message"
)
_LEASE = (
    "SELECT id, message, attempt, consumer, fingerprint, rev, granted_utc, granted_boot,"
    " granted_ms, since_utc, since_boot, since_ms, run_ms, seat, intent, window, over,"
    " coalesce(reason, ''), over_utc FROM lease"
)
_RECEIPT = (
    "SELECT rev, lease, seat, message, outcome, exit_code, evidence, code, reason, at, by, via"
    " FROM receipt"
)
_OF_SEAT = "(seat=? OR (seat IS NULL AND by=?))"


def intents(view: View, seat: str | None = None, limit: int = -1) -> tuple[IntentRow, ...]:
    """Intents, newest first, of one seat or of all."""
    where = "" if seat is None else " WHERE i.seat=?"
    values = () if seat is None else (seat,)
    found = view.rows(_INTENT + where + " ORDER BY i.message DESC LIMIT ?", *values, limit)
    return tuple(IntentRow(*row) for row in found)


def intent(view: View, given: str) -> IntentRow:
    """One intent by its id. NotFound."""
    row = view.row(_INTENT + " WHERE i.id=?", given)
    if row is None:
        raise NotFound(f"there is no intent {given!r}", "`wake intent list` shows what there is")
    return IntentRow(*row)


def leases(view: View, seat: str | None = None, limit: int = -1) -> tuple[LeaseRow, ...]:
    """Leases, newest first, of one seat or of all."""
    where = "" if seat is None else " WHERE seat=?"
    values = () if seat is None else (seat,)
    found = view.rows(_LEASE + where + " ORDER BY rev DESC LIMIT ?", *values, limit)
    return tuple(_lease_row(row) for row in found)


def find_lease(view: View, given: str) -> LeaseRow | None:
    """One lease by its id."""
    row = view.row(_LEASE + " WHERE id=?", given)
    return None if row is None else _lease_row(row)


def lease(view: View, given: str) -> LeaseRow:
    """One lease by its id. NotFound."""
    found = find_lease(view, given)
    if found is None:
        raise NotFound(f"there is no lease {given!r}", "`wake show SEAT` shows those there are")
    return found


def receipts(view: View, seat: str | None = None, limit: int = -1) -> tuple[ReceiptRow, ...]:
    """Receipts, refused ones too, newest first, of one seat or of all.

    A seat's are those for its leases, and those that it brought for a lease that isn't known here.
    """
    where = "" if seat is None else f" WHERE {_OF_SEAT}"
    values = () if seat is None else (seat, seat)
    found = view.rows(_RECEIPT + where + " ORDER BY rev DESC LIMIT ?", *values, limit)
    return tuple(_receipt_row(row) for row in found)


def newest_receipts(view: View, seat: str, limit: int) -> tuple[ReceiptRow, ...]:
    """The newest taken and the newest refused ones of a seat, at most so many of each.

    However many are refused, they hide none that proved something. Newest first.
    """
    found = [
        row
        for code in ("NULL", "NOT NULL")
        for row in view.rows(
            f"{_RECEIPT} WHERE {_OF_SEAT} AND code IS {code} ORDER BY rev DESC LIMIT ?",
            *(seat, seat, limit),
        )
    ]
    return tuple(_receipt_row(row) for row in sorted(found, key=lambda row: row[0], reverse=True))


def closing_receipts(view: View, seat: str, limit: int = -1) -> tuple[Mapping[str, Any], ...]:
    """W12: the closing receipts of a seat's windows, newest first, as operations."""
    found = view.rows(
        "SELECT receipt FROM window WHERE seat=? AND receipt IS NOT NULL"
        " ORDER BY number DESC LIMIT ?",
        seat,
        limit,
    )
    return tuple(orjson.loads(row[0]) for row in found)


def jumps(view: View, limit: int) -> tuple[tuple[int, str, int], ...]:
    """W14: jumps of the clock, newest first: line, time, milliseconds ahead (or back, below 0)."""
    found = view.rows("SELECT rev, at, by_ms FROM clock_jump ORDER BY rev DESC LIMIT ?", limit)
    return tuple((rev, at, by_ms) for rev, at, by_ms in found)


def reply(view: View, number: int) -> SeenReply:
    """W20: what the journal says of a message that was named as evidence."""
    row = view.row("SELECT sender, reply_to FROM message WHERE id=? AND NOT imported", number)
    return SeenReply(number, None, None) if row is None else SeenReply(number, row[0], row[1])


def _lease_row(row: tuple[Any, ...]) -> LeaseRow:
    return LeaseRow(row[13], row[14], row[15], lease_of(row), row[16], row[17], row[18])


def _receipt_row(row: tuple[Any, ...]) -> ReceiptRow:
    return ReceiptRow(
        rev=row[0],
        lease=row[1],
        seat=row[2],
        message=row[3],
        outcome=row[4],
        exit_code=row[5],
        evidence=None if row[6] is None else orjson.loads(row[6]),
        code=row[7],
        reason=row[8],
        at=row[9],
        by=row[10],
        via=row[11],
    )
