"""One scan of one seat as a command of the program itself (M13, W9, W11, W23, W27)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.clock import Moment
from state.command import Actor
from state.errors import Refused
from state.index.view import View
from state.journal.writer import SYSTEM
from state.wake import advance
from state.wake.advance import Advanced
from state.wake.discovery import AT_ONCE, scan
from state.wake.due import jumped
from state.wake.load import seat_wake
from state.wake.queries import candidates


@dataclass(frozen=True, slots=True)
class Scan:
    """Looks at what came for one seat; whoever starts it, the line is the program's own."""

    seat: str
    drifted: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checks.named(self.seat, "seat")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        if actor.seat != SYSTEM:
            raise Refused("M13", "a scan is written by the program itself", "wake scan")
        return [*jumped(view, now), *planned(view, self.seat, now, self.drifted).ops]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return False


def planned(view: View, seat: str, now: Moment, drifted: Collection[str] = ()) -> Advanced:
    """What a scan of this seat would come to now; it writes nothing (W23)."""
    wake = seat_wake(view, seat)
    window = wake.open_window
    found = () if window is None else candidates(view, seat, window)
    return scan(wake, found, now, view.rev, drifted)


def is_behind(ops: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a scan named as many messages as it may, so that more may be left."""
    looked = 0
    for op in ops:
        if len(op.get("messages", ())) >= advance.AT_ONCE:
            return True
        if op["op"] == "seat_scanned":
            looked += len(op["created"]) + sum(len(group["messages"]) for group in op["passed"])
    return looked >= AT_ONCE
