"""Rows on their way into the index: gathered line by line, written table by table.

Nothing is read back from a table within a batch but what stands here, so that a million lines
are folded by a few large statements.
"""

import sqlite3
from itertools import chain
from typing import Any

from state.index.kept import Kept
from state.index.names import ALL, STEP
from state.index.schema import TABLES
from state.index.seats import SeatRow, Seats
from state.journal.line import Line

# Rows that are changed were inserted by an earlier line, an end never comes before an acceptance,
# and what a seat closes or passes is older than that line: so each kind of change can be written
# as one step, in this order.
STATEMENTS = {
    **{
        name: f"INSERT OR REPLACE INTO {name} VALUES({','.join('?' * len(table.columns))})"
        for name, table in TABLES.items()
    },
    "task_accepted": "UPDATE task SET state='accepted', rev=?, since=?, accepted=?, by=holder"
    " WHERE message=? AND holder=?",
    "task_ended": "UPDATE task SET state=?, rev=?, since=?, by=?, proof=?, evidence=?, reason=?"
    " WHERE message=? AND holder=?",
    "tasks_closed": "UPDATE task SET state='cancelled', rev=?, since=?, by=?, reason=?"
    " WHERE holder=? AND message BETWEEN ? AND ? AND state IN ('open', 'accepted')",
    "question_answered": "UPDATE waiting SET open=0 WHERE message=? AND kind='question'",
    "waiting_passed": "UPDATE waiting SET open=0 WHERE message BETWEEN ? AND ?",
    "route_request_made": "INSERT INTO route_request SELECT ?,?,?,?,?,?,?,?,?,?,?,?"
    " WHERE NOT EXISTS (SELECT 1 FROM route_request WHERE id=?)",
    "route_request_seen": "UPDATE route_request SET last=?, last_at=?, known=max(known, ?),"
    " host=CASE WHEN ? OR host='' OR known=0 THEN ? ELSE host END,"
    " seat=CASE WHEN ? OR seat='' OR known=0 THEN ? ELSE seat END WHERE id=?",
    "route_chosen": "UPDATE route_request SET choice=?, first_choice=coalesce(first_choice, ?)"
    " WHERE id=?",
    "route_suggested": "UPDATE route_request SET suggestion=?, counted=CASE"
    " WHEN first_choice IS NULL OR first_choice > ? THEN ? ELSE counted END WHERE id=?",
}
# Long lists go in by statements of so many rows: half the time that it takes one by one. Older
# versions of SQLite allow 999 values in one.
AT_ONCE = 80
# Each of these rows may change many times; which one comes first matters.
KEPT = ("policy", "window", "intent", "lease", "clock")
MANY = {
    name: STATEMENTS[name] + f",({','.join('?' * len(TABLES[name].columns))})" * (AT_ONCE - 1)
    for name in ("line", "message", "involved", "ack", "reply")
}
META = TABLES["meta"].names()


class Batch:
    """Lists of rows by table or kind of change, the seats, and what `meta` says.

    The methods `put_…` take a row each. `ended` says of each task that ended in this batch whether
    it lacks what would prove it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.kept = Kept(connection, KEPT)
        self.rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in STATEMENTS}
        self.put_line = self.rows["line"].append
        self.put_message = self.rows["message"].append
        self.put_involved = self.rows["involved"].append
        self.put_reply = self.rows["reply"].append
        self.put_ack = self.rows["ack"].append
        self.put_milestone = self.rows["milestone"].append
        self.seats = Seats(connection)
        self.ended: dict[tuple[int, str], bool] = {}
        row = connection.execute("SELECT * FROM meta").fetchone()
        self.meta: dict[str, Any] = dict(zip(META, row, strict=True))
        self.line: Line | None = None

    def write(self) -> None:
        """Everything gathered goes into the index; the caller owns the transaction."""
        line = self.line
        if line is not None:
            end = line.offset + line.size
            place = {"rev": line.rev, "hash": line.hash, "segment": line.segment, "off": end}
            self.meta |= {**place, "at": line.ts}
        for name, rows in self.rows.items():
            if rows:
                self._put(name, rows)
                rows.clear()
        self.kept.write()
        self.connection.executemany(STATEMENTS["seat"], self.seats.changed())
        self.connection.execute(STATEMENTS["meta"], tuple(self.meta.values()))
        self.ended.clear()

    def count(self, message: int, kind: str, at: str) -> None:
        """One more message in the list of all, and in that of its kind."""
        meta = self.meta
        meta["last_message"] = message
        total = meta["messages"] = meta["messages"] + 1
        of_kind = meta[kind] = meta[kind] + 1
        if meta["earliest"] is None or at < meta["earliest"]:
            meta["earliest"] = at
        if meta["latest"] is None or at > meta["latest"]:
            meta["latest"] = at
        if not total % STEP:
            times = (meta["earliest"], meta["latest"])
            self.put_milestone((ALL, total // STEP, message, *times))
            meta["earliest"] = meta["latest"] = None
        if not of_kind % STEP:
            self.put_milestone((f"kind:{kind}", of_kind // STEP, message, None, None))

    def listed(self, seat: SeatRow, message: int) -> None:
        """One more message in the list of all that a seat has to do with."""
        seat.listed += 1
        if not seat.listed % STEP:
            self.put_milestone((f"seat:{seat.id}", seat.listed // STEP, message, None, None))

    def sent(self, seat: SeatRow, message: int) -> None:
        """One more message in the list of those that a seat sent."""
        seat.sent += 1
        if not seat.sent % STEP:
            self.put_milestone((f"sent:{seat.id}", seat.sent // STEP, message, None, None))

    def lacks_proof(self, message: int, holder: str) -> bool:
        """Whether a task was declined, or done without evidence."""
        known = self.ended.get((message, holder))
        if known is not None:
            return known
        row = self.connection.execute(
            "SELECT 1 FROM task WHERE message=? AND holder=?"
            " AND (state='declined' OR proof='none')",
            (message, holder),
        ).fetchone()
        return row is not None

    def _put(self, name: str, rows: list[tuple[Any, ...]]) -> None:
        one_by_one = 0
        if name in MANY:
            one_by_one = len(rows) - len(rows) % AT_ONCE
            for start in range(0, one_by_one, AT_ONCE):
                values = chain.from_iterable(rows[start : start + AT_ONCE])
                self.connection.execute(MANY[name], tuple(values))
        if one_by_one < len(rows):
            self.connection.executemany(STATEMENTS[name], rows[one_by_one:])
