"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from state.clock import Moment, stamp

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class SetClock:
    """Gives the same time until it is moved.

    `move` lets time pass, `set` turns the hands of the clock only, `boot` starts the machine anew.
    """

    def __init__(self, time: datetime = START) -> None:
        self.time = time
        self._boots = 1
        self._up = timedelta(hours=1)

    def now(self) -> str:
        """The time as it is stored."""
        return stamp(self.time)

    def moment(self) -> Moment:
        """The time as decisions are given it."""
        return Moment(self.now(), f"boot-{self._boots}", self._up // timedelta(milliseconds=1))

    def move(self, **by: float) -> str:
        """Lets hours, minutes, seconds … pass, and gives the time that it shows then."""
        self._up += timedelta(**by)
        return self.set(**by)

    def set(self, **by: float) -> str:
        """Turns the hands ahead or back while no time passes, and gives what it shows then."""
        self.time += timedelta(**by)
        return self.now()

    def boot(self) -> None:
        """The machine starts anew; the hands stay as they are."""
        self._boots += 1
        self._up = timedelta()
