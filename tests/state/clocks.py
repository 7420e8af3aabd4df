"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from state.clock import stamp

START = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class SetClock:
    """Gives the same time until it is moved, ahead or back."""

    def __init__(self, moment: datetime = START) -> None:
        self.moment = moment

    def now(self) -> str:
        """The time as it is stored."""
        return stamp(self.moment)

    def move(self, **by: float) -> str:
        """Moves it by hours, minutes, seconds …, and gives the time that it shows then."""
        self.moment += timedelta(**by)
        return self.now()
