"""Every message to a seat with the answer to why it was woken or not, by pages of any list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from panel.asks.wake import worked_out
from state.clock import Moment
from state.index.names import FILED, QUEUED
from state.index.view import View
from state.messages.lists import Known, List, Part
from state.wake import queries
from state.wake.due import by_time
from state.wake.explain import Explained, explain
from state.wake.queries import IntentRow


@dataclass(frozen=True, slots=True)
class Addressed:
    """How many messages to a seat there are at `rev`, and where one of them stands.

    Positions count from the oldest, so that new messages change none.
    """

    rev: int
    count: int
    position: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Why:
    """One message to the seat: the answer, and its intent if it became one.

    `explained` is None for an imported one that was filed without being addressed to the seat.
    """

    message: int
    explained: Explained | None
    intent: IntentRow | None


def addressed(seat: str, message: int | None) -> Callable[[View, Moment], Addressed]:
    """How long the list is, and where the message stands in it."""

    def ask(view: View, _: Moment) -> Addressed:
        listed = _listed(view, seat)
        count = listed.count()
        place = None if message is None else listed.place(message)
        return Addressed(view.rev, count, None if place is None else count - 1 - place)

    return ask


def page(
    seat: str, first: int, size: int, known: Addressed
) -> Callable[[View, Moment], Sequence[Why]]:
    """The answers at the positions from `first` on."""

    def ask(view: View, now: Moment) -> Sequence[Why]:
        listed = _listed(view, seat)
        count = known.count if view.rev == known.rev else listed.count()
        newest = count - first - size
        numbers = listed.page(max(newest, 0), size + min(newest, 0))
        if not numbers:
            return ()
        wake = by_time(view, seat, now).wake
        found = {one.message: one for one in explain(view, seat, now, size, numbers[0] + 1)}
        made = []
        for number in reversed(numbers):
            one = found.get(number)
            intent = None
            if one is not None and one.intent is not None:
                intent = worked_out(queries.intent(view, one.intent), wake)
            made.append(Why(number, one, intent))
        return made

    return ask


def _listed(view: View, seat: str) -> List:
    """The messages to a seat, newest first, as pages and places."""
    row = view.row("SELECT number FROM seat WHERE id=?", seat)
    number = -1 if row is None else row[0]
    parts = tuple(
        Part("involved", "message", "seat=? AND role=?", (number, role)) for role in (QUEUED, FILED)
    )
    return List(view, parts, view.memo.setdefault(("addressed", seat), Known()))
