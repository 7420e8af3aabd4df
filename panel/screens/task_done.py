"""Finishing a task: what proves it is a file, a message, or in so many words nothing (M7)."""

from __future__ import annotations

import os
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from panel import filtering, keys
from panel.asking import Asking
from panel.messages import CommandRefused, CommandSaved
from panel.present import health
from panel.screens.dialog import Dialog
from panel.widgets.choice import Choice
from panel.widgets.entry import Entry
from panel.widgets.safe_input import SafeInput
from panel.words import compose, states
from panel.words import tasks as words
from state.clock import Moment
from state.errors import BadInput, StateError
from state.index.view import View
from state.messages.evidence import take_file
from state.messages.operations import Evidence, FileEvidence, MessageEvidence, NoEvidence
from state.messages.tasks import FinishTask

HELP = {"file": words.FILE_HELP, "message": words.MESSAGE_HELP, "none": words.NONE_HELP}


class TaskDone(Dialog[bool], Asking):
    """Dismissed with True once it is saved."""

    CONTEXT = "form"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("form")]
    AUTO_FOCUS = "#evidence"

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._under_way = False

    def heading(self) -> str:
        return words.form("finish", self._number)

    def compose_body(self) -> ComposeResult:
        choice = Choice(tuple(words.EVIDENCES.values()), words.EVIDENCES["file"], id="evidence")
        yield Entry(words.EVIDENCE, choice, HELP["file"])
        field = SafeInput(compact=True, select_on_focus=False, id="named")
        yield Entry(words.FILE, field, id="entry-named")

    @property
    def _kind(self) -> str:
        chosen = self.query_one(Choice).value
        return next(kind for kind, word in words.EVIDENCES.items() if word == chosen)

    @on(Choice.Changed)
    def _changed(self) -> None:
        kind = self._kind
        self.query_one(Entry).help(HELP[kind])
        named = self.query_one("#entry-named", Entry)
        named.display = kind != "none"
        named.name_it({"file": words.FILE, "message": words.MESSAGE}.get(kind, ""))
        named.accept()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_send()

    def action_send(self) -> None:
        """Take the evidence as it is now and finish the task with it."""
        if self._under_way:
            return
        self._say_wrong("")
        reason = health.why_not_written(self.seen)
        if reason is not None:
            self.say(reason, "warning")
            return
        kind, text = self._kind, self.query_one(SafeInput).value
        if kind == "none":
            self._finish(NoEvidence())
        elif kind == "message":
            try:
                self._finish(MessageEvidence(filtering.number(text)))
            except BadInput as error:
                self._say_wrong(error.message)
        elif not text.strip():
            self._say_wrong(words.FILE_NEEDED)
        else:
            self._under_way = True
            self.say(words.HASHING)

            def take(view: View, _: Moment) -> FileEvidence:
                project = view.paths.project
                try:
                    return take_file(project, os.path.join(project, text))
                except BadInput as error:
                    named = error.message.replace(f"{project}/", "")
                    raise BadInput(named, words.PLAIN_FILE) from error

            self.ask("file", take, self._finish, self._wrong)

    def _finish(self, evidence: Evidence) -> None:
        self._under_way = True
        self.say(states.SAVING)
        self.panel.submit(FinishTask(self._number, evidence), sender=self)

    @on(CommandRefused)
    def _command_refused(self, event: CommandRefused) -> None:
        self._wrong(event.error)

    @on(CommandSaved)
    def _command_saved(self) -> None:
        self.leave(True)

    def _wrong(self, error: StateError) -> None:
        self._under_way = False
        self._say_wrong(states.with_hint(error.message, compose.hint(error.hint)))

    def _say_wrong(self, why: str) -> None:
        named = self.query_one("#entry-named", Entry)
        self.say("")
        if not why:
            named.accept()
        elif named.display:
            named.refuse(why)
        else:
            self.say(why, "error")
