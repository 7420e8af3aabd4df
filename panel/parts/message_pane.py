"""The message under the cursor, read beside the list or, where there is no room, in its place."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.content import Content

from panel import safe_text
from panel.asking import Asking
from panel.asks.opened import Opened, opened
from panel.present import ages
from panel.present import message_details as present
from panel.screens.mode import ModeScreen
from panel.widgets.reading_pane import ReadingPane
from panel.words import messages as said
from panel.words import queue as words
from state.errors import StateError
from state.looked import Look

READING = "-reading"


class MessagePane(ModeScreen, Asking):
    """Follows the cursor; `number` is what it stands on, `opened` what is known of it."""

    def __init__(self) -> None:
        super().__init__()
        self.number: int | None = None
        self.opened: Opened | None = None
        self._looks: Mapping[str, Look] = {}

    def compose_pane(self) -> ComposeResult:
        """The pane itself."""
        yield ReadingPane(safe_text.line(words.NOTHING_OPEN, "$text-muted"), id="message")

    @property
    def pane(self) -> ReadingPane:
        """The pane itself."""
        return self.query_one("#message", ReadingPane)

    def point_at(self, number: int | None) -> None:
        """The cursor is on this message now, or on none."""
        if number == self.number:
            return
        self.number = number
        self.opened = None
        self.forget("message")
        if number is None:
            self.pane.clear()
        else:
            self._read(number)

    def refresh_pane(self) -> None:
        """The journal may have gone on, or a seat may have looked."""
        if self.number is None or self.seen is None:
            return
        known, looks = self.opened, self.seen.overview.looks
        if known is None or known.rev != self.seen.rev or looks != self._looks:
            self._looks = looks
            self._read(self.number, refresh=True)

    def _read(self, number: int, *, refresh: bool = False) -> None:
        self.ask("message", opened(number), self._take, self._failed, refresh=refresh)

    def _take(self, opened: Opened) -> None:
        if opened.message.id != self.number:
            return
        self.opened = opened
        self.pane.show(opened.message.id, lambda width: self._drawn(opened, width))

    def _failed(self, error: StateError) -> None:
        self.opened = None
        self.pane.clear(safe_text.line(said.bad(error.message), "$text-error"))

    def _drawn(self, opened: Opened, width: int) -> Content:
        now = ages.parsed(self.panel.clock.now())
        return present.whole(opened, now, width, self.panel.key("queue.thread"))

    def tick(self) -> None:
        super().tick()
        if self.opened is None:
            return
        self.pane.draw()
        if self.opened.evidence and self.number is not None:
            # A file changes without a line of the journal.
            self._read(self.number, refresh=True)

    # Reading it.

    def open_pane(self) -> None:
        """Let the person read from the top: where there is little room, in place of the list."""
        self.add_class(READING)
        self.pane.scroll_home(animate=False)
        self.set_focus(self.pane)

    def close_pane(self) -> None:
        """Back to the list."""
        self.remove_class(READING)

    def pane_has_attention(self) -> bool:
        """Whether the person reads the message and not the list."""
        return self.has_class(READING) or self.pane.has_focus
