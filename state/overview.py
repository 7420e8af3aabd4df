"""What the first screen and `status` say, from one view: one place counts, so all agree."""

from collections.abc import Mapping
from dataclasses import dataclass

from state import looked
from state.clock import Moment
from state.index.view import View
from state.looked import Look
from state.needs import Need, needs
from state.roster import queries
from state.roster.queries import Seat


@dataclass(frozen=True, slots=True)
class Overview:
    """The project at `rev`; `roster` is the roster's revision, `looks` the hints that are known.

    `needs` are the first of `needs_total`; `hidden_seats` and `hidden_unread` are what R6 asks to
    be told always.
    """

    project: str
    name: str
    rev: int
    at: str
    roster: int
    seats: tuple[Seat, ...]
    hidden_seats: int
    hidden_unread: int
    needs: tuple[Need, ...]
    needs_total: int
    looks: Mapping[str, Look]
    messages: int


def overview(view: View, now: Moment) -> Overview:
    """Everything that the first screen shows."""
    seats = queries.seats(view)
    agents = tuple(seat.seat for seat in seats if seat.kind == "agent")
    looks = looked.read_all(view.paths, agents)
    hidden = [seat for seat in seats if seat.visibility == "hidden" and seat.status == "active"]
    waiting = needs(view, seats, looks, now.utc)
    return Overview(
        project=view.head.project,
        name=view.meta("name"),
        rev=view.rev,
        at=view.meta("at"),
        roster=queries.revision(view),
        seats=seats,
        hidden_seats=len(hidden),
        hidden_unread=sum(seat.unread for seat in hidden),
        needs=waiting.first,
        needs_total=waiting.total,
        looks=looks,
        messages=int(view.meta("messages")),
    )
