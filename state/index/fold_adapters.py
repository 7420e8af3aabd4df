"""What each operation on adapters and consumers means for the index (W21, W22).

Each leaves a row that replaces the one before, so the last of a batch counts.
"""

from typing import Any

import orjson

from state.index.batch import Batch
from state.journal.line import Line

Op = dict[str, Any]


def adapter_registered(batch: Batch, line: Line, op: Op) -> None:
    lists = (orjson.dumps(op[name]).decode() for name in ("capabilities", "paths", "files"))
    facts = (op["fingerprint"], op["base"], op["count"], op["bytes"])
    batch.rows["adapter"].append((op["adapter"], *lists, *facts, line.rev, line.ts, line.seat))
    batch.rows["entity"].append((f"adapter:{op['adapter']}", line.rev))


def adapter_revoked(batch: Batch, line: Line, op: Op) -> None:
    """It holds as long as no later line registers the adapter again."""
    batch.rows["adapter_revoked"].append(
        (op["adapter"], line.rev, line.ts, line.seat, op["reason"])
    )
    batch.rows["entity"].append((f"adapter:{op['adapter']}", line.rev))


def consumer_declared(batch: Batch, line: Line, op: Op) -> None:
    _consumer(batch, line, op, ended=0)


def consumer_ended(batch: Batch, line: Line, op: Op) -> None:
    _consumer(batch, line, op, ended=1)


HANDLERS = {
    "adapter_registered": adapter_registered,
    "adapter_revoked": adapter_revoked,
    "consumer_declared": consumer_declared,
    "consumer_ended": consumer_ended,
}


def _consumer(batch: Batch, line: Line, op: Op, *, ended: int) -> None:
    batch.rows["consumer"].append((op["seat"], op["name"], line.rev, line.ts, line.seat, ended))
    batch.rows["entity"].append((f"consumer:{op['seat']}", line.rev))
