"""What the modes have in common: header, banner, one line for what is said, footer, keys.

A mode is a subclass that sets `MODE` and `BINDINGS`, composes its body and shows pictures::

    class QueueScreen(ModeScreen):
        MODE = "queue"
        BINDINGS = [*keys.bindings("queue")]

        def compose_body(self) -> ComposeResult: ...
        def show(self, snapshot: Snapshot) -> None: ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.worker import Worker

from panel import keys, neutral
from panel.messages import CommandRefused, Place, PlaceOpened, ViewRefreshed
from panel.present import health
from panel.snapshot import Snapshot
from panel.widgets.banner import Banner
from panel.widgets.header_line import HeaderLine
from panel.widgets.key_footer import KeyFooter
from panel.widgets.keyed import Keyed
from panel.widgets.say_line import SayLine
from panel.words import states
from state.command import USER
from state.errors import StateError

if TYPE_CHECKING:
    from panel.app import PanelApp
    from panel.safe_text import Severity

# What a key needs when it writes; dimmed all at once where nothing can be written.
WRITING = frozenset({"acknowledge", "reply", "task", "write", "seats"})


def _sizes(app: App[Any]) -> Iterator[str]:
    """The classes that a screen has by the size of the terminal."""
    given = app.HORIZONTAL_BREAKPOINTS or [], app.VERTICAL_BREAKPOINTS or []
    for cells, breakpoints in zip(app.size, given, strict=True):
        yield max((least, name) for least, name in breakpoints if least <= cells)[1]


class ModeScreen(Keyed, Screen[None]):
    """One of the views that a person switches between. `seen` is the picture that is drawn."""

    MODE: ClassVar[str] = ""
    DEFAULT_CSS = """
    ModeScreen { layers: default said; }
    """

    def __init__(self) -> None:
        # What the first resize would find out: each change of classes applies all rules again.
        super().__init__(classes=" ".join(_sizes(self.app)))
        self.seen: Snapshot | None = None
        # It is made by the rules that stand: Textual would read all of them anew, and again.
        self._css_update_count = self.app._css_update_count
        self._is_new = True

    @property
    def panel(self) -> PanelApp:
        """The app, which has `bridge`, `submit`, `say` and `go`."""
        return cast("PanelApp", self.app)

    def compose(self) -> ComposeResult:
        yield HeaderLine()
        yield Banner()
        with Vertical(classes="body") as body:
            # Nothing is drawn twice: the body comes with the first picture. By a class that would
            # cost looking through all rules again.
            body.display = False
            yield from self.compose_body()
        yield SayLine()
        yield KeyFooter()

    def compose_body(self) -> ComposeResult:
        """The widgets between header and footer."""
        yield from ()

    def show(self, snapshot: Snapshot) -> None:
        """Draw this picture; called again whenever a newer one was taken."""

    def tick(self) -> None:
        """A second has passed: draw again what reads otherwise by that alone."""

    def why_not(self, needs: str) -> str | None:
        if needs in WRITING:
            return health.why_not_written(self.seen, self.panel.failure)
        if needs == "row":
            return None if self.copied() is not None else states.NOTHING_THERE
        return super().why_not(needs)

    async def action_press(self, binding_id: str) -> None:
        """Do what the binding does, or say in the line at the bottom why it can't."""
        key = keys.by_id(binding_id)
        reason = self.why_not(key.needs)
        if reason is None:
            await self.run_action(key.action)
        else:
            self.panel.say(reason, severity="warning")

    @property
    def seat_in_hand(self) -> str | None:
        """The seat that the seat menu would be about, None when the mode knows of none."""
        return None

    def action_seat_menu(self) -> None:
        """Ask what to do with the seat in hand, else with the roster."""
        self.panel.open_seat_menu(self.seat_in_hand or USER)

    def copied(self) -> str | None:
        """What the key for copying would take from under the cursor, None when there is nothing."""
        return None

    def action_copy(self) -> None:
        """Give what is under the cursor to the terminal's clipboard, with nothing unseen in it."""
        text = self.copied()
        if text is not None:
            shown = neutral.line(text)
            self.app.copy_to_clipboard(shown)
            self.panel.say(states.copied(shown))

    async def action_back(self) -> None:
        """Leave what is open in this mode; what another mode opened is left for that mode."""
        ways = self.panel.ways_back
        if self.leave_open() and not self.is_left():
            return
        if ways and ways[-1][0] == self.MODE:
            await self.panel.switch_mode(ways.pop()[1])

    def leave_open(self) -> bool:
        """One step back in this mode; False where nothing is open."""
        return False

    def is_left(self) -> bool:
        """Whether that step was the last one, after which nothing is open any more."""
        return False

    def _compositor_refresh(self) -> None:
        if not self.panel.blank:
            super()._compositor_refresh()

    # What the app tells.

    @on(Worker.StateChanged)
    def _worker_ended(self, event: Worker.StateChanged) -> None:
        self.panel.worker_ended(event)

    @on(ViewRefreshed)
    def _view_refreshed(self, event: ViewRefreshed) -> None:
        self.seen = event.snapshot
        self.query_one(".body").display = True
        self.second_passed()
        self.query_one(Banner).show(health.trouble(event.snapshot))
        self.show(event.snapshot)
        self.query_one(KeyFooter).refresh_keys()

    def show_failure(self, error: StateError) -> None:
        """Say why nothing can be shown at all."""
        self.second_passed()
        self.query_one(Banner).show(health.failure(error))

    @on(PlaceOpened)
    def _place_opened(self, event: PlaceOpened) -> None:
        self.open_place(event.place)

    def open_place(self, place: Place) -> None:
        """Show what stands there, which this mode is the one to show."""

    @on(CommandRefused)
    def _command_refused(self, event: CommandRefused) -> None:
        said = states.with_hint(event.error.message, event.error.hint)
        self.panel.say(said, severity="error")

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        if self._is_new:
            self._is_new = event.refresh_styles = False
        if self.panel.ways_back and self.panel.ways_back[-1][0] != self.MODE:
            # The person went another way.
            self.panel.ways_back.clear()
        snapshot = self.panel.snapshot
        if snapshot is not None and snapshot is not self.seen:
            self.post_message(ViewRefreshed(snapshot))

    def second_passed(self) -> None:
        """Draws the clock anew, and what else the mode has that ticks."""
        if self.query_one_optional(KeyFooter) is None:
            # Just switched to: its widgets are on their way.
            return
        now, failed = self.panel.clock.now(), self.panel.failure is not None
        self.query_one(HeaderLine).show(self.seen, now, failed=failed)
        self.tick()

    def say(self, text: str, severity: Severity = "information", *, lasting: bool = False) -> None:
        """Say one line at the bottom; "" ends it."""
        self.query_one(SayLine).say(text, severity, lasting=lasting)
