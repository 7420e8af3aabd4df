"""What the keys do here, from the one table, as they are bound for this person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from panel import keys
from panel.present import help as present
from panel.screens.dialog import Dialog
from panel.words import help as words


class _Keys(Static):
    """A text made for the width that it has beside the scrollbar."""

    def __init__(self, made: Callable[[int], Content]) -> None:
        super().__init__()
        self._made = made
        self._width = 0

    def on_resize(self) -> None:
        if self.content_size.width != self._width:
            self._width = self.content_size.width
            self.update(self._made(max(self._width, 1)))


class Help(Dialog[None]):
    """The keys of one mode; `mapped` are those that the person has remapped."""

    CONTEXT = "help"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("help")]
    AUTO_FOCUS = "#body"
    # Its text is not laid out twice when the scrollbar comes.
    DEFAULT_CSS = """
    Help #body { scrollbar-gutter: stable; }
    """

    def __init__(self, mode: str, mapped: Mapping[str, str]) -> None:
        super().__init__()
        self._mode = mode
        self._mapped = mapped

    def heading(self) -> str:
        return words.title(self._mode)

    def compose_body(self) -> ComposeResult:
        yield _Keys(self._text)

    def on_mount(self) -> None:
        self.query_one("#body").can_focus = True
        self.query_one("#body").focus()

    def _text(self, width: int) -> Content:
        return present.text(keys.acting_in(self._mode), self._mapped, width)
