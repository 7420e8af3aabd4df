"""Rows on their way into the index: gathered line by line, written table by table.

Nothing is read back from a table within a batch but what stands here, so that a million lines
are folded by a few large statements.
"""

import sqlite3
from typing import Any

from state.index.schema import ALL, STEP, TABLES
from state.index.seats import Seats

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
}
META = TABLES["meta"].names()


class Batch:
    """Lists of rows by table or kind of change, the seats, and the one row of `meta` as a dict.

    `ended` says of each task that ended in this batch whether it lacks what would prove it.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.seats = Seats(connection)
        self.meta = self._read_meta()
        self.rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in STATEMENTS}
        self.ended: dict[tuple[int, str], bool] = {}

    def write(self) -> None:
        """Everything gathered goes into the index; the caller owns the transaction."""
        self.rows["seat"] = self.seats.changed()
        self.rows["meta"] = [tuple(self.meta.values())]
        for name, rows in self.rows.items():
            if rows:
                self._connection.executemany(STATEMENTS[name], rows)
                rows.clear()
        self.ended.clear()

    def count(self, message: int, kind: str, at: str) -> None:
        """One more message in the list of all, and in that of its kind."""
        meta = self.meta
        meta["last_message"] = message
        meta["messages"] += 1
        meta[kind] += 1
        if meta["earliest"] is None or at < meta["earliest"]:
            meta["earliest"] = at
        if meta["latest"] is None or at > meta["latest"]:
            meta["latest"] = at
        if not meta["messages"] % STEP:
            n = meta["messages"] // STEP
            self.rows["milestone"].append((ALL, n, message, meta["earliest"], meta["latest"]))
            meta["earliest"] = meta["latest"] = None
        self.milestone(f"kind:{kind}", meta[kind], message)

    def milestone(self, name: str, count: int, message: int) -> None:
        """Notes where a list has got to, if it is time to."""
        if not count % STEP:
            self.rows["milestone"].append((name, count // STEP, message, None, None))

    def lacks_proof(self, message: int, holder: str) -> bool:
        """Whether a task was declined, or done without evidence."""
        known = self.ended.get((message, holder))
        if known is not None:
            return known
        row = self._connection.execute(
            "SELECT 1 FROM task WHERE message=? AND holder=?"
            " AND (state='declined' OR proof='none')",
            (message, holder),
        ).fetchone()
        return row is not None

    def _read_meta(self) -> dict[str, Any]:
        row = self._connection.execute("SELECT * FROM meta").fetchone()
        return dict(zip(META, row, strict=True))
