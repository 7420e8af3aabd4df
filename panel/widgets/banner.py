"""What is wrong with the whole project, over everything else; not there while nothing is."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Banner(Static):
    """Some lines of words in a colour that only repeats them."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Banner {
        height: auto;
        max-height: 4;
        padding: 0 1;
        color: $text-error;
        background: $panel;
        text-style: bold;
        display: none;
        &.-shown { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._words: Content | None = None

    def show(self, words: Content | None) -> None:
        """Show these words, or nothing."""
        before, self._words = self._words, words
        # Each update lays the whole screen out anew.
        if words is before or (words and before and words.is_same(before)):
            return
        # In this order: shown before it has its words, it gets the room of one empty line.
        self.update(words if words is not None else Content(""))
        self.set_class(words is not None, "-shown")
