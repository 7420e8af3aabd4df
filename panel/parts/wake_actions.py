"""What a mode can do with the wake window of the seat in hand: arm, drain, hold or resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panel.asking import Asking
from panel.asks import wake_keys as asks
from panel.present import health
from panel.screens.mode import ModeScreen
from panel.snapshot import Snapshot
from panel.widgets.key_footer import KeyFooter
from panel.words import tasks
from panel.words import wake_mode as words

if TYPE_CHECKING:
    from state.wake.model import SeatWake

PREFIX = "wake."
ALL = "wake.hold-all"


class WakeActions(ModeScreen, Asking):
    """Acts on `seat_in_hand`. Why a key can't act is the rules' own answer, worked out anew."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn_once = False

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        if not self._drawn_once:
            # What can be done is asked once the picture is drawn, and loaded then.
            self.after_frame(self._ask_from_now_on)

    def _ask_from_now_on(self) -> None:
        self._drawn_once = True
        for footer in self.query(KeyFooter):
            footer.refresh_keys()

    def wake_in_hand(self) -> SeatWake | None:
        """The seat in hand as the time has made it; None for the user, and for no seat."""
        name = self.seat_in_hand
        if self.seen is None or name is None:
            return None
        overview = self.seen.overview
        for seat in overview.seats:
            if seat.seat == name and seat.window is not None:
                now = self.panel.clock.moment()
                return asks.by_time(overview.wakes, seat, overview.project, now)
        return None

    def why_not(self, needs: str) -> str | None:
        reason = super().why_not(needs)
        if reason is not None or not needs.startswith(PREFIX):
            return reason
        reason = health.why_not_written(self.seen)
        if reason is not None:
            return reason
        return self._refused(needs) if self._drawn_once else tasks.ASKING

    def _refused(self, needs: str) -> str | None:
        assert self.seen is not None
        if needs == ALL:
            refused = asks.refusal_of_all(self.seen.overview.wakes, self.panel.clock.moment())
            return None if refused is None else refused.message
        wake = self.wake_in_hand()
        return (
            words.NO_SEAT if wake is None else self.why_not_wake(needs.removeprefix(PREFIX), wake)
        )

    def why_not_wake(self, name: str, wake: SeatWake) -> str | None:
        """Why the user can't do this to the seat now."""
        if name == "policy" or (name == "arm" and wake.policy is None and wake.is_active):
            # What is missing is asked for first.
            return None
        refused = asks.refusal(name, wake)
        return None if refused is None else refused.message

    # Keys.

    async def action_press(self, binding_id: str) -> None:
        """Who presses a key is answered now, and doesn't wait for a frame to hold everything."""
        self._drawn_once = True
        await super().action_press(binding_id)

    def action_arm(self) -> None:
        """Shows what arming would agree to; without a policy, asks for one first."""
        wake = self.wake_in_hand()
        if wake is None:
            return
        if wake.policy is None:
            self.panel.open_policy(wake.seat, to_arm=True)
        else:
            self.panel.arm_window(wake.seat)

    def action_drain(self) -> None:
        """Lets the window of the seat drain, at once."""
        wake = self.wake_in_hand()
        if wake is not None:
            self.panel.drain_window(wake.seat)

    def action_hold(self) -> None:
        """Holds the window at once; one that is on hold is resumed, after the confirmation."""
        wake = self.wake_in_hand()
        if wake is None:
            return
        if asks.hold_or_resume(wake):
            self.panel.arm_window(wake.seat, resumes=True)
        else:
            self.panel.hold_window(wake.seat)

    def action_hold_all(self) -> None:
        """Holds every open window at once."""
        self.panel.hold_windows()
