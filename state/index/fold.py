"""From lines to rows, in the order of the lines."""

import sqlite3
from typing import Any

from state.index import (
    fold_adapters,
    fold_leases,
    fold_messages,
    fold_roster,
    fold_routing,
    fold_skill_roots,
    fold_wake,
)
from state.index.batch import Batch
from state.journal.catalogue import OPERATIONS
from state.journal.line import Line, damaged, newer


class Fold:
    """Takes lines in order by `add`, writes what they mean by `flush`.

    `hash` is that of the last line written. The caller owns the SQLite transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._batch = Batch(connection)

    @property
    def hash(self) -> str:
        return str(self._batch.meta["hash"])

    @property
    def project(self) -> str:
        return str(self._batch.meta["project"])

    def add(self, line: Line) -> None:
        """One more line. Damaged when an operation can't be what it says; nothing follows then."""
        try:
            self._add(line)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            what = f"holds an operation that can't be taken: {error!r}"
            raise damaged(line.rev, line.segment, line.offset, what) from error

    def flush(self) -> None:
        """Writes everything that was added since the last flush."""
        self._batch.write()

    def _add(self, line: Line) -> None:
        batch = self._batch
        batch.line = line
        batch.put_line((line.rev, line.segment, line.offset, line.size, int(line.req[:15], 16)))
        for number, op in enumerate(line.ops):
            name = op["op"]
            handler = _HANDLERS.get(name)
            if handler is not None:
                handler(batch, line, op)
                if name in fold_roster.SEAT:
                    fold_roster.note(batch, line, number, op)
            elif name not in OPERATIONS:
                raise newer(line.rev, f"the operation {name!r}")


def request_key(req: str) -> int:
    """The part of a request id that is indexed: 60 bits; the line itself decides."""
    return int(req[:15], 16)


def _project_created(batch: Batch, line: Line, op: dict[str, Any]) -> None:
    batch.meta["name"] = op["name"]
    batch.meta["project"] = op["project"]
    batch.meta["created"] = line.ts


def _project_forked(batch: Batch, line: Line, op: dict[str, Any]) -> None:
    batch.meta["project"] = op["project"]
    fold_wake.project_forked(batch, line, op)


def _seat_restored(batch: Batch, line: Line, op: dict[str, Any]) -> None:
    fold_roster.seat_restored(batch, line, op)
    fold_wake.seat_restored(batch, line, op)


# What the journal writes of itself (a recovery, a new segment, …) changes nothing but the line.
_HANDLERS = {
    "project_created": _project_created,
    "project_forked": _project_forked,
    **fold_roster.SEAT,
    **fold_messages.HANDLERS,
    **fold_adapters.HANDLERS,
    **fold_routing.HANDLERS,
    **fold_wake.HANDLERS,
    **fold_leases.HANDLERS,
    **fold_skill_roots.HANDLERS,
    "seat_restored": _seat_restored,
}
