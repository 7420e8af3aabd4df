"""What each operation on skill roots means for the index: the last about a path counts (S13)."""

from typing import Any

from state.index.batch import Batch
from state.journal.line import Line

Op = dict[str, Any]


def skill_root_added(batch: Batch, line: Line, op: Op) -> None:
    _put(batch, line, op, "added")


def skill_root_removed(batch: Batch, line: Line, op: Op) -> None:
    _put(batch, line, op, "removed")


HANDLERS = {
    "skill_root_added": skill_root_added,
    "skill_root_removed": skill_root_removed,
}


def _put(batch: Batch, line: Line, op: Op, state: str) -> None:
    batch.rows["skill_root"].append((op["path"], state, line.rev, line.ts, line.seat))
