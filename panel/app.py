"""The panel: modes that one switches between, over one picture of one project.

Each screen has the app as `self.panel`: `snapshot` (the present picture), `bridge` (to ask and run,
from workers alone), `submit(command)` (answered by messages, see `panel.messages`), `say(text)`,
`put(dialog, then)` and `go(Place(...))`. To add a mode, add a line to `MODES`; its number is in the
table of keys.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.command import Provider
from textual.filter import LineFilter
from textual.screen import Screen

from panel import keymap, keys, safe_text, themes
from panel.journal_flow import JournalFlowApp
from panel.message_flow import MessageFlowApp
from panel.messages import Place, PlaceOpened
from panel.place_flow import PlaceFlowApp
from panel.safe_text import Severity
from panel.scanning import ScanningApp
from panel.screens.mode import ModeScreen
from panel.seat_flow import SeatFlowApp
from panel.wake_flow import WakeFlowApp
from panel.widgets.keyed import Keyed
from panel.widgets.later import later
from panel.words import leaving
from state.clock import Clock
from state.errors import Damaged, NoProject, StateError
from state.paths import FOLDER, Paths
from state.project import find

# Classes that every screen gets by its size; the rules beside the screens go by them.
WIDTHS: list[tuple[int, str]] | None = [(0, "-narrow"), (60, "-medium"), (100, "-wide")]
HEIGHTS: list[tuple[int, str]] | None = [(0, "-low"), (18, "-middle"), (32, "-tall")]
SHOWN_IN = {
    "message": "queue",
    "queue": "queue",
    "seat": "overview",
    "wake": "wake",
    "line": "journal",
}
HEALTH = "health"
SWITCH_SECONDS = 0.001
THREADS = 32
# At the latest, where there is nothing to draw a picture of.
COLLECTS_SECONDS = 5.0


def _overview() -> Screen[Any]:
    from panel.screens.overview import OverviewScreen

    return OverviewScreen()


def _queue() -> Screen[Any]:
    from panel.screens.queue import QueueScreen

    return QueueScreen()


def _wake() -> Screen[Any]:
    from panel.screens.wake import WakeScreen

    return WakeScreen()


def _skills() -> Screen[Any]:
    from panel.screens.skills import SkillsScreen

    return SkillsScreen()


def _journal() -> Screen[Any]:
    from panel.screens.journal import JournalScreen

    return JournalScreen()


def _commands() -> type[Provider]:
    from panel.palette import PanelCommands

    return PanelCommands


class PanelApp(
    Keyed, PlaceFlowApp, WakeFlowApp, SeatFlowApp, MessageFlowApp, JournalFlowApp, ScanningApp
):
    """The app on one project."""

    TITLE = "sublation-panel"
    # Those of the first mode as well: rules of a screen have everything read once more.
    CSS_PATH: ClassVar[Any] = ["app.tcss", "screens/overview.tcss"]
    MODES: ClassVar[dict[str, Any]] = {
        "overview": _overview,
        "queue": _queue,
        "wake": _wake,
        "skills": _skills,
        "journal": _journal,
    }
    DEFAULT_MODE = "overview"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("app")]
    COMMANDS: ClassVar[set[Any]] = {_commands}

    def __init__(self, paths: Paths, clock: Clock | None = None) -> None:
        super().__init__(paths, clock)
        # Modes in which something was opened, each with the one that it was opened from.
        self.ways_back: list[tuple[str, str]] = []
        self._collects_later = False
        self._settings = keymap.read(keymap.place())
        # Before the first rules are read: a change of theme reads them all again.
        themes.dress(self)

    def on_load(self) -> None:
        # Commands that wait for a lock must not keep those from being seen that only look.
        pool = ThreadPoolExecutor(THREADS, "panel")
        asyncio.get_running_loop().set_default_executor(pool)
        # While the first screen is made, a worker looks at the project.
        self.open_project()

    def on_mount(self) -> None:
        self.set_keymap(dict(self._settings.keys))
        later(self, COLLECTS_SECONDS, self._collect)
        for note in self._settings.notes:
            safe_text.toast(self, note, "warning", leaving.KEYS)

    def get_line_filters(self) -> list[LineFilter]:
        return themes.without_color(super().get_line_filters())

    # What is seen.

    @property
    def base(self) -> ModeScreen | None:
        """The mode that is seen, also while a dialog lies over it."""
        screen = self.screen_stack[0] if self._screen_stack else None
        return screen if isinstance(screen, ModeScreen) else None

    async def go(self, place: Place) -> None:
        """Shows something where it can be dealt with, in the mode that can."""
        if place.kind == HEALTH:
            await self._go_to_health()
            return
        mode = SHOWN_IN[place.kind]
        if mode in self.MODES:
            await self.visit(mode)
            self.screen_stack[0].post_message(PlaceOpened(place))

    async def visit(self, mode: str) -> None:
        """Goes to a mode from which escape leads back to the one that is seen."""
        if self.base is not None and mode != self.base.MODE:
            self.ways_back.append((mode, self.base.MODE))
        await self.switch_mode(mode)

    def key(self, binding_id: str) -> str:
        """What a person presses for this binding now; words that name a key get it from here."""
        return self._settings.shown(binding_id)

    def say(self, text: str, severity: Severity = "information", *, lasting: bool = False) -> None:
        """One line at the bottom of the mode that is seen, for some seconds; "" ends it."""
        # A mode that ends loses one widget after the other.
        if self.base is not None and not self.stopping.is_set():
            self.base.say(text, severity, lasting=lasting)

    def second_passed(self) -> None:
        if not self.stopping.is_set():
            super().second_passed()
            if self.base is not None:
                self.base.second_passed()

    # What is wrong with the project.

    def collect_later(self) -> None:
        """Leaves garbage alone until the first picture is drawn.

        What is loaded and made for it stays; to look through that takes as long as drawing it.
        """
        gc.disable()
        self._collects_later = True

    def begin(self) -> None:
        super().begin()
        self._collect()

    def _collect(self) -> None:
        if self._collects_later:
            self._collects_later = False
            gc.freeze()
            gc.enable()

    def lost_sight(self, error: StateError) -> None:
        super().lost_sight(error)
        asked = isinstance(error, NoProject)
        if self.base is not None and self.snapshot is None and not asked:
            self.base.show_failure(error)

    async def _go_to_health(self) -> None:
        if self.is_unsettled:
            self.ask_whether_moved()
            return
        seen = self.snapshot
        trouble = None if seen is None else seen.health.trouble
        rev = None if seen is None else seen.verified.wrong_rev
        if isinstance(trouble, Damaged):
            rev = trouble.rev
        if seen is not None and rev is not None and rev <= seen.rev:
            await self.go(Place("line", rev))
        else:
            await self.visit("journal")

    # Keys.

    async def on_event(self, event: events.Event) -> None:
        # What was typed after the key that ends the panel would open screens that never come.
        if not (self.stopping.is_set() and isinstance(event, events.InputEvent)):
            await super().on_event(event)

    def action_help(self) -> None:
        """Shows what the keys do in this mode."""
        from panel.screens.help import Help

        if self.base is not None:
            self.put(Help(self.base.MODE, self._settings.keys))

    def action_leave(self) -> None:
        """Ends the panel; asks while something is being written."""
        from panel.screens.confirm import Confirm

        if self.is_writing or self.has_unsent:
            question = safe_text.block(leaving.WRITING if self.is_writing else leaving.UNSENT)
            self.put(Confirm(leaving.TITLE, question), lambda yes: self.end() if yes else None)
        else:
            self.end()

    async def action_quit(self) -> None:
        self.action_leave()

    def end(self) -> None:
        """Ends the panel and its workers."""
        self.stop_working()
        self.exit(0)


def run(folder: str | None) -> int:
    """Shows the panel on the project of a folder, else the nearest upward; its exit status.

    Where there is none it offers to make one.
    """
    app = PanelApp(_paths(folder))
    app.collect_later()

    # A thread that computes is to hold the screen up for a fifth of what is usual.
    sys.setswitchinterval(SWITCH_SECONDS)

    async def show() -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, app.end)
        await app.run_async()

    asyncio.run(show())
    return app.return_code or 0


def _paths(folder: str | None) -> Paths:
    if folder is None:
        with suppress(NoProject):
            return find()
    return Paths(os.path.join(os.path.realpath(folder or os.getcwd()), FOLDER))
