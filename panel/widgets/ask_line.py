"""A question that takes the keys until it is answered, inside what it is about."""

from __future__ import annotations

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
        &.-asking { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("draft")]

    class Answered(Message):
        """What the person chose."""

        def __init__(self, answer: str) -> None:
            super().__init__()
            self.answer = answer

    def __init__(self, question: str, **options: Any) -> None:
        super().__init__(**options)
        self._question = question

    def ask(self) -> None:
        """Ask, with the keys that answer."""
        choices = [
            part
            for key in keys.of("draft")
            for part in ((f"  {keys.shown(key.keys)} ", "$footer-key-foreground"), (key.label, ""))
        ]
        parts: list[tuple[str, str] | Content] = [(self._question, ""), *choices]
        self.update(safe_text.row(parts, ""))
        self.add_class("-asking")
        self.focus()

    def action_answer(self, answer: str) -> None:
        """Take the answer."""
        self.remove_class("-asking")
        self.post_message(self.Answered(answer))
