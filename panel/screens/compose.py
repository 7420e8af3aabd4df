"""Writing a message or a reply: what was typed stays until the journal has it, or as a draft."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from panel import drafts, keys
from panel.drafts import Draft
from panel.messages import CommandCommitted, CommandRefused
from panel.present import health
from panel.screens.dialog import Dialog
from panel.snapshot import Snapshot
from panel.widgets.ask_line import AskLine
from panel.widgets.message_fields import MessageFields
from panel.words import compose as words
from panel.words import states
from state.errors import Refused, StateError
from state.messages.commands import Post


class ComposeScreen(Dialog[None]):
    """What is written and not sent when it is left stands in `drafts`, if the person wants it."""

    CONTEXT = "compose"
    CSS_PATH = "compose.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("compose")]
    AUTO_FOCUS = ""

    def __init__(self, pristine: Draft, answered: str = "") -> None:
        """`pristine` is what a fresh start holds, `answered` the title of what is replied to."""
        super().__init__()
        self._pristine = pristine
        self._answered = answered
        self._sent: tuple[Post, str] | None = None
        self._under_way = False
        self._writing: Widget | None = None

    def heading(self) -> str:
        reply_to = self._pristine.reply_to
        if reply_to is None:
            return words.WRITE
        return f"{words.REPLY}: {words.answering(reply_to, self._answered)}"

    def compose_body(self) -> ComposeResult:
        start = drafts.of(self.app).get(self._pristine)
        if start != self._pristine:
            self.call_after_refresh(self.say, words.DRAFT_IS_BACK)
        yield MessageFields(start, self._statuses)
        yield AskLine(words.LEAVE, self.panel.key)

    @property
    def _fields(self) -> MessageFields:
        return self.query_one(MessageFields)

    def show(self, snapshot: Snapshot) -> None:
        self._fields.look_at_recipients()

    def _statuses(self) -> Mapping[str, str]:
        seats = () if self.seen is None else self.seen.overview.seats
        return {seat.seat: seat.status for seat in seats}

    def why_not(self, needs: str) -> str | None:
        return words.SENT_ALREADY if self._is_under_way else health.why_not_written(self.seen)

    @property
    def _is_under_way(self) -> bool:
        return self._under_way and self.panel.is_saving

    @property
    def is_written(self) -> bool:
        """Whether there is anything to lose."""
        return self._fields.draft() != self._pristine

    @on(MessageFields.Changed)
    def _keep(self) -> None:
        """Whatever is written is kept at once, so that nothing but the person can lose it."""
        draft = self._fields.draft()
        drafts.of(self.app).put(self._pristine, None if draft == self._pristine else draft)

    # Sending and leaving.

    def action_send(self) -> None:
        """Sends it; what is wrong with it is said at its field."""
        self.say("")
        self._fields.accept()
        try:
            command = drafts.command(self._fields.draft())
        except StateError as error:
            self._refuse(error)
            return
        # The same text sent again is the same command: it can't be there twice (M4).
        if self._sent is None or self._sent[0] != command:
            self._sent = (command, uuid.uuid4().hex)
        self._under_way = True
        self.say(states.SAVING)
        self.panel.submit(command, key=self._sent[1], sender=self)

    @on(CommandCommitted)
    def _committed(self) -> None:
        self._leave(None)

    @on(CommandRefused)
    def _command_refused(self, event: CommandRefused) -> None:
        self._under_way = False
        self._refuse(event.error)

    def action_cancel(self) -> None:
        """Leaves; what is written is not lost without a question."""
        if self._is_under_way:
            self.say(words.SENT_ALREADY, "warning")
        elif self.is_written:
            self._writing = self.focused
            self.query_one(AskLine).ask()
        else:
            self._leave(None)

    @on(AskLine.Answered)
    def _leave_answered(self, event: AskLine.Answered) -> None:
        event.stop()
        if event.answer == "keep":
            self._leave(self._fields.draft())
        elif event.answer == "drop":
            self._leave(None)
        else:
            (self._writing or self._fields).focus()

    def _leave(self, draft: Draft | None) -> None:
        drafts.of(self.app).put(self._pristine, draft)
        if draft is not None:
            self.panel.say(words.DRAFT_KEPT)
        self.leave(None)

    def _refuse(self, error: StateError) -> None:
        said = states.with_hint(error.message, words.hint(error.hint))
        name = "to" if isinstance(error, Refused) else getattr(error, "field", None)
        if self._fields.refuse(name, said):
            said = words.NOT_SENT
        self.say(said, "error")
