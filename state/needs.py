"""The one function behind "Needs you": what waits for the person, each with its age (M14, R15)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from state.clock import seconds_between
from state.command import USER
from state.index.view import View
from state.looked import Look
from state.roster.decide import is_away
from state.roster.queries import Seat

DUE_SECONDS = 15 * 60
DUE_SECONDS_URGENT = 5 * 60


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that needs the person.

    `kind` is `question`, `task`, `result` or `due`; `id` the message it is about; `text` its
    title; `since` when it began to wait. `hidden`: the seat is hidden, and is shown all the same.
    """

    kind: str
    seat: str
    id: int
    since: str
    text: str
    hidden: bool


def needs(
    view: View, seats: Sequence[Seat], looks: Mapping[str, Look], now: str
) -> tuple[Need, ...]:
    """Everything that needs the person, the longest wait first."""
    hidden = {seat.seat for seat in seats if seat.visibility == "hidden"}
    found = [
        *_questions(view, hidden),
        *_tasks(view, hidden),
        *_results(view, hidden),
        *_due(view, seats, looks, now),
    ]
    return tuple(sorted(found, key=lambda need: (need.since, need.id)))


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


def _questions(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows(
        "SELECT m.sender, m.id, m.at, m.title FROM involved i JOIN message m ON m.id=i.message"
        " WHERE i.seat=? AND i.n IS NOT NULL AND m.kind='question'"
        " AND i.message > (SELECT cursor FROM seat WHERE id=?)"
        " AND NOT EXISTS (SELECT 1 FROM reply r JOIN message a ON a.id=r.child"
        " WHERE r.parent=m.id AND a.sender=?)",
        *(USER, USER, USER),
    )
    return [Need("question", row[0], row[1], row[2], row[3], row[0] in hidden) for row in found]


def _tasks(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows(
        "SELECT t.author, t.message, t.since, m.title FROM task t JOIN message m ON m.id=t.message"
        " WHERE t.holder=? AND t.state='open'",
        USER,
    )
    return [Need("task", row[0], row[1], row[2], row[3], row[0] in hidden) for row in found]


def _results(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows(
        "SELECT m.sender, m.id, m.at, m.title FROM involved i JOIN message m ON m.id=i.message"
        " JOIN task t ON t.message=m.reply_to AND t.holder=m.sender"
        " WHERE i.seat=? AND i.n IS NOT NULL AND m.kind='result'"
        " AND i.message > (SELECT cursor FROM seat WHERE id=?)"
        " AND (t.state='declined' OR (t.state='done' AND t.evidence LIKE '%\"none\"%'))",
        *(USER, USER),
    )
    return [Need("result", row[0], row[1], row[2], row[3], row[0] in hidden) for row in found]


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
