"""What happened to a seat's policy and window since the person looked (W6, R9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state.clock import Moment
from state.history import queries
from state.index.view import View
from state.wake.model import SeatWake

# Nobody reads through more; what came before is in the journal.
EVENTS = 20
LINES = 2_000
_BATCH = 200
# What changes a policy or the state of a window, and not only counts in it.
_CHANGING = ("policy_", "window_")


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The events at `rev`, oldest first, each with `rev`, `at`, `by`, `via` and `op`."""

    rev: int
    events: Sequence[Mapping[str, Any]]


def changes(since: SeatWake) -> Callable[[View, Moment], Changes]:
    """What came after the policy and the window that were shown."""

    def ask(view: View, _: Moment) -> Changes:
        seen = {"policy_": since.policy_revision, "window_": since.window_revision}
        first = min(seen.values())
        events: list[dict[str, Any]] = []
        for start in range(0, min(view.rev - first, LINES), _BATCH):
            for row in queries.page(view, start, _BATCH):
                events += [
                    {"rev": row.rev, "at": row.ts, "by": row.seat, "via": row.via, "op": op}
                    for op in row.ops
                    if op.get("seat") == since.seat
                    and any(
                        op["op"].startswith(kind) and row.rev > seen[kind] for kind in _CHANGING
                    )
                ]
        return Changes(view.rev, events[:EVENTS][::-1])

    return ask
