"""What a mode can do with the message under its cursor: acknowledge, reply, task, write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from panel.asking import Asking
from panel.screens.mode import ModeScreen
from panel.snapshot import Snapshot
from panel.widgets.key_footer import KeyFooter
from panel.words import tasks as words
from state.errors import NotFound, StateError

if TYPE_CHECKING:
    from panel.asks.messages import Able
    from state.messages.actions import NextDue

# What a key needs, by the name that the rules give what it does.
RULES: Mapping[str, str] = {"reply": "reply", "task": "task", "message": ""}


class MessageActions(ModeScreen, Asking):
    """A mode calls `take_message` when its cursor comes to a message, or to none."""

    def __init__(self) -> None:
        super().__init__()
        self.message_in_hand: int | None = None
        self._able: Able | None = None
        self._due: NextDue | None = None
        self._asked_rev = 0

    def take_message(self, number: int | None) -> None:
        """The letters are about this message from now on."""
        if number == self.message_in_hand:
            return
        self.message_in_hand = number
        self._able = None
        self.forget("able")
        if number is not None:
            self._ask_able(number)
        self._keys_changed()

    def show(self, snapshot: Snapshot) -> None:
        super().show(snapshot)
        if snapshot.rev != self._asked_rev:
            self._asked_rev = snapshot.rev
            # What can be done is asked once the picture is drawn, and loaded then.
            self.after_frame(self._ask_what_can_be_done)

    def _ask_what_can_be_done(self) -> None:
        from panel.asks import messages as asks

        self.ask("due", asks.due(), self._take_due, self._no_due, refresh=True)
        if self.message_in_hand is not None:
            self._ask_able(self.message_in_hand, refresh=True)

    def _ask_able(self, number: int, *, refresh: bool = False) -> None:
        from panel.asks import messages as asks

        self.ask("able", asks.able(number), self._take_able, self._not_able, refresh=refresh)

    def _take_able(self, able: Able) -> None:
        if able.number == self.message_in_hand:
            self._able = able
            self._keys_changed()

    def _not_able(self, error: StateError) -> None:
        self._able = None
        if isinstance(error, NotFound):
            # The cursor is on a line that posted no message.
            self.message_in_hand = None
        else:
            self.panel.say(error.message, "error")
        self._keys_changed()

    def _take_due(self, due: NextDue) -> None:
        self._due = due
        self._keys_changed()

    def _no_due(self, error: StateError) -> None:
        self._due = None

    def _keys_changed(self) -> None:
        for footer in self.query(KeyFooter):
            footer.refresh_keys()

    def why_not(self, needs: str) -> str | None:
        reason = super().why_not(needs)
        if reason is not None:
            return reason
        if needs == "acknowledge":
            if self._due is None:
                return words.ASKING
            refusal = self._due.action.refusal
            return None if refusal is None else refusal.message
        if needs in RULES:
            if self.message_in_hand is None:
                return words.NO_MESSAGE
            if needs == "message":
                return None
            return words.ASKING if self._able is None else self._able.refusals[RULES[needs]]
        return None

    # Keys.

    def action_acknowledge(self) -> None:
        """Acknowledges the next message due, wherever the cursor is (M5)."""
        if self._due is not None:
            self.panel.acknowledge(self._due)

    def action_reply(self) -> None:
        """Writes an answer to the message under the cursor."""
        if self._able is not None:
            self.panel.reply(self._able)

    def action_write(self) -> None:
        """Writes a message, to the seat in hand where there is one."""
        self.panel.write_message()

    def action_task_menu(self) -> None:
        """What can be done with the task under the cursor."""
        if self.message_in_hand is not None:
            self.panel.open_task_menu(self.message_in_hand)
