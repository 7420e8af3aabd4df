"""What happened to a seat's policy and window since somebody looked (W6, R9)."""

from collections.abc import Mapping
from typing import Any

from state.history import queries as history
from state.index.view import View

# Nobody reads through more; what came before is in the journal.
EVENTS = 20
LINES = 2_000
_BATCH = 200


def changes(view: View, seat: str, seen: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
    """The newest events after the revisions of `policy` and `window` that were seen, oldest first.

    What isn't in `seen` isn't asked for. Each has `rev`, `at`, `by`, `via`, `seat` and `op`.
    """
    events: list[dict[str, Any]] = []
    for start in range(0, min(view.rev - min(seen.values()), LINES), _BATCH):
        for row in history.page(view, start, _BATCH):
            said = {"rev": row.rev, "at": row.ts, "by": row.seat, "via": row.via, "seat": seat}
            events += [
                said | {"op": op}
                for op in row.ops
                if op.get("seat") == seat and row.rev > seen.get(_about(op), row.rev)
            ]
    return tuple(events[:EVENTS][::-1])


def _about(op: Mapping[str, Any]) -> str:
    """What it changes: a policy or the state of a window, and not only counts in it."""
    return str(op["op"]).partition("_")[0]
