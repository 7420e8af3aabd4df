"""One of a few words, chosen with left and right or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from panel import neutral, safe_text

_GAP = 2
_CHOSEN = "bold $text-accent"
_OTHER = "$text-muted"


class Choice(Widget, can_focus=True):
    """The options beside each other; the chosen one has a sign before it."""

    DEFAULT_CSS = """
    Choice {
        height: auto;
        &:focus { background: $boost; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", show=False),
        Binding("right,space", "move(1)", show=False),
    ]
    place: reactive[int] = reactive(0, layout=True)

    class Changed(Message):
        """Another option is chosen."""

        def __init__(self, choice: Choice, value: str) -> None:
            super().__init__()
            self.choice = choice
            self.value = value

        @property
        def control(self) -> Choice:
            return self.choice

    def __init__(self, options: Sequence[str], chosen: str, **rest: Any) -> None:
        super().__init__(**rest)
        self._options = tuple(options)
        self.set_reactive(Choice.place, self._options.index(chosen))

    @property
    def value(self) -> str:
        """The option that is chosen."""
        return self._options[self.place]

    @value.setter
    def value(self, chosen: str) -> None:
        self.place = self._options.index(chosen)

    def action_move(self, by: int) -> None:
        """Choose the next option, or the one before."""
        self.place = (self.place + by) % len(self._options)

    def watch_place(self) -> None:
        self.post_message(self.Changed(self, self.value))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Content:
        lines = [
            safe_text.row(
                [(text, _CHOSEN if place == self.place else _OTHER) for place, text in line],
                " " * _GAP,
            )
            for line in self._lines(self.content_size.width)
        ]
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        lines = self._lines(self.content_size.width)
        if offset is None or offset.y >= len(lines):
            return
        at = 0
        for place, text in lines[offset.y]:
            if at <= offset.x < at + neutral.cells(text):
                self.place = place
            at += neutral.cells(text) + _GAP

    def _lines(self, width: int) -> list[list[tuple[int, str]]]:
        """The options by their places, as many on a line as fit; a sign stays with its word."""
        lines: list[list[tuple[int, str]]] = [[]]
        used = 0
        for place, option in enumerate(self._options):
            text = f"{'◉' if place == self.place else '○'} {option}"
            size = neutral.cells(text)
            if lines[-1] and used + _GAP + size > width:
                lines.append([])
                used = 0
            used += size + (_GAP if lines[-1] else 0)
            lines[-1].append((place, text))
        return lines
