"""A text that is read: drawn for the width there is, scrolled, drawn anew as ages change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

Draw = Callable[[int], Content]


def put(shown: Static, before: Content | None, drawn: Content) -> None:
    """Shows another text in place of the one before; laying out costs a drawing of the screen.

    It is left out where the text takes as many lines as before, as when only ages change.
    """
    width = shown.content_size.width
    # Without room on the screen there is no width.
    if before is None or width == 0:
        shown.update(drawn)
        return
    same = before.get_height({}, width) == drawn.get_height({}, width)
    shown.update(drawn, layout=not same)


class ReadingPane(VerticalScroll, can_focus=True):
    """Shows what a function draws for a width; `key` names what is shown."""

    DEFAULT_CSS = """
    ReadingPane {
        padding: 0 1;
        scrollbar-size-vertical: 1;
        & > Static { width: 1fr; height: auto; }
    }
    """

    def __init__(self, empty: Content, **options: Any) -> None:
        super().__init__(**options)
        self._empty = empty
        self._draw: Draw | None = None
        self._drawn: Content | None = None
        self._width = 0
        self.key: object = None

    def compose(self) -> ComposeResult:
        yield Static(self._empty)

    def show(self, key: object, draw: Draw) -> None:
        """Show something from its top; what was shown already stays where it is scrolled to."""
        if key != self.key:
            self.scroll_home(animate=False)
        self.key = key
        self._draw = draw
        self.draw()

    def clear(self, words: Content | None = None) -> None:
        """Show nothing, and say why not."""
        self.key = self._draw = None
        self.scroll_home(animate=False)
        self._put(self._empty if words is None else words)

    def draw(self) -> None:
        """Draw again; nothing is done where it reads as before."""
        # 0 while it isn't on the screen; it is drawn when it comes there, as another width.
        self._width = self.scrollable_content_region.width
        if self._draw is not None and self._width > 0:
            self._put(self._draw(self._width))

    def _put(self, drawn: Content) -> None:
        before = self._drawn
        if before is None or not drawn.is_same(before):
            self._drawn = drawn
            put(self.query_one(Static), before, drawn)

    def on_resize(self, event: events.Resize) -> None:
        if self.scrollable_content_region.width != self._width:
            self.draw()
