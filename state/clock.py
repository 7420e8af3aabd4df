"""The clock that decisions are given. UTC strings with microseconds, nothing else, are stored."""

import re
from datetime import UTC, datetime
from typing import Protocol

TIMESTAMP = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}\+00:00",
    re.ASCII,
)


class Clock(Protocol):
    def now(self) -> str:
        """The time as `2026-11-30T10:00:00.123456+00:00`."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> str:
        return stamp(datetime.now(UTC))


def stamp(moment: datetime) -> str:
    """An aware time as it is stored: UTC, always six digits of a second."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def parse(text: str) -> datetime:
    """A stored time. ValueError for anything that isn't exactly of the stored form."""
    if not TIMESTAMP.fullmatch(text):
        raise ValueError(f"not a stored time: {text!r}")
    return datetime.fromisoformat(text)


def seconds_between(earlier: str, later: str) -> float:
    """Seconds from one stored time to another, negative when the clock went back."""
    return (parse(later) - parse(earlier)).total_seconds()
