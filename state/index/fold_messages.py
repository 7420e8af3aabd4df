"""What each operation on messages and tasks means for the index (M1-M16)."""

from typing import Any

import orjson

from state.index.batch import Batch
from state.index.names import FILED, QUEUED
from state.journal.line import Line

Op = dict[str, Any]
USER = "user"


def message_posted(batch: Batch, line: Line, op: Op) -> None:
    """M2: it stands in the queue of each seat of the resolved list."""
    number, at, sender, kind, hops = line.rev, line.ts, op["sender"], op["kind"], op["hops"]
    to, title, reply_to = op["to"], op["title"], op["reply_to"]
    # SQLite's module takes truth values too, but slowly.
    high = 1 if op["urgency"] == "high" else 0
    shown = orjson.dumps(to).decode()
    addressing = op["addressing"]
    batch.put_message((number, sender, shown, addressing, kind, at, title, reply_to, hops, high, 0))
    batch.count(number, kind, at)
    seat = batch.seats.to_change(sender)
    batch.sent(seat, number)
    batch.listed(seat, number)
    for holder in to:
        seat = batch.seats.to_change(holder)
        seat.queued += 1
        batch.listed(seat, number)
        batch.put_involved((seat.number, QUEUED, number, kind, hops))
        if kind == "task":
            seat.live_tasks += 1
            batch.rows["task"].append(
                (number, holder, sender, title, "open", number, at, *(None,) * 4, sender)
            )
    if reply_to is not None:
        batch.put_reply((reply_to, number, sender))
        if sender == USER:
            batch.rows["question_answered"].append((reply_to,))
    if USER in to and (kind == "question" or (kind == "result" and _is_bad_news(batch, op))):
        batch.rows["waiting"].append((number, kind, sender, at, title, 1))


def message_imported(batch: Batch, line: Line, op: Op) -> None:
    """M16: dated by its origin, in no queue, no task; names without a seat are only shown."""
    number, origin, sender, kind = line.rev, op["origin"], op["sender"], "note"
    shown = orjson.dumps(op["to"] or [origin["recipient"]]).decode()
    at, title = origin["time"], op["title"]
    batch.put_message((number, sender, shown, "direct", kind, at, title, None, 0, 0, 1))
    batch.count(number, kind, at)
    if sender:
        batch.sent(batch.seats.to_change(sender), number)
    for holder in dict.fromkeys((sender, *op["to"])):
        if holder:
            seat = batch.seats.to_change(holder)
            batch.listed(seat, number)
            batch.put_involved((seat.number, FILED, number, kind, 0))
    batch.rows["origin"].append(
        (number, origin_place(origin), origin["sha256"], "" if sender else origin["sender"])
    )


def acknowledged(batch: Batch, line: Line, op: Op) -> None:
    """M5: the cursor passes `count` messages."""
    seat = batch.seats.to_change(op["seat"])
    if op["seat"] == USER:
        batch.rows["waiting_passed"].append((op["first"], op["through"]))
    seat.cursor = op["cursor"]
    seat.passed += op["count"]
    batch.put_ack((op["seat"], op["cursor"], op["first"], line.rev, line.ts))


def task_accepted(batch: Batch, line: Line, op: Op) -> None:
    batch.rows["task_accepted"].append((line.rev, line.ts, line.rev, op["message"], op["seat"]))


def task_done(batch: Batch, line: Line, op: Op) -> None:
    proof, evidence = op["evidence"]["kind"], orjson.dumps(op["evidence"]).decode()
    _end(batch, line, op["message"], op["seat"], ("done", proof, evidence, None))


def task_declined(batch: Batch, line: Line, op: Op) -> None:
    _end(batch, line, op["message"], op["seat"], ("declined", None, None, op["reason"]))


def task_cancelled(batch: Batch, line: Line, op: Op) -> None:
    for holder in op["holders"]:
        _end(batch, line, op["message"], holder, ("cancelled", None, None, op["reason"]))


HANDLERS = {
    "message_posted": message_posted,
    "message_imported": message_imported,
    "acknowledged": acknowledged,
    "task_accepted": task_accepted,
    "task_done": task_done,
    "task_declined": task_declined,
    "task_cancelled": task_cancelled,
}


def origin_place(origin: Op) -> str:
    """The key of a position in another tool's inbox."""
    parts = [origin["tool"], origin["team"], origin["inbox"], origin["position"]]
    return orjson.dumps(parts).decode()


def _end(
    batch: Batch,
    line: Line,
    message: int,
    holder: str,
    end: tuple[str, str | None, str | None, str | None],
) -> None:
    state, proof, evidence, reason = end
    batch.seats.to_change(holder).live_tasks -= 1
    batch.ended[message, holder] = state == "declined" or proof == "none"
    batch.rows["task_ended"].append(
        (state, line.rev, line.ts, line.seat, proof, evidence, reason, message, holder)
    )


def _is_bad_news(batch: Batch, op: Op) -> bool:
    """Whether a result tells of a task of its sender that was declined or done without evidence."""
    return op["reply_to"] is not None and batch.lacks_proof(op["reply_to"], op["sender"])
