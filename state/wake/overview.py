"""What the first screen and `status` say of wakes: every seat with a policy, as it stands (W27)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from state.clock import Moment
from state.index.view import View
from state.paths import Paths
from state.roster.queries import Seat

# All this is loaded for the first seat with a policy: whoever has none doesn't wait for it.
if TYPE_CHECKING:
    from state.wake.model import SeatWake
    from state.wake.shown import Shown


class Wakes(NamedTuple):
    """Seats that a policy was ever set for, and when their windows were last scanned.

    `damaged`: the journal doesn't verify, so that every open window reads as on hold (W13).
    """

    rev: int
    seats: "Mapping[str, SeatWake]"
    scans: Mapping[str, Moment]
    damaged: bool = False

    @property
    def open_windows(self) -> int:
        """How many windows are open by the journal alone; time may have ended some since."""
        return sum(wake.open_window is not None for wake in self.seats.values())

    def shown(self, now: Moment) -> "dict[str, Shown]":
        """Each seat at one moment."""
        return {seat: self._shown(seat, wake, now) for seat, wake in self.seats.items()}

    def shown_of(self, seat: str, now: Moment) -> "Shown | None":
        """One seat at one moment, None for one that no policy was ever set for."""
        wake = self.seats.get(seat)
        return None if wake is None else self._shown(seat, wake, now)

    def _shown(self, seat: str, wake: "SeatWake", now: Moment) -> "Shown":
        from state.wake.shown import shown

        return shown(wake, now, self.rev, self.scans.get(seat), damaged=self.damaged)


def window_by_time(view: View, seat: Seat, now: Moment) -> str | None:
    """The state of a seat's window as the time has made it (W27); None for the user."""
    if seat.window in (None, "closed"):
        return seat.window
    from state.wake.due import by_time

    return by_time(view, seat.seat, now).wake.state


def wakes(view: View, paths: Paths, *, damaged: bool = False) -> Wakes:
    """Everything that has to be read; the rest is worked out from it and the clock."""
    if view.row("SELECT 1 FROM policy") is None:
        return Wakes(view.rev, {}, {}, damaged)
    from state.wake import scanned
    from state.wake.load import seat_wake, seats_with_policy

    found = {seat: seat_wake(view, seat) for seat in seats_with_policy(view)}
    hints = {
        seat: hint
        for seat, wake in found.items()
        if wake.open_window is not None and (hint := scanned.read(paths, seat)) is not None
    }
    return Wakes(view.rev, found, hints, damaged)
