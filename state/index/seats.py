"""The few rows of seats that stay in memory while lines are folded."""

import sqlite3
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class SeatRow:
    """One row of the table `seat`, in the order of its columns.

    `queued` counts what was ever put into the seat's queue, `passed` how many of these its cursor
    has passed: unread is the difference, and nothing else counts it (fault 50).
    """

    id: str
    kind: str
    name: str
    host: str
    roles: str
    status: str = "active"
    visibility: str = "visible"
    joined: int = 0
    cursor: int = 0
    passed: int = 0
    queued: int = 0
    away_until: str | None = None
    away_reason: str | None = None
    away_by: str | None = None
    changed: bool = True

    def values(self) -> tuple[Any, ...]:
        """The row as it is stored."""
        return tuple(getattr(self, name) for name in SEAT_COLUMNS)


SEAT_COLUMNS = tuple(name for name in SeatRow.__slots__ if name != "changed")


def load_seats(connection: sqlite3.Connection) -> dict[str, SeatRow]:
    """Every seat of the index by its id, in the order in which they joined."""
    columns = ",".join(SEAT_COLUMNS)
    rows = connection.execute(f"SELECT {columns} FROM seat ORDER BY joined, id")
    seats = {row[0]: SeatRow(*row) for row in rows}
    for seat in seats.values():
        seat.changed = False
    return seats
