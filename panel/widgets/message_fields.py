"""The fields of a message that is written: recipients as they are meant, title, text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, TextArea

from panel import drafts
from panel.drafts import Draft
from panel.widgets.choice import Choice
from panel.widgets.completion import Completion
from panel.widgets.entry import Entry
from panel.widgets.safe_input import SafeInput, SafeTextArea
from panel.words import compose as words
from panel.words import signs
from state.checks import TITLE_LIMIT
from state.command import USER
from state.errors import Refused
from state.messages import decide

KINDS = ("note", "question", "task", "result")
_NAMED_AT_MOST = 6


class MessageFields(Vertical):
    """Begins with what stands in `start`; `statuses` gives the status of each seat now."""

    class Changed(Message):
        """Something else stands in a field."""

    def __init__(
        self, start: Draft, statuses: Callable[[], Mapping[str, str]], **options: Any
    ) -> None:
        super().__init__(**options)
        self._start = start
        self._statuses = statuses

    def compose(self) -> ComposeResult:
        start = self._start
        kinds = KINDS if start.reply_to is None else ("reply", *KINDS)
        urgency = words.URGENCIES[start.urgent]
        yield Entry(words.TO, self._recipients(start.to), id="entry-to")
        yield Entry(words.KIND, Choice(kinds, start.kind, id="kind"), id="entry-kind")
        yield Entry(words.URGENT, Choice(words.URGENCIES, urgency, id="urgent"), id="entry-urgent")
        yield Entry(words.TITLE, _line("title", start.title, words.TITLE_HINT), id="entry-title")
        yield Entry(words.REFS, _line("refs", start.refs, words.REFS_HINT), id="entry-refs")
        yield SafeTextArea(
            start.body,
            compact=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            placeholder=words.TEXT_HINT,
            id="text",
        )

    def on_mount(self) -> None:
        self.query_one("#to" if self._start.reply_to is None else "#text").focus()
        # The first key replaces whom it was begun for; later on nothing typed is replaced.
        self.query_one("#to", SafeInput).select_all()
        self.look_at_recipients()

    def _recipients(self, to: str) -> SafeInput:
        completion = Completion(self._completed)
        return SafeInput(to, compact=True, suggester=completion, select_on_focus=False, id="to")

    def draft(self) -> Draft:
        """What stands in the fields."""
        return Draft(
            to=self._text("to"),
            kind=self.query_one("#kind", Choice).value,
            title=self._text("title"),
            body=self.query_one(SafeTextArea).text,
            refs=self._text("refs"),
            urgent=self.query_one("#urgent", Choice).value == words.URGENCIES[True],
            reply_to=self._start.reply_to,
        )

    def accept(self) -> None:
        """Nothing is known to be wrong any more."""
        for entry in self.query(Entry):
            entry.accept()

    def refuse(self, name: str | None, why: str) -> bool:
        """Say at the field of this name what is wrong; False where there is none to say it at."""
        for entry in self.query(Entry):
            if entry.id == f"entry-{name}":
                entry.refuse(why)
                return True
        if name == "body":
            self.query_one(SafeTextArea).focus()
        return False

    def look_at_recipients(self) -> None:
        """Say whom it would go to, by the rule that decides it; else who there is to choose."""
        entry = self.query_one("#entry-to", Entry)
        found = self._resolved(drafts.recipients(self._text("to")))
        if found:
            entry.help(words.reaches(signs.seats(found, _NAMED_AT_MOST), len(found)))
            return
        others = self._resolved((decide.ALL,))
        named = signs.seats(others, _NAMED_AT_MOST)
        entry.help(words.seats_to_choose(named) if others else words.NOBODY)

    def _resolved(self, to: tuple[str, ...]) -> tuple[str, ...]:
        """The seats that a message would reach, none where it would be refused."""
        try:
            return decide.resolve(USER, to, self._statuses())[0]
        except Refused:
            return ()

    def _completed(self, text: str) -> str | None:
        head, word = drafts.last_word(text)
        for option in (*self._resolved((decide.ALL,)), decide.ALL):
            if word and option.startswith(word) and option != word:
                return f"{head}{option}"
        return None

    def _text(self, name: str) -> str:
        return self.query_one(f"#{name}", SafeInput).value

    @on(Choice.Changed)
    @on(TextArea.Changed)
    def _changed(self) -> None:
        self.post_message(self.Changed())

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())
        entry = self.query_one(f"#entry-{event.input.id}", Entry)
        entry.accept()
        if event.input.id == "to":
            self.look_at_recipients()
        elif event.input.id == "title":
            near = len(event.value) > TITLE_LIMIT * 3 // 4
            entry.help(words.characters(len(event.value), TITLE_LIMIT) if near else "")
        else:
            entry.help(words.REFS_HELP)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.screen.focus_next()


def _line(name: str, text: str, hint: str) -> SafeInput:
    return SafeInput(text, hint, compact=True, select_on_focus=False, id=name)
