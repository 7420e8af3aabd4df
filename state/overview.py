"""What the first screen and `status` say, from one view: one place counts, so all agree."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from state import looked
from state.clock import Moment
from state.index.view import View
from state.looked import Look
from state.needs import Need, needs
from state.roster import queries
from state.roster.queries import Seat
from state.wake.overview import Wakes, wakes

if TYPE_CHECKING:
    from state.wake.shown import Shown


class Overview(NamedTuple):
    """The project at `rev`; `roster` is the roster's revision, `looks` the hints that are known.

    The state of each seat's window is the one that the time has made it (W27).

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
    wakes: Wakes
    messages: int


def overview(view: View, now: Moment, *, damaged: bool = False) -> Overview:
    """Everything that the first screen shows; `damaged` where the journal doesn't verify."""
    awake = wakes(view, view.paths, damaged=damaged)
    shown = awake.shown(now)
    seats = tuple(by_time(seat, shown) for seat in queries.seats(view))
    agents = tuple(seat.seat for seat in seats if seat.kind == "agent")
    looks = looked.read_all(view.paths, agents)
    hidden = [seat for seat in seats if seat.visibility == "hidden" and seat.status == "active"]
    waiting = needs(view, seats, looks, shown, now.utc)
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
        wakes=awake,
        messages=int(view.meta("messages")),
    )


def by_time(seat: Seat, shown: "Mapping[str, Shown]") -> Seat:
    """The seat with its window's state as the time has made it."""
    one = shown.get(seat.seat)
    return seat if one is None else seat._replace(window=one.state)


def in_doubt(seen: Overview) -> Overview:
    """The same of a journal that was found not to verify: its open windows are on hold (W13)."""
    return seen._replace(wakes=seen.wakes._replace(damaged=True))
