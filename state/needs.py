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
        *_waiting(view, hidden),
        *_tasks(view, hidden),
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


def _waiting(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows("SELECT kind, seat, message, at, title FROM waiting WHERE open=1")
    return [
        Need(kind, seat, number, since, title, seat in hidden)
        for kind, seat, number, since, title in found
    ]


def _tasks(view: View, hidden: set[str]) -> list[Need]:
    found = view.rows(
        "SELECT author, message, since, title FROM task WHERE holder=? AND state='open'", USER
    )
    return [
        Need("task", author, number, since, title, author in hidden)
        for author, number, since, title in found
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
