"""From lines to rows: what each operation means for the index.

Only writes, in the order of the lines, so that a million lines are folded in batches; the few
rows of seats are kept in memory in between. The caller owns the SQLite transaction.
"""

import sqlite3
from typing import Any

import orjson

from state.index.seats import SEAT_COLUMNS, SeatRow, load_seats
from state.journal.line import Line

INSERTS = {
    "line": "INSERT OR REPLACE INTO line VALUES(?,?,?,?,?)",
    "entity": "INSERT OR REPLACE INTO entity VALUES(?,?)",
    "roster_event": "INSERT OR REPLACE INTO roster_event VALUES(?,?,?,?,?,?,?)",
    "message": "INSERT OR REPLACE INTO message VALUES(?,?,?,?,?,?,?,?,?)",
    "involved": "INSERT OR REPLACE INTO involved VALUES(?,?,?)",
    "reply": "INSERT OR REPLACE INTO reply VALUES(?,?)",
    "ack": "INSERT OR REPLACE INTO ack VALUES(?,?,?,?,?)",
    "closed": "INSERT OR REPLACE INTO closed VALUES(?,?,?,?,?,?,?)",
    "task": "INSERT OR REPLACE INTO task VALUES(?,?,?,?,?,?,?,?,?)",
    "task_accepted": "UPDATE task SET state='accepted', rev=?, since=?, accepted=?"
    " WHERE message=? AND holder=?",
    "task_ended": "UPDATE task SET state=?, rev=?, since=?, evidence=?, reason=?"
    " WHERE message=? AND holder=?",
    "tasks_closed": "UPDATE task SET state='cancelled', rev=?, since=?, reason=?"
    " WHERE holder=? AND message BETWEEN ? AND ? AND state IN ('open', 'accepted')",
    "origin": "INSERT OR REPLACE INTO origin VALUES(?,?,?)",
    "seat": f"INSERT OR REPLACE INTO seat VALUES({','.join('?' * len(SEAT_COLUMNS))})",
    "meta": "INSERT OR REPLACE INTO meta VALUES(?,?)",
}
# Task rows are changed after they were inserted, never the other way round within one task, and
# an end never comes before its acceptance; so each kind of change can be written as one batch.
ORDER = tuple(INSERTS)


