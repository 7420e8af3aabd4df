"""From the seat menu to a command: forms, what stands against it, conflicts with others (R9)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from panel.messages import Place
from panel.present import ages
from panel.submitting import Submission, SubmittingApp

if TYPE_CHECKING:
    from panel.asks.overview import SeatDetail
    from state.errors import RevisionConflict

# What a key needs is loaded when it is pressed, not before the first frame.


class SeatFlowApp(SubmittingApp):
    """An app that changes the roster by what the person chooses."""

    def open_seat_menu(self, seat: str) -> None:
        """Asks what to do with a seat, and sees it through."""
        from panel.screens.seat_menu import SeatMenu

        def then(answer: tuple[str, SeatDetail] | None) -> None:
            if answer is not None:
                self.change_seat(*answer)

        self.put(SeatMenu(seat), then)

    def change_seat(self, name: str, detail: SeatDetail) -> None:
        """One action on a seat as it was shown: at once, by a form, or what stands against it."""
        from panel import seat_forms
        from panel.screens.form import Form
        from panel.screens.refusal import Refusal
        from panel.words import seat_menu as words
        from panel.words import signs

        refusal = detail.actions[name].refusal
        forms = seat_forms.by_name(detail.seat, detail.roster, self._moment)
        if refusal is not None and refusal.blocking:

            def then(answer: Place | str | None) -> None:
                if isinstance(answer, Place):
                    self.call_later(self.go, answer)
                elif answer is not None:
                    self.change_seat(answer, detail)

            self.put(Refusal(detail, refusal), then)
        elif name in forms:
            self.put(Form(forms[name]()))
        else:
            command = seat_forms.AT_ONCE[name](detail.seat.seat, detail.roster)
            said = words.DONE[name].format(signs.seat(detail.seat.seat))
            self.submit(command, sender=self.screen_stack[0], what=said)

    def ask_about_conflict(self, submission: Submission, conflict: RevisionConflict) -> None:
        """R9: shows what happened in between; the same change again, or none."""
        from panel.screens.conflict import Conflict
        from panel.words import changes

        def then(apply: bool | None) -> None:
            if apply:
                self.apply_again(submission, conflict.actual)
            else:
                self.refuse(submission, conflict)

        change = changes.in_words(submission.command)
        self.put(Conflict(change, conflict, self.own_revisions), then)

    def _moment(self) -> datetime:
        return ages.parsed(self.clock.now())
