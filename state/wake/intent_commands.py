"""What the user does with one intent, with a reason, as commands (W15)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.clock import Moment
from state.command import Actor
from state.errors import Refused
from state.index.view import View
from state.wake import queries, window
from state.wake.load import seat_wake
from state.wake.model import Window
from state.wake.operations import IntentDismissed, IntentRetried
from state.wake.queries import IntentRow


@dataclass(frozen=True, slots=True)
class _OfIntent:
    """What the user does with one intent, with a reason."""

    intent: str
    reason: str
    drifted: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checks.text(self.intent, "intent")
        checks.reason(self.reason)

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (queries.intent(view, self.intent).seat,)

    def _is_said_by(self, name: str, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {"op": name, "intent": self.intent, "reason": self.reason}
        return any(mine.items() <= op.items() for op in ops)


@dataclass(frozen=True, slots=True)
class RetryIntent(_OfIntent):
    """W15: from `terminal_hold` to `pending`."""

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        window.by_user_only(actor.seat, "retries intents")
        row = queries.intent(view, self.intent)
        may_retry(row, seat_wake(view, row.seat).open_window)
        return [IntentRetried(row.seat, row.intent, row.message, self.reason)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return self._is_said_by("intent_retried", ops)


@dataclass(frozen=True, slots=True)
class DismissIntent(_OfIntent):
    """W15: the user wants no wake for it any more; its message stays unread."""

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        window.by_user_only(actor.seat, "dismisses intents")
        row = queries.intent(view, self.intent)
        may_dismiss(row)
        return [IntentDismissed(row.seat, row.intent, row.message, self.reason)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return self._is_said_by("intent_dismissed", ops)


def may_retry(row: IntentRow, open_window: Window | None) -> None:
    """W15: one that stands in `terminal_hold`, while its window is not closed."""
    if row.state != "terminal_hold":
        raise Refused(
            "W15",
            f"the intent for #{row.message} is {row.state}, not in terminal_hold",
            "nothing to retry",
        )
    if open_window is None or open_window.number != row.window:
        raise Refused(
            "W15",
            f"the window of the intent for #{row.message} is closed",
            f"dismiss it: wake intent dismiss {row.intent} --reason …",
        )


def may_dismiss(row: IntentRow) -> None:
    """W15: one that is pending, failed or in `terminal_hold`."""
    if row.state not in ("pending", "failed", "terminal_hold"):
        raise Refused(
            "W15",
            f"the intent for #{row.message} is {row.state} and can't be dismissed",
            "a claimed one ends with its lease; the others are final",
        )