class Fold:
    """Takes lines in order by `add`, writes what they mean by `flush`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._seats: dict[str, SeatRow] = load_seats(connection)
        self._rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in ORDER}
        self._meta: dict[str, Any] = {}
        self._last_message: int = _meta(connection, "last_message", 0)
        self._messages: int = _meta(connection, "messages", 0)

    def add(self, line: Line) -> None:
        """One more line; KeyError or TypeError when an operation lacks a field it must have."""
        rows = self._rows
        rows["line"].append((line.rev, line.segment, line.offset, line.size, request_key(line.req)))
        for number, op in enumerate(line.ops):
            name = op["op"]
            handler = _HANDLERS.get(name)
            if handler is not None:
                handler(self, line, op)
            if name in ROSTER:
                rows["entity"].append(("roster", line.rev))
            if name in SEAT_OPS:
                rows["entity"].append((f"seat:{op['seat']}", line.rev))
                rows["roster_event"].append(
                    (
                        line.rev,
                        number,
                        op["seat"],
                        line.ts,
                        line.seat,
                        line.via,
                        orjson.dumps(op).decode(),
                    )
                )
        self._meta["rev"] = line.rev
        self._meta["hash"] = line.hash
        self._meta["segment"] = line.segment
        self._meta["offset"] = line.offset + line.size
        self._meta["at"] = line.ts

    def flush(self) -> None:
        """Writes everything that was added since the last flush."""
        self._meta["last_message"] = self._last_message
        self._meta["messages"] = self._messages
        self._rows["meta"] = list(self._meta.items())
        self._rows["seat"] = [row.values() for row in self._seats.values() if row.changed]
        for name in ORDER:
            rows = self._rows[name]
            if rows:
                self._connection.executemany(INSERTS[name], rows)
                self._rows[name] = []
        for row in self._seats.values():
            row.changed = False

    def _project_created(self, line: Line, op: dict[str, Any]) -> None:
        self._meta["name"] = op["name"]
        self._meta["project"] = op["project"]
        self._meta["created"] = line.ts

    def _project_forked(self, line: Line, op: dict[str, Any]) -> None:
        self._meta["project"] = op["project"]

    def _seat_added(self, line: Line, op: dict[str, Any]) -> None:
        self._seats[op["seat"]] = SeatRow(
            id=op["seat"],
            kind=op["kind"],
            name=op["name"],
            host=op["host"],
            roles=orjson.dumps(op["roles"]).decode(),
            joined=line.rev,
            cursor=self._last_message,
        )

    def _seat_changed(self, line: Line, op: dict[str, Any]) -> None:
        self._seat(op).host = op["host"]
        self._seat(op).roles = orjson.dumps(op["roles"]).decode()

    def _seat_hidden(self, line: Line, op: dict[str, Any]) -> None:
        self._seat(op).visibility = "hidden"

    def _seat_shown(self, line: Line, op: dict[str, Any]) -> None:
        self._seat(op).visibility = "visible"

    def _seat_renamed(self, line: Line, op: dict[str, Any]) -> None:
        self._seat(op).name = op["name"]

    def _seat_deactivated(self, line: Line, op: dict[str, Any]) -> None:
        self._seat(op).status = "inactive"

    def _seat_restored(self, line: Line, op: dict[str, Any]) -> None:
        seat = self._seat(op)
        seat.status = "active"
        seat.joined = line.rev
        seat.cursor = self._last_message
        seat.passed = seat.queued
        seat.away_until = seat.away_reason = seat.away_by = None

    def _seat_away(self, line: Line, op: dict[str, Any]) -> None:
        seat = self._seat(op)
        seat.away_until, seat.away_reason, seat.away_by = op["until"], op["reason"], line.seat

    def _seat_back(self, line: Line, op: dict[str, Any]) -> None:
        seat = self._seat(op)
        seat.away_until = seat.away_reason = seat.away_by = None

    def _queue_closed(self, line: Line, op: dict[str, Any]) -> None:
        seat = self._seat(op)
        for first, last in op["unread"]:
            self._rows["closed"].append(
                (op["seat"], last, first, line.rev, line.ts, line.seat, op["reason"])
            )
        for first, last in op["tasks"]:
            self._rows["tasks_closed"].append(
                (line.rev, line.ts, op["reason"], op["seat"], first, last)
            )
        seat.cursor = op["cursor"]
        seat.passed += op["unread_count"]

    def _message_posted(self, line: Line, op: dict[str, Any]) -> None:
        rows = self._rows
        sender, kind = op["sender"], op["kind"]
        rows["message"].append(
            (
                line.rev,
                sender,
                kind,
                line.ts,
                op["title"],
                op["reply_to"],
                op["hops"],
                op["urgency"] == "high",
                False,
            )
        )
        involved = rows["involved"]
        involved.append((sender, line.rev, None))
        for seat_id in op["to"]:
            seat = self._seats[seat_id]
            seat.changed = True
            seat.queued += 1
            involved.append((seat_id, line.rev, seat.queued))
            if kind == "task":
                rows["task"].append(
                    (line.rev, seat_id, sender, "open", line.rev, line.ts, None, None, None)
                )
        if op["reply_to"] is not None:
            rows["reply"].append((op["reply_to"], line.rev))
        self._last_message = line.rev
        self._messages += 1

    def _message_imported(self, line: Line, op: dict[str, Any]) -> None:
        origin = op["origin"]
        self._rows["message"].append(
            (line.rev, op["sender"], "note", origin["time"], op["title"], None, 0, False, True)
        )
        seats = {op["sender"], *op["to"]} - {""}
        self._rows["involved"].extend((seat, line.rev, None) for seat in seats)
        self._rows["origin"].append((origin_place(origin), origin["sha256"], line.rev))
        self._last_message = line.rev
        self._messages += 1

    def _acknowledged(self, line: Line, op: dict[str, Any]) -> None:
        seat = self._seat(op)
        seat.cursor = op["cursor"]
        seat.passed += op["count"]
        self._rows["ack"].append((op["seat"], op["through"], op["first"], line.rev, line.ts))

    def _task_accepted(self, line: Line, op: dict[str, Any]) -> None:
        self._rows["task_accepted"].append((line.rev, line.ts, line.rev, op["message"], op["seat"]))

    def _task_done(self, line: Line, op: dict[str, Any]) -> None:
        evidence = orjson.dumps(op["evidence"]).decode()
        self._end_task(line, "done", op["message"], op["seat"], evidence, None)

    def _task_declined(self, line: Line, op: dict[str, Any]) -> None:
        self._end_task(line, "declined", op["message"], op["seat"], None, op["reason"])

    def _task_cancelled(self, line: Line, op: dict[str, Any]) -> None:
        for holder in op["holders"]:
            self._end_task(line, "cancelled", op["message"], holder, None, op["reason"])

    def _end_task(
        self,
        line: Line,
        state: str,
        message: int,
        holder: str,
        evidence: str | None,
        reason: str | None,
    ) -> None:
        self._rows["task_ended"].append(
            (state, line.rev, line.ts, evidence, reason, message, holder)
        )

    def _seat(self, op: dict[str, Any]) -> SeatRow:
        seat = self._seats[op["seat"]]
        seat.changed = True
        return seat


def request_key(req: str) -> int:
    """The part of a request id that is indexed: 60 bits; the line itself decides."""
    return int(req[:15], 16)


def origin_place(origin: dict[str, Any]) -> str:
    """The key of a position in another tool's inbox."""
    parts = [origin["tool"], origin["team"], origin["inbox"], origin["position"]]
    return orjson.dumps(parts).decode()


def _meta(connection: sqlite3.Connection, key: str, default: int) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    return default if row is None else int(row[0])


_HANDLERS = {
    name: getattr(Fold, f"_{name}")
    for name in (
        "project_created",
        "project_forked",
        "seat_added",
        "seat_changed",
        "seat_hidden",
        "seat_shown",
        "seat_renamed",
        "seat_deactivated",
        "seat_restored",
        "seat_away",
        "seat_back",
        "queue_closed",
        "message_posted",
        "message_imported",
        "acknowledged",
        "task_accepted",
        "task_done",
        "task_declined",
        "task_cancelled",
    )
}
ROSTER = frozenset(
    {
        "seat_added",
        "seat_changed",
        "seat_hidden",
        "seat_shown",
        "seat_renamed",
        "seat_deactivated",
        "seat_restored",
    }
)
SEAT_OPS = ROSTER | {"seat_away", "seat_back", "queue_closed"}
