"""Whether the user may do something to a seat's window now: asked of the rules' own functions.

They are loaded by the first question, which comes after the first frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from state.clock import Moment
from state.errors import Refused

if TYPE_CHECKING:
    from state.roster.queries import Seat
    from state.wake.model import SeatWake
    from state.wake.overview import Wakes

_SEATED: Mapping[str, bool] = {"active": True}


def by_time(wakes: Wakes, seat: Seat, project: str, now: Moment) -> SeatWake:
    """A seat as the time has made it, also one that never had a policy."""
    from state.wake.advance import due

    wake = wakes.seats.get(seat.seat)
    return without_policy(seat, project) if wake is None else due(wake, now, wakes.rev).wake


def without_policy(seat: Seat, project: str) -> SeatWake:
    """A seat that nobody ever set a policy for."""
    from state.wake.model import SeatWake

    return SeatWake(
        project=project,
        seat=seat.seat,
        is_active=_SEATED.get(seat.status, False),
        away_until=None,
        cursor=seat.cursor,
        policy=None,
        policy_hash="",
        enabled=False,
        policy_revision=0,
        window_revision=0,
        window=None,
        intents=(),
        waiting=(),
        passed=(),
        lease=None,
        ended=None,
        grants=(),
        registered=None,
    )


def hold_or_resume(wake: SeatWake) -> bool:
    """Whether the one key for both means resuming now."""
    return wake.state == "hold"


def refusal(name: str, wake: SeatWake) -> Refused | None:
    """Why the user can't do this to a seat's window or policy now, by the rules' own functions."""
    try:
        _may(name)(wake)
    except Refused as error:
        return error.with_traceback(None)
    return None


def refusal_of_all(wakes: Wakes, now: Moment) -> Refused | None:
    """Why no window at all can be held now."""
    from state.wake.advance import due
    from state.wake.window_commands import may_hold_all

    try:
        may_hold_all([due(wake, now, wakes.rev).wake for wake in wakes.seats.values()])
    except Refused as error:
        return error.with_traceback(None)
    return None


def _may(name: str) -> Callable[[SeatWake], object]:
    from state.wake import window, window_commands

    def hold(wake: SeatWake) -> object:
        return window.may_resume(wake) if hold_or_resume(wake) else window.may_hold(wake)

    def switch(wake: SeatWake) -> object:
        return (window_commands.may_disable if wake.enabled else window_commands.may_enable)(wake)

    known: Mapping[str, Callable[[SeatWake], object]] = {
        "arm": window.may_arm,
        "drain": window.may_drain,
        "hold": hold,
        "switch": switch,
    }
    return known[name]
