"""What only the wake mode can do: the policy, a live lease, the intent under the cursor."""

from __future__ import annotations

from panel.asks.wake import WakeDetail
from panel.parts.wake_actions import WakeActions
from panel.parts.wake_lists import WakeLists
from panel.words import wake_mode as words
from state.errors import Refused
from state.wake.intent_commands import may_dismiss, may_retry
from state.wake.model import SeatWake
from state.wake.queries import IntentRow


class WakeDeeds(WakeActions, WakeLists):
    """`detail` is what is known of the seat under the cursor besides its window."""

    def __init__(self) -> None:
        super().__init__()
        self.detail: WakeDetail | None = None

    def why_not_wake(self, name: str, wake: SeatWake) -> str | None:
        if name == "end":
            return words.NO_LEASE if wake.lease is None else None
        if name in ("retry", "dismiss"):
            return self._why_not_intent(name, wake)
        return super().why_not_wake(name, wake)

    def _why_not_intent(self, name: str, wake: SeatWake) -> str | None:
        row = self._intent(wake)
        if row is None:
            return words.NO_INTENT
        try:
            if name == "retry":
                may_retry(row, wake.open_window)
            else:
                may_dismiss(row)
        except Refused as error:
            return error.message
        return None

    def _intent(self, wake: SeatWake) -> IntentRow | None:
        """The intent under the cursor; with the cursor elsewhere, the first that is stuck."""
        if self.whys.has_focus:
            found = self.why_in_hand()
            return None if found is None else found.intent
        stuck = wake.messages("terminal_hold")
        rows_of = () if self.detail is None else self.detail.intents
        return next((row for row in rows_of if row.message in stuck), None)

    def action_policy(self) -> None:
        """The form of the policy."""
        if self.seat is not None:
            self.panel.open_policy(self.seat)

    def action_switch(self) -> None:
        """Enables the policy, or disables it."""
        wake = self.wake_in_hand()
        if wake is not None:
            self.panel.switch_policy(wake)

    def action_end_lease(self) -> None:
        """Ends the live lease, with a reason."""
        wake = self.wake_in_hand()
        if wake is not None and wake.lease is not None:
            self.panel.end_lease(wake.seat, wake.lease)

    def action_retry(self) -> None:
        """Lets an intent be tried again, with a reason."""
        wake = self.wake_in_hand()
        row = None if wake is None else self._intent(wake)
        if row is not None:
            self.panel.retry_intent(row)

    def action_dismiss_intent(self) -> None:
        """Wants no wake for it any more, with a reason."""
        wake = self.wake_in_hand()
        row = None if wake is None else self._intent(wake)
        if row is not None:
            self.panel.dismiss_intent(row)
