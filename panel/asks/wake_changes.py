"""What happened to a seat's policy and window since the person looked (W6, R9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state.clock import Moment
from state.index.view import View
from state.wake import changes as wake
from state.wake.model import SeatWake


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The events at `rev`, oldest first, each with `rev`, `at`, `by`, `via` and `op`."""

    rev: int
    events: Sequence[Mapping[str, Any]]


def changes(since: SeatWake) -> Callable[[View, Moment], Changes]:
    """What came after the policy and the window that were shown."""
    seen = {"policy": since.policy_revision, "window": since.window_revision}

    def ask(view: View, _: Moment) -> Changes:
        return Changes(view.rev, wake.changes(view, since.seat, seen))

    return ask
