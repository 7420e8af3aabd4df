"""From a key to a command about wake windows: at once where it only reduces, else after asking."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from panel.safe_text import block
from panel.submitting import Submission, SubmittingApp
from panel.words import signs
from panel.words import wake_mode as words

if TYPE_CHECKING:
    from panel.screens.form import Texts
    from state.command import Command
    from state.errors import RevisionConflict
    from state.wake.model import Lease, SeatWake
    from state.wake.queries import IntentRow

# What a key needs is loaded when it is pressed, not before the first frame.
ROSTER = "roster"


class WakeFlowApp(SubmittingApp):
    """An app in which the user sets policies and arms, drains, holds and resumes windows."""

    def arm_window(self, seat: str, *, resumes: bool = False) -> None:
        """Shows what arming or resuming agrees to, and asks for one confirmation (W6, W13)."""
        from panel.screens.arming import Arming

        self.put(Arming(seat, resumes=resumes))

    def drain_window(self, seat: str) -> None:
        """W10: at once."""
        from state.wake.window_commands import Drain

        self._at_once(Drain(seat))

    def hold_window(self, seat: str) -> None:
        """W13: at once."""
        from state.wake.window_commands import Hold

        self._at_once(Hold(seat))

    def hold_windows(self) -> None:
        """W13: every one that is open, in one line, at once."""
        from state.wake.window_commands import HoldAll

        self._at_once(HoldAll())

    def open_policy(self, seat: str, *, to_arm: bool = False) -> None:
        """The form of a seat's policy (W2); `to_arm` where arming was wished for and needs one."""
        from panel.screens.policy_form import PolicyForm

        self.put(PolicyForm(seat, to_arm=to_arm))

    def switch_policy(self, wake: SeatWake) -> None:
        """W1: enables a policy that is disabled, or the other way round; that arms nothing.

        Where it ends a window for good, it is asked first.
        """
        from panel.screens.confirm import Confirm
        from panel.words import wake_policy
        from state.wake.window_commands import DisablePolicy, EnablePolicy

        if not wake.enabled:
            self._at_once(EnablePolicy(wake.seat))
            return
        disable = DisablePolicy(wake.seat)
        if wake.open_window is None:
            self._at_once(disable)
            return

        def then(yes: bool | None) -> None:
            if yes:
                self._at_once(disable)

        about = block(wake_policy.disabling(wake.state))
        self.put(Confirm(wake_policy.disables(signs.seat(wake.seat)), about), then)

    def end_lease(self, seat: str, lease: Lease) -> None:
        """W29: with a reason."""
        from state.wake.lease_commands import EndLease

        def make(texts: Texts) -> Command:
            return EndLease(lease.lease, texts["reason"].strip())

        title = words.form_of(words.END, lease.message, signs.seat(seat))
        self._ask_why(title, words.END_INTRO, make)

    def retry_intent(self, row: IntentRow) -> None:
        """W15: with a reason."""
        from state.wake.intent_commands import RetryIntent

        def make(texts: Texts) -> Command:
            return RetryIntent(row.intent, texts["reason"].strip())

        title = words.form_of(words.RETRY, row.message, signs.seat(row.seat))
        self._ask_why(title, words.RETRY_INTRO, make)

    def dismiss_intent(self, row: IntentRow) -> None:
        """W15: with a reason."""
        from state.wake.intent_commands import DismissIntent

        def make(texts: Texts) -> Command:
            return DismissIntent(row.intent, texts["reason"].strip())

        title = words.form_of(words.DISMISS, row.message, signs.seat(row.seat))
        self._ask_why(title, words.DISMISS_INTRO, make)

    def ask_about_conflict(self, submission: Submission, conflict: RevisionConflict) -> None:
        """A policy or window that changed meanwhile is shown by the dialog that asked (W6)."""
        if conflict.entity == ROSTER:
            super().ask_about_conflict(submission, conflict)
        else:
            self.refuse(submission, conflict)

    def _at_once(self, command: Command) -> None:
        self.submit(command, sender=self.screen_stack[0])

    def _ask_why(self, title: str, intro: str, make: Callable[[Texts], Command]) -> None:
        from panel.screens.form import Asked, Form, FormSpec

        asked = Asked("reason", words.REASON, hint=words.REASON_HINT)
        self.put(Form(FormSpec(title, block(intro), (asked,), make)))
