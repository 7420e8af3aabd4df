"""What suggestions, choices and receipts mean for the index; none changes another (S1).

A request is known by a suggestion, a choice or an accepted receipt; a refused one is only kept.
"""

from typing import Any

import orjson

from state.index.batch import Batch
from state.journal.line import Line

Op = dict[str, Any]


def suggestion_made(batch: Batch, line: Line, op: Op) -> None:
    """S17: an offline one never becomes the suggestion of a host's request."""
    first = op["candidates"][0]["skill"] if op["candidates"] else None
    skill = None if op["fallback_used"] else first
    state = "offline" if op["offline"] else "suggested"
    _event(batch, line, op, "suggestion", skill, state, None)
    _seen(batch, line, op, known=True, sure=False)
    if op["offline"]:
        return
    batch.rows["route_suggested"].append((line.rev, line.rev, line.rev, op["request"]))
    if skill is not None:
        number = _number(line, op)
        for place, candidate in enumerate(op["candidates"], 1):
            batch.rows["route_candidate"].append((line.rev, number, place, candidate["skill"]))


def choice_recorded(batch: Batch, line: Line, op: Op) -> None:
    _event(batch, line, op, "choice", op["skill"], op["source"], None)
    _seen(batch, line, op, known=True, sure=True)
    batch.rows["route_chosen"].append((line.rev, line.rev, op["request"]))


def receipt_recorded(batch: Batch, line: Line, op: Op) -> None:
    _event(batch, line, op, "receipt", op["skill"], op["state"], op["level"])
    accepted = op["state"] == "accepted"
    _seen(batch, line, op, known=accepted, sure=accepted)


def hook_noted(batch: Batch, line: Line, op: Op) -> None:
    batch.rows["hook_note"].append(
        (line.rev, _number(line, op), line.ts, op["host"], op["seat"], op["note"], op["event"])
    )


HANDLERS = {
    "suggestion_made": suggestion_made,
    "choice_recorded": choice_recorded,
    "receipt_recorded": receipt_recorded,
    "hook_noted": hook_noted,
}


def _event(
    batch: Batch,
    line: Line,
    op: Op,
    kind: str,
    skill: str | None,
    state: str,
    level: str | None,
) -> None:
    seat = op.get("seat", line.seat)
    row = (op["request"], kind, line.ts, line.seat, op["host"], seat, skill, state, level)
    router = op.get("router")
    batch.rows["route_event"].append(
        (line.rev, _number(line, op), *row, router, orjson.dumps(op).decode())
    )


def _seen(batch: Batch, line: Line, op: Op, *, known: bool, sure: bool) -> None:
    """`sure`: host and seat are as a choice or an accepted receipt says, whatever stood there.

    What a refused receipt says of them stands only as long as nothing else was written.
    """
    request, host, seat = op["request"], op["host"], op.get("seat", line.seat)
    blank = (request, 0, "", "", line.rev, line.ts, line.rev, line.ts, *(None,) * 4, request)
    batch.rows["route_request_made"].append(blank)
    batch.rows["route_request_seen"].append(
        (line.rev, line.ts, int(known), int(sure), host, int(sure), seat, request)
    )


def _number(line: Line, op: Op) -> int:
    return next(number for number, one in enumerate(line.ops) if one is op)
