"""What each operation on seats means for the index (R2-R16)."""

from typing import Any

import orjson

from state.index.batch import Batch
from state.journal.line import Line

Op = dict[str, Any]


def seat_added(batch: Batch, line: Line, op: Op) -> None:
    """R7: the cursor starts at the last message of this moment."""
    batch.seats.add(
        op["seat"],
        batch.meta["seats"],
        kind=op["kind"],
        name=op["name"],
        host=op["host"],
        roles=orjson.dumps(op["roles"]).decode(),
        joined=line.rev,
        cursor=batch.meta["last_message"],
    )
    batch.meta["seats"] += 1


def seat_changed(batch: Batch, line: Line, op: Op) -> None:
    seat = batch.seats.to_change(op["seat"])
    seat.host = op["host"]
    seat.roles = orjson.dumps(op["roles"]).decode()


def seat_hidden(batch: Batch, line: Line, op: Op) -> None:
    batch.seats.to_change(op["seat"]).visibility = "hidden"


def seat_shown(batch: Batch, line: Line, op: Op) -> None:
    batch.seats.to_change(op["seat"]).visibility = "visible"


def seat_renamed(batch: Batch, line: Line, op: Op) -> None:
    batch.seats.to_change(op["seat"]).name = op["name"]


def seat_deactivated(batch: Batch, line: Line, op: Op) -> None:
    batch.seats.to_change(op["seat"]).status = "inactive"


def seat_restored(batch: Batch, line: Line, op: Op) -> None:
    """R7: the cursor starts again at the last message of this moment."""
    seat = batch.seats.to_change(op["seat"])
    seat.status = "active"
    seat.joined = line.rev
    seat.cursor = batch.meta["last_message"]
    seat.passed = seat.queued
    seat.away_until = seat.away_reason = seat.away_by = None


def seat_away(batch: Batch, line: Line, op: Op) -> None:
    seat = batch.seats.to_change(op["seat"])
    seat.away_until, seat.away_reason, seat.away_by = op["until"], op["reason"], line.seat


def seat_back(batch: Batch, line: Line, op: Op) -> None:
    seat = batch.seats.to_change(op["seat"])
    seat.away_until = seat.away_reason = seat.away_by = None


def queue_closed(batch: Batch, line: Line, op: Op) -> None:
    """R14: the ranges are closed unread, their tasks cancelled, the cursor passes them."""
    seat = batch.seats.to_change(op["seat"])
    for first, last in op["unread"]:
        batch.rows["closed"].append(
            (op["seat"], last, first, line.rev, line.ts, line.seat, op["reason"])
        )
    for first, last in op["tasks"]:
        batch.rows["tasks_closed"].append(
            (line.rev, line.ts, line.seat, op["reason"], op["seat"], first, last)
        )
    seat.cursor = op["cursor"]
    seat.passed += op["unread_count"]
    seat.live_tasks -= op["task_count"]


# These touch the entity `roster` as well as the seat's own (R9); the others the seat's alone.
ROSTER = {
    "seat_added": seat_added,
    "seat_changed": seat_changed,
    "seat_hidden": seat_hidden,
    "seat_shown": seat_shown,
    "seat_renamed": seat_renamed,
    "seat_deactivated": seat_deactivated,
    "seat_restored": seat_restored,
}
SEAT = {**ROSTER, "seat_away": seat_away, "seat_back": seat_back, "queue_closed": queue_closed}


def note(batch: Batch, line: Line, number: int, op: Op) -> None:
    """What every change of a seat leaves: the revision of what it touched, and the event."""
    if op["op"] in ROSTER:
        batch.rows["entity"].append(("roster", line.rev))
    batch.rows["entity"].append((f"seat:{op['seat']}", line.rev))
    batch.rows["roster_event"].append(
        (line.rev, number, op["seat"], line.ts, line.seat, line.via, orjson.dumps(op).decode())
    )
