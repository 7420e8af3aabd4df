"""W6: exactly what arming or resuming agrees to, and the one key that does it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from panel import keys, safe_text
from panel.asking import Asking
from panel.asks import wake as asks
from panel.asks.wake_changes import Changes, changes
from panel.messages import CommandRefused, CommandSaved
from panel.present import ages, health
from panel.present import agreements as present
from panel.present.layout import MUTED
from panel.screens.dialog import Dialog
from panel.widgets.key_footer import KeyFooter
from panel.words import arming as words
from panel.words import signs, states
from state.errors import RevisionConflict, StateError
from state.wake.arming import Agreement


class Arming(Dialog[bool], Asking):
    """Dismissed with True once it is saved. What is shown stays as it is until it is sent.

    Should policy or window have changed meanwhile, that is said and shown as it is now, and the
    key has to be pressed anew.
    """

    CONTEXT = "arming"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("arming")]
    AUTO_FOCUS = "#body"
    DEFAULT_CSS = """
    Arming #body { scrollbar-gutter: stable; scrollbar-size-vertical: 1; }
    """

    def __init__(self, seat: str, *, resumes: bool = False) -> None:
        super().__init__()
        self._seat = seat
        self._resumes = resumes
        self._found: Agreement | None = None
        self._changes: Changes | None = None
        self._under_way = False
        self._shown = Content("")

    def heading(self) -> str:
        what = words.RESUME if self._resumes else words.ARM
        return f"{what} {signs.seat(self._seat)}"

    def compose_body(self) -> ComposeResult:
        yield Static(safe_text.line(words.LOOKING, MUTED), id="agreement")

    def on_mount(self) -> None:
        self.name_box()
        # So that it can be read to its end with the keys alone.
        self.query_one("#body").can_focus = True
        self.set_interval(1.0, self._draw)
        self._look()

    def on_resize(self) -> None:
        self._draw()

    def _look(self) -> None:
        self._found = None
        self.ask("agreed", asks.agreed(self._seat, resumes=self._resumes), self._take, self._failed)

    def _take(self, found: Agreement) -> None:
        self._found = found
        self._under_way = False
        self.query_one("#body").scroll_home(animate=False)
        self._draw()
        self.query_one(KeyFooter).refresh_keys()

    def _failed(self, error: StateError) -> None:
        self._under_way = False
        self.say(states.with_hint(error.message, error.hint), "error")

    def _draw(self) -> None:
        if self._found is None:
            return
        now = ages.parsed(self.panel.clock.now())
        width = self.query_one("#body").scrollable_content_region.width
        own = self.panel.own_revisions
        events = () if self._changes is None else self._changes.events
        shown = present.whole(
            self._found, events, own, now, max(width, 1), self.panel.key("arming.agree")
        )
        if not shown.is_same(self._shown):
            self._shown = shown
            self.query_one("#agreement", Static).update(shown)

    # The decision.

    def why_not(self, needs: str) -> str | None:
        reason = health.why_not_written(self.seen)
        if reason is not None:
            return reason
        if self._found is None or self._under_way:
            return words.STILL_LOOKING
        refusal = self._found.refusal
        return None if refusal is None else states.with_hint(refusal.message, refusal.hint)

    def action_agree(self) -> None:
        """Send exactly what was shown, with files and locks as they are now."""
        shown = self._found
        if shown is None:
            return

        def then(last: Agreement) -> None:
            self.panel.submit(shown.command(last), sender=self)

        self._under_way = True
        self.say(states.SAVING)
        self.ask("agreed", asks.agreed(self._seat, resumes=self._resumes), then, self._failed)

    @on(CommandSaved)
    def _command_saved(self) -> None:
        self.leave(True)

    @on(CommandRefused)
    def _command_refused(self, event: CommandRefused) -> None:
        error = event.error
        if isinstance(error, RevisionConflict) and self._found is not None:
            self.say("")
            since = self._found
            self.ask("changes", changes(since.wake), self._take_changes, self._failed)
        else:
            self.say(states.with_hint(error.message, error.hint), "error")
            self._look()

    def _take_changes(self, found: Changes) -> None:
        self._changes = found
        self._look()
