"""What the first screen asks besides the picture that all screens share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from state import looked
from state.errors import NotFound
from state.index.view import View
from state.roster import queries as roster
from state.roster.queries import Seat

if TYPE_CHECKING:
    from state.clock import Moment
    from state.command import Action
    from state.messages.listing import MessageRow
    from state.messages.queries import Message
    from state.messages.tasks import Task
    from state.routing.layers import RequestLayers

# What these questions need is loaded by the first of them, after the first frame.

TASKS_AT_MOST = 20


class SeatDetail(NamedTuple):
    """One seat at `rev`: the message due next, its live tasks, and what may be done with it.

    `request` is the newest one that a host's adapter reported for the seat, in its four layers.
    `roster` is the roster's revision then, which a change made from here carries (R9).
    """

    rev: int
    roster: int
    seat: Seat
    next_due: Message | None
    tasks: tuple[Task, ...]
    actions: Mapping[str, Action]
    request: RequestLayers | None


class Beside(NamedTuple):
    """The seat that is looked at, None when there is no such seat, and the newest messages."""

    rev: int
    detail: SeatDetail | None
    recent: tuple[MessageRow, ...]


def beside(view: View, seat: str | None, newest: int, now: Moment) -> Beside:
    """Everything at one revision, so that no part contradicts another."""
    from state.messages import listing, openings
    from state.messages.filters import Filter

    found = None if seat is None else seat_detail(view, seat, now)
    recent = openings.with_openings(view, listing.page(view, Filter(), 0, newest))
    return Beside(view.rev, found, recent)


def seat_detail(view: View, seat: str, now: Moment) -> SeatDetail | None:
    """One seat with what it is about to do; None for an id that never was."""
    from state.messages import tasks
    from state.roster.actions import seat_actions
    from state.wake.overview import window_by_time

    found = roster.find(view, seat)
    if found is None:
        return None
    held = (tasks.find(view, number, seat) for number in _some_tasks(view, seat))
    actions = seat_actions(view, seat, now, window=window_by_time(view, found, now))
    return SeatDetail(
        view.rev,
        roster.revision(view),
        found,
        None if found.next_due is None else _message(view, found.next_due, seat),
        tuple(task for task in held if task is not None),
        {action.name: action for action in actions},
        _request(view, seat),
    )


def _request(view: View, seat: str) -> RequestLayers | None:
    from state.routing import requests

    if not requests.any_of_seat(view, seat):
        return None
    from panel.asks.skills import last_of_seat

    return last_of_seat(view, seat)


def _some_tasks(view: View, seat: str) -> tuple[int, ...]:
    return roster.live_tasks(view, seat)[:TASKS_AT_MOST]


def _message(view: View, number: int, seat: str) -> Message | None:
    from state.messages import queries

    try:
        return queries.get(view, number, looked.read_all(view.paths, (seat,)))
    except NotFound:
        return None
