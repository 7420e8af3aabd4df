"""Fields that may hold text from outside: they draw each character of it as one that is seen.

The value itself is never altered; only what is drawn is (M9). Use these wherever Textual's own
`Input` and `TextArea` would be used, since text can always be pasted.
"""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input, TextArea

from panel import neutral


class SafeInput(Input):
    """An `Input` whose value may hold any character."""

    @property
    def _value(self) -> Text:
        # Made of the value itself: Rich takes some controls out, which would shift the cursor.
        shown = "•" * len(self.value) if self.password else neutral.masked(self.value)
        return Text(shown, no_wrap=True, overflow="ignore", end="")

    def _position_to_cell(self, position: int) -> int:
        return neutral.cells(neutral.masked(self.value[:position]))


class SafeTextArea(TextArea):
    """A `TextArea` whose text may hold any character."""

    def get_line(self, line_index: int) -> Text:
        # Tabs stay: the widget itself brings them to its stops.
        parts = self.document.get_line(line_index).split("\t")
        return Text("\t".join(map(neutral.masked, parts)), end="", no_wrap=True)
