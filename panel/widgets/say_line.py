"""One line over the footer in which the panel says what it did or why a key can't act."""

from __future__ import annotations

from textual.timer import Timer
from textual.widgets import Static

from panel import safe_text
from panel.safe_text import Severity
from panel.widgets.later import later

SECONDS = 6.0


class SayLine(Static):
    """Lies over the last line of the screen's body, and only while it says something."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    SayLine {
        layer: said;
        dock: bottom;
        margin: 0 0 1 0;
        height: auto;
        max-height: 3;
        padding: 0 1;
        color: $text-primary;
        background: $panel;
        display: none;
        &.-warning { color: $text-warning; }
        &.-error { color: $text-error; }
        &.-saying { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None
        self.said = ""

    def say(self, text: str, severity: Severity = "information", *, lasting: bool = False) -> None:
        """Say this until the next, or for some seconds; nothing when the text is empty."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.said = text
        self.set_class(bool(text), "-saying")
        self.set_class(severity == "warning", "-warning")
        self.set_class(severity == "error", "-error")
        self.update(safe_text.line(text))
        if text and not lasting:
            self._timer = later(self, SECONDS, self._end)

    def _end(self) -> None:
        self.say("")
