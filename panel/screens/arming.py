"""W6: exactly what arming or resuming agrees to, and the one key that does it."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from panel import keys, safe_text
from panel.asking import Asking
from panel.asks import wake as asks
from panel.asks.wake_changes import Changes, changes
from panel.messages import CommandRefused, CommandSaved
from panel.present import ages, events, health
from panel.present.layout import MUTED, heading, joined
from panel.screens.dialog import Dialog
from panel.widgets.key_footer import KeyFooter
from panel.widgets.reading_pane import ReadingPane
from panel.words import signs, states, wake_policy
from panel.words import wake_mode as words
from state.errors import RevisionConflict, StateError
from state.wake.arming import Agreement


class Arming(Dialog[bool], Asking):
    """Dismissed with True once it is saved. What is shown stays as it is until it is sent.

    Should policy or window have changed meanwhile, that is said and shown as it is now, and the
    key has to be pressed anew.
    """

    CONTEXT = "arming"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("arming")]
    AUTO_FOCUS = "ReadingPane"
    DEFAULT_CSS = """
    Arming {
        #body { height: auto; max-height: 1fr; overflow-y: hidden; }
        ReadingPane { height: auto; max-height: 100%; padding: 0; }
    }
    """

    def __init__(self, seat: str, *, resumes: bool = False) -> None:
        super().__init__()
        self._seat = seat
        self._resumes = resumes
        self._found: Agreement | None = None
        self._changes: Changes | None = None
        self._under_way = False

    def heading(self) -> str:
        what = words.RESUME if self._resumes else words.ARM
        return f"{what} {signs.seat(self._seat)}"

    def compose_body(self) -> ComposeResult:
        yield ReadingPane(safe_text.line(words.LOOKING, MUTED), id="agreement")

    def on_mount(self) -> None:
        self.name_box()
        self.set_interval(1.0, self._draw)
        self._look()

    def _look(self) -> None:
        self._found = None
        self.ask("agreed", asks.agreed(self._seat, resumes=self._resumes), self._take, self._failed)

    def _take(self, found: Agreement) -> None:
        self._found = found
        self._under_way = False
        self.query_one("#agreement", ReadingPane).show(found.at, self._drawn)
        self.query_one(KeyFooter).refresh_keys()

    def _failed(self, error: StateError) -> None:
        self._under_way = False
        self.say(states.with_hint(error.message, error.hint), "error")

    def _draw(self) -> None:
        self.query_one("#agreement", ReadingPane).draw()

    def _drawn(self, width: int) -> Content:
        now = ages.parsed(self.panel.clock.now())
        found = self._found
        parts: list[Content] = []
        if self._changes is not None:
            parts.append(safe_text.line(words.CHANGED, "$text-warning bold"))
            own = self.panel.own_revisions
            parts += [
                events.in_words(event, event["rev"] in own, now) for event in self._changes.events
            ]
            parts.append(heading(words.NOW, width))
        if found is not None:
            if found.refusal is not None:
                parts.append(safe_text.line(words.CANNOT, "$text-warning bold"))
                refused = states.with_hint(found.refusal.message, found.refusal.hint)
                parts.append(safe_text.line(refused, "$text-warning"))
            parts += [safe_text.line(line) for line in wake_policy.agreed_to(found, now)]
            if found.refusal is None:
                able = words.CAN_RESUME if self._resumes else words.CAN_ARM
                parts.append(safe_text.line(able, "bold"))
        return joined([line for part in parts for line in part.wrap(max(width, 1))])

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
        """Send exactly what was shown."""
        if self._found is not None:
            self._under_way = True
            self.say(states.SAVING)
            self.panel.submit(self._found.command(), sender=self)

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
