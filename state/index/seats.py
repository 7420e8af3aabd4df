"""The rows of seats that stay in memory while lines are folded."""

import sqlite3
from typing import Any

from state.index.schema import TABLES

COLUMNS = TABLES["seat"].names()


class SeatRow:
    """One row of the table `seat`, and whether it has changed since it was read or written.

    `queued` counts what was ever put into the seat's queue, `passed` how many of these its cursor
    has passed: unread is the difference, and nothing else counts it (fault 50).
    """

    __slots__ = (*COLUMNS, "changed")

    id: str
    number: int
    kind: str
    name: str
    host: str
    roles: str
    status: str
    visibility: str
    joined: int
    cursor: int
    queued: int
    passed: int
    sent: int
    listed: int
    live_tasks: int
    away_until: str | None
    away_reason: str | None
    away_by: str | None
    changed: bool

    def __init__(self, *values: Any, changed: bool) -> None:
        for name, value in zip(COLUMNS, values, strict=True):
            setattr(self, name, value)
        self.changed = changed

    def values(self) -> tuple[Any, ...]:
        """The row as it is stored."""
        return tuple([getattr(self, name) for name in COLUMNS])


class Seats:
    """The seats that lines speak of, each read when it is first needed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: dict[str, SeatRow] = {}

    def to_change(self, seat: str) -> SeatRow:
        """The row of a seat, which the caller is going to change. KeyError for an unknown id."""
        row = self._rows.get(seat)
        if row is None:
            row = self._rows[seat] = self._read(seat)
        row.changed = True
        return row

    def add(self, seat: str, number: int, **values: Any) -> None:
        """A seat that never was before."""
        blank = dict.fromkeys(COLUMNS, 0) | dict.fromkeys(COLUMNS[-3:])
        known = {"id": seat, "number": number, "status": "active", "visibility": "visible"}
        self._rows[seat] = SeatRow(*(blank | known | values).values(), changed=True)

    def changed(self) -> list[tuple[Any, ...]]:
        """The rows that were changed since this was last asked."""
        found = []
        for row in self._rows.values():
            if row.changed:
                row.changed = False
                found.append(row.values())
        return found

    def _read(self, seat: str) -> SeatRow:
        found = self._connection.execute("SELECT * FROM seat WHERE id=?", (seat,)).fetchone()
        if found is None:
            raise KeyError(seat)
        return SeatRow(*found, changed=False)
