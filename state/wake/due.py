"""What is due by the time, as operations for one line of `system` (M13, W14, W27)."""

from collections.abc import Collection, Sequence

import orjson

from state.clock import Moment, offset_ms
from state.index.view import View
from state.wake.advance import Advanced, due
from state.wake.load import seat_wake
from state.wake.operations import ClockJumped

JUMP_MS = 2_000
# Bytes of one line after which no further seat is begun; one seat's fit into the rest.
ENOUGH = 8 * 1024


def due_ops(
    view: View, seats: Sequence[str], now: Moment, drifted: Collection[str] = ()
) -> tuple[object, ...]:
    """W27: the transitions of these seats that are due; seats without a window have none.

    As many as fit into a line: once they are written the rest comes.
    """
    ops: tuple[object, ...] = jumped(view, now)
    for seat in seats:
        if ops and len(orjson.dumps(ops)) > ENOUGH:
            break
        if view.row("SELECT 1 FROM policy WHERE seat=? AND window IS NOT NULL", seat):
            ops = (*ops, *by_time(view, seat, now, drifted).ops)
    return ops


def by_time(view: View, seat: str, now: Moment, drifted: Collection[str] = ()) -> Advanced:
    """W27: a seat as it is by the time, and what no line says of it yet."""
    return due(seat_wake(view, seat), now, view.rev, drifted)


def jumped(view: View, now: Moment) -> tuple[ClockJumped, ...]:
    """W14: whether the hands were turned since a line told of both clocks, by more than 2 s."""
    row = view.row("SELECT boot, offset_ms FROM clock")
    offset = offset_ms(now)
    if row is None or offset is None or row[0] != now.boot or abs(offset - row[1]) <= JUMP_MS:
        return ()
    return (ClockJumped(now, offset - row[1]),)
