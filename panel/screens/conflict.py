"""R9: what changed while the person was at it; their own change is kept until they decide."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from panel import keys, safe_text
from panel.present import ages, events, health
from panel.screens.dialog import Dialog
from panel.words import conflict as words
from state.errors import RevisionConflict


class Conflict(Dialog[bool]):
    """Dismissed with True when the same change is to be made to the new revision."""

    CONTEXT = "conflict"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("conflict")]

    def __init__(self, change: str, conflict: RevisionConflict, own: frozenset[int]) -> None:
        super().__init__()
        self._change = change
        self._conflict = conflict
        self._own = own

    def heading(self) -> str:
        return words.TITLE

    def compose_body(self) -> ComposeResult:
        yield Static(id="what")

    def on_mount(self) -> None:
        self.tick()
        self.set_interval(1.0, self.tick)

    def tick(self) -> None:
        """Say it with the ages as they are now."""
        now = ages.parsed(self.panel.clock.now())
        conflict = self._conflict
        lines = [
            safe_text.line(words.yours(self._change), "bold"),
            safe_text.line(words.revisions(conflict.expected, conflict.actual), "$text-muted"),
            safe_text.line(words.MEANWHILE),
            *(events.in_words(event, event["rev"] in self._own, now) for event in conflict.since),
            safe_text.line(words.NOTHING_WRITTEN, "$text-muted"),
        ]
        self.query_one("#what", Static).update(Content("\n").join(lines))

    def why_not(self, needs: str) -> str | None:
        return health.why_not_written(self.seen)

    def action_apply(self) -> None:
        """Make the same change to the roster as it is now."""
        self.leave(True)
