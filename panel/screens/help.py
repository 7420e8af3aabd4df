"""What the keys do here, from the one table, as they are bound for this person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from panel import keys
from panel.present import help as present
from panel.screens.dialog import Dialog
from panel.words import help as words


class Help(Dialog[None]):
    """The keys of one mode; `mapped` are those that the person has remapped."""

    CONTEXT = "help"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("help")]
    AUTO_FOCUS = "#body"

    def __init__(self, mode: str, mapped: Mapping[str, str]) -> None:
        super().__init__()
        self._mode = mode
        self._mapped = mapped

    def heading(self) -> str:
        return words.title(self._mode)

    def compose_body(self) -> ComposeResult:
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#body").can_focus = True
        self.query_one("#body").focus()

    def on_resize(self) -> None:
        width = self.query_one("#body").scrollable_content_region.width
        self.query_one("#keys", Static).update(self._text(max(width, 1)))

    def _text(self, width: int) -> Content:
        return present.text(keys.acting_in(self._mode), self._mapped, width)
