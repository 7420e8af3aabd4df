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
        text = super()._value
        return Text(neutral.masked(text.plain), no_wrap=True, overflow="ignore", end="")


class SafeTextArea(TextArea):
    """A `TextArea` whose text may hold any character."""

    def get_line(self, line_index: int) -> Text:
        text = super().get_line(line_index)
        tabs_kept = "\t".join(neutral.masked(part) for part in text.plain.split("\t"))
        return Text(tabs_kept, end="", no_wrap=True)
