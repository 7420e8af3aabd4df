"""The first line of every mode: which project, how much of it was checked, and the time."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from panel.present import header
from panel.snapshot import Snapshot


class HeaderLine(Widget):
    """Drawn anew each second, because of the clock."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    HeaderLine {
        dock: top;
        width: 100%;
        height: 1;
        padding: 0 1;
        color: $foreground;
        background: $panel;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._snapshot: Snapshot | None = None
        self._now = ""
        self._failed = False

    def show(self, snapshot: Snapshot | None, now: str, *, failed: bool = False) -> None:
        """Show this picture at this time (UTC as stored); `failed`: why there is none is known."""
        self._snapshot, self._now, self._failed = snapshot, now, failed
        self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        return header.line(self._snapshot, self._now, width, failed=self._failed)
