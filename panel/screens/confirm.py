"""A question that is answered with yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from panel import keys
from panel.screens.dialog import Dialog


class Confirm(Dialog[bool]):
    """Dismissed with True or False; `question` is made by `panel.safe_text`."""

    CONTEXT = "confirm"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("confirm")]

    def __init__(self, heading: str, question: Content) -> None:
        super().__init__()
        self._heading = heading
        self._question = question

    def heading(self) -> str:
        return self._heading

    def compose_body(self) -> ComposeResult:
        yield Static(self._question)

    def action_answer(self, answer: bool) -> None:
        """Leave with the answer."""
        self.leave(answer)
