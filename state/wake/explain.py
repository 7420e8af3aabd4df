"""Why was the seat woken for a message, or why not: one outcome for each, from the journal alone.

An outcome is the state of the message's intent or one of `WITHOUT_INTENT`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from state.clock import Moment
from state.index.names import FILED, QUEUED
from state.index.view import View
from state.messages import openings
from state.roster import queries as roster
from state.wake.due import by_time
from state.wake.model import SeatWake

# No window was open; it drained before a scan looked; it is on hold; the next scan looks; a scan
# passed it over; it was imported and never wakes (M16).
WITHOUT_INTENT = ("no_window", "draining", "hold", "not_scanned", "passed_over", "imported")

_NUMBER = "(SELECT number FROM seat WHERE id=?)"
_OWN = (
    "SELECT m.id, m.sender, m.recipients, m.kind, m.title, m.reply_to, m.at,"
    " m.imported, i.id, i.state, coalesce(i.reason, ''), p.reason"
    " FROM involved v JOIN message m ON m.id=v.message"
    " LEFT JOIN intent i ON i.seat=? AND i.message=v.message"
    " LEFT JOIN passed p ON p.seat=? AND p.message=v.message"
    f" WHERE v.seat={_NUMBER} AND v.role=? AND v.message<? ORDER BY v.message DESC LIMIT ?"
)
# Of several changes in one line that which it ends in comes first.
_CHANGE = (
    "SELECT number, state, reason FROM window_change WHERE seat=? AND rev<?"
    " ORDER BY rev DESC, CASE state WHEN 'closed' THEN 0 WHEN 'hold' THEN 1 WHEN 'draining' THEN 2"
    " ELSE 3 END LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Explained:
    """One message to a seat and what became of the wish to wake the seat for it.

    `reason` is one word for `outcome`; `evidence` is that of a verified receipt, and `waits_for`
    the message that must be acknowledged before the verified one counts as such (W20). `opening`
    is how the text of a message without a title begins.
    """

    message: int
    sender: str
    kind: str
    title: str
    reply_to: int | None
    opening: str
    at: str
    outcome: str
    reason: str
    intent: str | None
    evidence: Mapping[str, Any] | None = None
    waits_for: int | None = None


def explain(
    view: View, seat: str, now: Moment, limit: int, before: int | None = None
) -> tuple[Explained, ...]:
    """The newest messages to a seat with a policy, newest first, those older than `before`."""
    wake = by_time(view, seat, now).wake
    upto = view.rev + 1 if before is None else before
    rows = [
        row
        for role in (QUEUED, FILED)
        for row in view.rows(_OWN, seat, seat, seat, role, upto, limit)
        if role == QUEUED or seat in orjson.loads(row[2])
    ]
    rows.sort(reverse=True)
    return tuple(_explained(view, seat, wake, row) for row in rows[:limit])


def explain_one(view: View, seat: str, number: int, now: Moment) -> Explained | None:
    """The outcome of one message; None for one to others, or to a seat without a policy."""
    if view.row("SELECT 1 FROM policy WHERE seat=?", seat) is None:
        return None
    found = explain(view, seat, now, 1, number + 1)
    return found[0] if found and found[0].message == number else None


def _explained(view: View, seat: str, wake: SeatWake, row: Sequence[Any]) -> Explained:
    number, sender, _, kind, title, reply_to, at, imported, intent, state, reason, passed = row
    evidence = waits = None
    if imported:
        outcome, reason = "imported", ""
    elif intent is not None:
        own = wake.intent(number)
        outcome, reason = (state, reason) if own is None else (own.state, own.reason)
        if outcome == "sent_and_verified":
            evidence, waits = _evidence(view, seat, number), _waits_for(view, seat, number)
    elif passed is not None:
        outcome, reason = "passed_over", passed
    else:
        outcome, reason = _unlooked(view, seat, wake, number)
    return Explained(
        message=number,
        sender=sender,
        kind=kind,
        title=title,
        reply_to=reply_to,
        opening="" if title else openings.of(view, number),
        at=at,
        outcome=outcome,
        reason=reason,
        intent=intent,
        evidence=evidence,
        waits_for=waits,
    )


def _unlooked(view: View, seat: str, wake: SeatWake, number: int) -> tuple[str, str]:
    """W8, W12: a message that no scan has looked at, by the window that was open when it came."""
    row = view.row(_CHANGE, seat, number)
    if row is None or row[1] == "closed":
        return "no_window", ""
    window = wake.window
    if row[1] == "draining":
        return "draining", row[2]
    if window is None or window.number != row[0]:
        return "draining", _drained(view, row[0])
    if window.state == "active":
        return "not_scanned", ""
    if window.state == "hold" and window.origin != "draining":
        return "hold", window.cause
    return "draining", window.reason


def _drained(view: View, number: int) -> str:
    row = view.row("SELECT coalesce(reason, '') FROM window WHERE number=?", number)
    return "" if row is None else str(row[0])


def _evidence(view: View, seat: str, number: int) -> Mapping[str, Any] | None:
    row = view.row(
        "SELECT evidence FROM receipt WHERE lease IN (SELECT id FROM lease WHERE seat=?"
        " AND message=?) AND outcome='sent_and_verified' AND code IS NULL",
        seat,
        number,
    )
    found: Mapping[str, Any] | None = None if row is None else orjson.loads(row[0])
    return found


def _waits_for(view: View, seat: str, number: int) -> int | None:
    found = roster.get(view, seat)
    return found.next_due if number > found.cursor else None
