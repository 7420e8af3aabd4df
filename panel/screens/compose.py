"""Writing a message or a reply: what was typed stays until the journal has it, or as a draft."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input, TextArea

from panel import drafts, keys
from panel.drafts import Draft
from panel.messages import CommandCommitted, CommandRefused
from panel.present import health
from panel.screens.dialog import Dialog
from panel.snapshot import Snapshot
from panel.widgets.ask_line import AskLine
from panel.widgets.choice import Choice
from panel.widgets.completion import Completion
from panel.widgets.entry import Entry
from panel.widgets.safe_input import SafeInput, SafeTextArea
from panel.words import compose as words
from panel.words import signs, states
from state.checks import TITLE_LIMIT
from state.command import USER
from state.errors import BadInput, Refused, StateError
from state.messages import decide
from state.messages.commands import Post

KINDS = ("note", "question", "task", "result")


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
        self._start = pristine
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
        start = self._start = drafts.of(self.app).get(self._pristine)
        kinds = KINDS if start.reply_to is None else ("reply", *KINDS)
        to = SafeInput(start.to, compact=True, suggester=Completion(self._completed), id="to")
        yield Entry(words.TO, to, id="entry-to")
        yield Entry(words.KIND, Choice(kinds, start.kind, id="kind"), id="entry-kind")
        urgency = words.URGENCIES[start.urgent]
        yield Entry(words.URGENT, Choice(words.URGENCIES, urgency, id="urgent"), id="entry-urgent")
        title = SafeInput(
            start.title, words.TITLE_HINT, compact=True, select_on_focus=False, id="title"
        )
        yield Entry(words.TITLE, title, id="entry-title")
        refs = SafeInput(
            start.refs, words.REFS_HINT, compact=True, select_on_focus=False, id="refs"
        )
        yield Entry(words.REFS, refs, id="entry-refs")
        yield SafeTextArea(
            start.body,
            compact=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            placeholder=words.TEXT_HINT,
            id="text",
        )
        yield AskLine(words.LEAVE)

    def on_mount(self) -> None:
        self.name_box()
        reply = self._pristine.reply_to is not None
        self.query_one("#text" if reply else "#to").focus()
        if self._start != self._pristine:
            self.say(words.DRAFT_IS_BACK)
        self._look_at_recipients()

    def show(self, snapshot: Snapshot) -> None:
        self._look_at_recipients()

    def why_not(self, needs: str) -> str | None:
        return words.SENT_ALREADY if self._is_under_way else health.why_not_written(self.seen)

    @property
    def _is_under_way(self) -> bool:
        return self._under_way and self.panel.is_saving

    # What is typed.

    def draft(self) -> Draft:
        """What stands in the fields."""
        return Draft(
            to=self._text("to"),
            kind=self.query_one("#kind", Choice).value,
            title=self._text("title"),
            body=self.query_one(SafeTextArea).text,
            refs=self._text("refs"),
            urgent=self.query_one("#urgent", Choice).value == words.URGENCIES[True],
            reply_to=self._pristine.reply_to,
        )

    @property
    def is_written(self) -> bool:
        """Whether there is anything to lose."""
        return self.draft() != self._pristine

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", SafeInput).value

    @on(Choice.Changed)
    @on(TextArea.Changed)
    def _keep(self) -> None:
        """Whatever is written is kept at once, so that nothing but the person can lose it."""
        if self.is_mounted:
            drafts.of(self.app).put(self._pristine, self.draft() if self.is_written else None)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._keep()
        self.query_one(f"#entry-{event.input.id}", Entry).accept()
        if event.input.id == "to":
            self._look_at_recipients()
        elif event.input.id == "title":
            near = len(event.value) > TITLE_LIMIT * 3 // 4
            said = words.characters(len(event.value), TITLE_LIMIT) if near else ""
            self.query_one("#entry-title", Entry).help(said)
        elif event.input.id is not None:
            self.query_one(f"#entry-{event.input.id}", Entry).help(words.REFS_HELP)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def _statuses(self) -> Mapping[str, str]:
        seats = () if self.seen is None else self.seen.overview.seats
        return {seat.seat: seat.status for seat in seats}

    def _look_at_recipients(self) -> None:
        """Say whom it would go to, by the rule that decides it; else who there is to choose."""
        entry = self.query_one("#entry-to", Entry)
        found = self._resolved(_recipients(self._text("to")))
        if found:
            entry.help(words.reaches(signs.seats(found, 6), len(found)))
        else:
            others = self._resolved((decide.ALL,))
            entry.help(words.seats_to_choose(signs.seats(others, 6)) if others else words.NOBODY)

    def _resolved(self, to: tuple[str, ...]) -> tuple[str, ...]:
        """The seats that a message would reach, none where it would be refused."""
        try:
            return decide.resolve(USER, to, self._statuses())[0]
        except Refused:
            return ()

    def _completed(self, text: str) -> str | None:
        head, word = _last_word(text)
        for option in (*self._resolved((decide.ALL,)), decide.ALL):
            if word and option.startswith(word) and option != word:
                return f"{head}{option}"
        return None

    # Sending and leaving.

    def action_send(self) -> None:
        """Sends it; what is wrong with it is said at its field."""
        self._accept()
        draft = self.draft()
        try:
            command = _command(draft)
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
            self._leave(self.draft())
        elif event.answer == "drop":
            self._leave(None)
        else:
            (self._writing or self.query_one(SafeTextArea)).focus()

    def _leave(self, draft: Draft | None) -> None:
        drafts.of(self.app).put(self._pristine, draft)
        if draft is not None:
            self.panel.say(words.DRAFT_KEPT)
        self.leave(None)

    def _accept(self) -> None:
        self.say("")
        for entry in self.query(Entry):
            entry.accept()

    def _refuse(self, error: StateError) -> None:
        said = states.with_hint(error.message, words.hint(error.hint))
        name = "to" if isinstance(error, Refused) else getattr(error, "field", None)
        self.say(words.NOT_SENT, "error")
        for entry in self.query(Entry):
            if entry.id == f"entry-{name}":
                entry.refuse(said)
                return
        self.say(said, "error")
        if name == "body":
            self.query_one(SafeTextArea).focus()


def _command(draft: Draft) -> Post:
    """The command that the fields make. BadInput with the field's name."""
    try:
        refs = tuple(shlex.split(draft.refs))
    except ValueError as error:
        raise BadInput(words.QUOTES, field="refs") from error
    return Post(
        to=_recipients(draft.to),
        title=draft.title,
        body=draft.body,
        kind=draft.kind,
        reply_to=draft.reply_to,
        refs=refs,
        urgent=draft.urgent,
    )


def _recipients(text: str) -> tuple[str, ...]:
    named = text.replace(",", " ").split()
    return tuple(dict.fromkeys(USER if seat == signs.USER_SHOWN else seat for seat in named))


def _last_word(text: str) -> tuple[str, str]:
    """What stands before the last word, and that word."""
    at = max(text.rfind(" "), text.rfind(",")) + 1
    return text[:at], text[at:]
