"""What each operation on messages and tasks means for the index (M1-M16)."""

from typing import Any

import orjson

from state.index.batch import Batch
from state.index.schema import FILED, QUEUED, SENT
from state.journal.line import Line

Op = dict[str, Any]
USER = "user"


def message_posted(batch: Batch, line: Line, op: Op) -> None:
    """M2: it stands in the queue of each seat of the resolved list."""
    number, sender, kind, to, hops = line.rev, op["sender"], op["kind"], op["to"], op["hops"]
    reply_to = op["reply_to"]
    batch.rows["message"].append(
        (
            number,
            sender,
            orjson.dumps(to).decode(),
            op["addressing"],
            kind,
            line.ts,
            op["title"],
            reply_to,
            hops,
            op["urgency"] == "high",
            False,
        )
    )
    batch.count(number, kind, line.ts)
    _sent(batch, number, sender, kind, hops)
    involved = batch.rows["involved"]
    for holder in to:
        seat = batch.seats.to_change(holder)
        seat.queued += 1
        batch.milestone(f"seat:{holder}", seat.queued + seat.sent + seat.filed, number)
        involved.append((seat.number, QUEUED, number, kind, hops))
        if kind == "task":
            seat.live_tasks += 1
            batch.rows["task"].append(
                (number, holder, sender, op["title"], "open", number, line.ts, *(None,) * 4, sender)
            )
    if reply_to is not None:
        batch.rows["reply"].append((reply_to, number, sender))
        if sender == USER:
            batch.rows["question_answered"].append((reply_to,))
    if USER in to and (kind == "question" or (kind == "result" and _is_bad_news(batch, op))):
        batch.rows["waiting"].append((number, kind, sender, line.ts, op["title"], 1))


def message_imported(batch: Batch, line: Line, op: Op) -> None:
    """M16: dated by its origin, in no queue, no task; names without a seat are only shown."""
    number, origin, sender = line.rev, op["origin"], op["sender"]
    batch.rows["message"].append(
        (
            number,
            sender or origin["sender"],
            orjson.dumps(op["to"] or [origin["recipient"]]).decode(),
            "direct",
            "note",
            origin["time"],
            op["title"],
            None,
            0,
            False,
            True,
        )
    )
    batch.count(number, "note", origin["time"])
    if sender:
        _sent(batch, number, sender, "note", 0)
    for holder in dict.fromkeys(op["to"]):
        if holder in ("", sender):
            continue
        seat = batch.seats.to_change(holder)
        seat.filed += 1
        batch.milestone(f"seat:{holder}", seat.queued + seat.sent + seat.filed, number)
        batch.rows["involved"].append((seat.number, FILED, number, "note", 0))
    batch.rows["origin"].append((origin_place(origin), origin["sha256"], number))


def acknowledged(batch: Batch, line: Line, op: Op) -> None:
    """M5: the cursor passes `count` messages."""
    seat = batch.seats.to_change(op["seat"])
    if op["seat"] == USER:
        batch.rows["waiting_passed"].append((op["first"], op["through"]))
    seat.cursor = op["cursor"]
    seat.passed += op["count"]
    batch.rows["ack"].append((op["seat"], op["through"], op["first"], line.rev, line.ts))


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


def _sent(batch: Batch, number: int, sender: str, kind: str, hops: int) -> None:
    seat = batch.seats.to_change(sender)
    seat.sent += 1
    batch.milestone(f"sent:{sender}", seat.sent, number)
    batch.milestone(f"seat:{sender}", seat.queued + seat.sent + seat.filed, number)
    batch.rows["involved"].append((seat.number, SENT, number, kind, hops))


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
