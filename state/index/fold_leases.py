"""What each operation on leases and receipts means for the index (W17-W20, W29)."""

from typing import Any

import orjson

from state.index.batch import Batch
from state.index.fold_wake import moment, see_clock, set_intent, window_of
from state.journal.line import Line

Op = dict[str, Any]


def lease_granted(batch: Batch, line: Line, op: Op) -> None:
    """W10: each lease is a wake of the window."""
    window = window_of(batch, op["seat"])
    window["wakes"] += 1
    intent = set_intent(batch, line, op["seat"], op["message"], "claimed", "")
    intent["attempts"] = op["attempt"]
    batch.kept.put(
        "lease",
        id=op["lease"],
        seat=op["seat"],
        intent=op["intent"],
        message=op["message"],
        window=window["number"],
        attempt=op["attempt"],
        consumer=op["consumer"],
        fingerprint=op["fingerprint"],
        rev=line.rev,
        run_ms=op["run_ms"],
        **moment("granted", op["at"]),
        **moment("since", op["at"]),
    )
    see_clock(batch, op["at"])


def lease_renewed(batch: Batch, line: Line, op: Op) -> None:
    lease = batch.kept.get("lease", op["lease"])
    lease |= moment("since", op["at"])
    lease["run_ms"] = op["run_ms"]
    see_clock(batch, op["at"])


def lease_expired(batch: Batch, line: Line, op: Op) -> None:
    _end_lease(batch, line, op, "expired", "")


def lease_ended(batch: Batch, line: Line, op: Op) -> None:
    _end_lease(batch, line, op, "ended", op["reason"])
    see_clock(batch, op["at"])


def receipt_taken(batch: Batch, line: Line, op: Op) -> None:
    """W19: `watcher_only` ends nothing."""
    if op["state"] != "claimed":
        _end_lease(batch, line, op, op["outcome"], "")
    see_clock(batch, op["at"])
    evidence = None if op["evidence"] is None else orjson.dumps(op["evidence"]).decode()
    known = (op["seat"], op["message"], op["outcome"], op["exit_code"], evidence)
    batch.rows["receipt"].append(
        (line.rev, op["lease"], *known, None, None, line.ts, line.seat, line.via)
    )


def receipt_refused(batch: Batch, line: Line, op: Op) -> None:
    lease = batch.kept.find("lease", op["lease"])
    about = (None, None) if lease is None else (lease["seat"], lease["message"])
    said = (op["code"], op["reason"], line.ts, line.seat, line.via)
    batch.rows["receipt"].append((line.rev, op["lease"], *about, op["outcome"], None, None, *said))


HANDLERS = {
    "lease_granted": lease_granted,
    "lease_renewed": lease_renewed,
    "lease_expired": lease_expired,
    "lease_ended": lease_ended,
    "receipt_taken": receipt_taken,
    "receipt_refused": receipt_refused,
}


def _end_lease(batch: Batch, line: Line, op: Op, end: str, reason: str) -> None:
    lease = batch.kept.get("lease", op["lease"])
    lease["over"], lease["reason"], lease["over_rev"] = end, reason, line.rev
    lease |= moment("over", op["at"])
    set_intent(batch, line, op["seat"], op["message"], op["state"], end)
