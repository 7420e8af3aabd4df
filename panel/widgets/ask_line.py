"""A question that takes the keys until it is answered, inside what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from panel import keys, safe_text


class AskLine(Static, can_focus=True):
    """Not there until it asks. Its keys are those of one context of the table."""

    DEFAULT_CSS = """
    AskLine {
        height: auto;
        display: none;
        color: $text-warning;
        text-style: bold;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("draft")]

    class Answered(Message):
        """What the person chose."""

        def __init__(self, answer: str) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, question: str, key: Callable[[str], str], **options: Any) -> None:
        """`key` names the key of a binding."""
        super().__init__(**options)
        self._question = question
        self._key = key

    def ask(self) -> None:
        """Ask, with the keys that answer."""
        choices = [
            part
            for key in keys.of("draft")
            for part in ((f"  {self._key(key.id)} ", "$footer-key-foreground"), (key.label, ""))
        ]
        parts: list[tuple[str, str] | Content] = [(self._question, ""), *choices]
        self.update(safe_text.row(parts, ""))
        # At once: what is pressed next is the answer.
        self.display = True
        self.screen.set_focus(self)

    def action_answer(self, answer: str) -> None:
        """Take the answer."""
        self.display = False
        self.post_message(self.Answered(answer))
