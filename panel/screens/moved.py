"""The project stands in another folder than its anchor says: was it moved, or is it a copy?"""

from __future__ import annotations

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from panel import keys, safe_text
from panel.bridge import Bridge
from panel.screens.dialog import Dialog
from panel.snapshot import Snapshot
from panel.words import moved as words
from panel.words import states
from state.errors import StateError


class _Said(Message, bubble=False):
    def __init__(self, error: StateError | None) -> None:
        super().__init__()
        self.error = error


class Moved(Dialog[str]):
    """Dismissed with `moved` or `copy` once the picture shows it, with None when left.

    Until then nothing can be written, and keys that write would be refused.
    """

    CONTEXT = "moved"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("moved")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._answer: str | None = None
        self._told = False

    def heading(self) -> str:
        return words.TITLE

    def compose_body(self) -> ComposeResult:
        yield Static(safe_text.line(words.found_in(self._bridge.paths.project), "bold"))
        question = words.question(self.panel.key("moved.moved"), self.panel.key("moved.copied"))
        yield Static(safe_text.block(question))

    def show(self, snapshot: Snapshot) -> None:
        self._leave_when_settled()

    def _leave_when_settled(self) -> None:
        if self._told and not self.panel.is_unsettled:
            self.leave(self._answer)

    def action_answer(self, answer: str) -> None:
        """Tell the project which it is."""
        if self._answer is None:
            self._answer = answer
            self.say(states.SAVING)
            self._tell(self._bridge, answer)

    @work(thread=True, group="write", exit_on_error=False)
    def _tell(self, bridge: Bridge, answer: str) -> None:
        try:
            bridge.settle_place(answer)
        except StateError as error:
            self.post_message(_Said(error))
        else:
            self.post_message(_Said(None))

    @on(_Said)
    def _said(self, event: _Said) -> None:
        if event.error is None:
            self._told = True
            self.panel.retake()
            self._leave_when_settled()
        else:
            self._answer = None
            self.say(states.with_hint(event.error.message, event.error.hint), "error")
