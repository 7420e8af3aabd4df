"""From a key to a command about messages and tasks, with the questions in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panel import drafts
from panel.drafts import Draft
from panel.safe_text import block, line
from panel.submitting import SubmittingApp
from panel.words import signs
from panel.words import tasks as words

if TYPE_CHECKING:
    from panel.asks.messages import Able
    from panel.screens.form import FormSpec, Texts
    from panel.screens.task_menu import Chosen
    from state.command import Command
    from state.messages.actions import NextDue

# What a key needs is loaded when it is pressed, not before the first frame.


class MessageFlowApp(SubmittingApp):
    """An app in which the user writes, acknowledges and works on tasks."""

    @property
    def has_unsent(self) -> bool:
        """Whether something is written and not sent that would be lost with the panel."""
        return len(drafts.of(self)) > 0

    def write_message(self, to: str = "") -> None:
        """A new message, or the one that was kept as a draft."""
        self._compose(Draft(to=to))

    def reply(self, able: Able) -> None:
        """An answer to one message, to those whom the rules name."""
        to = " ".join(signs.seat(seat) for seat in able.reply_to)
        draft = Draft(to=to, kind="reply", reply_to=able.number)
        self._compose(draft, able.title)

    def _compose(self, draft: Draft, answered: str = "") -> None:
        from panel.screens.compose import ComposeScreen

        self.put(ComposeScreen(draft, answered))

    def acknowledge(self, due: NextDue) -> None:
        """The next message due to the user; asks first where it is still open (M5)."""
        from panel.screens.confirm import Confirm
        from state.messages.commands import Acknowledge

        number = due.number
        if number is None:
            return
        base = self.screen_stack[0]

        def then(yes: bool | None) -> None:
            if yes:
                said = words.acknowledged(number, signs.seat(due.sender))
                self.submit(Acknowledge(number), sender=base, what=said)

        if due.still_open:
            asked = words.still_open(signs.seat(due.sender), due.title)
            self.put(Confirm(words.asks_first(number), block(asked)), then)
        else:
            then(True)

    def open_task_menu(self, number: int) -> None:
        """Asks what to do with a task, and sees it through."""
        from panel.screens.task_menu import TaskMenu

        def then(chosen: Chosen | None) -> None:
            if chosen is not None:
                self.change_task(number, chosen)

        self.put(TaskMenu(number), then)

    def change_task(self, number: int, chosen: Chosen) -> None:
        """One action on a task: at once, or by a form that asks what it needs (M7)."""
        from panel.screens.form import Form
        from state.messages.tasks import AcceptTask

        if chosen.name == "accept":
            self.submit(AcceptTask(number), sender=self.screen_stack[0])
        elif chosen.name == "done":
            from panel.screens.task_done import TaskDone

            self.put(TaskDone(number))
        else:
            self.put(Form(_with_reason(number, chosen)))


def _with_reason(number: int, chosen: Chosen) -> FormSpec:
    from panel.screens.form import Asked, FormSpec
    from state.messages.tasks import CancelTask, DeclineTask

    def make(texts: Texts) -> Command:
        if chosen.name == "decline":
            return DeclineTask(number, texts["reason"])
        return CancelTask(number, texts["reason"], chosen.holder)

    whose = None if chosen.holder is None else signs.whose(chosen.holder)
    intro = line(words.declines() if chosen.name == "decline" else words.cancels(whose))
    asked = Asked("reason", words.REASON, hint=words.REASON_HELP)
    return FormSpec(words.form(chosen.name, number), intro, (asked,), make)
