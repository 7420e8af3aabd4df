"""The panel: modes that one switches between, over one picture of one project.

Each screen has the app as `self.panel`: `snapshot` (the present picture), `bridge` (to ask and run,
from workers alone), `submit(command)` (answered by messages, see `panel.messages`), `say(text)` and
`go(Place(...))`. To add a mode, add a line to `MODES`; its number is in the table of keys.
"""

from __future__ import annotations

import os
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from panel import keymap, keys, themes
from panel.messages import Place, PlaceOpened
from panel.safe_text import Severity
from panel.screens.mode import ModeScreen
from panel.submitting import SubmittingApp
from panel.widgets.keyed import Keyed
from state.clock import Clock
from state.errors import StateError
from state.paths import FOLDER, Paths
from state.project import find

# Classes that every screen gets by its size; the rules beside the screens go by them.
WIDTHS: list[tuple[int, str]] | None = [(0, "-narrow"), (60, "-medium"), (100, "-wide")]
HEIGHTS: list[tuple[int, str]] | None = [(0, "-low"), (18, "-middle"), (32, "-tall")]
SHOWN_IN = {"message": "queue", "queue": "queue", "seat": "overview", "line": "journal"}


def _overview() -> Screen[Any]:
    from panel.screens.overview import OverviewScreen

    return OverviewScreen()


class PanelApp(Keyed, SubmittingApp):
    """The app on one project."""

    CSS_PATH = "app.tcss"
    MODES: ClassVar[dict[str, Any]] = {"overview": _overview}
    DEFAULT_MODE = "overview"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("app")]

    def __init__(self, paths: Paths, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self.paths = paths
        self.trouble: StateError | None = None

    def on_mount(self) -> None:
        themes.dress(self)
        settings = keymap.read(keymap.place())
        self.set_keymap(dict(settings.keys))
        for note in settings.notes:
            self.say(note, severity="warning")
        self.open_project(self.paths)

    def get_line_filters(self) -> list[LineFilter]:
        return themes.without_color(super().get_line_filters())

    async def go(self, place: Place) -> None:
        """Shows something where it can be dealt with, in the mode that can."""
        mode = SHOWN_IN[place.kind]
        if mode in self.MODES:
            await self.switch_mode(mode)
            self.screen_stack[0].post_message(PlaceOpened(place))

    def say(self, text: str, severity: Severity = "information", *, lasting: bool = False) -> None:
        """One line at the bottom of the mode that is seen, for some seconds; "" ends it."""
        base = self.screen_stack[0]
        if isinstance(base, ModeScreen):
            base.say(text, severity, lasting=lasting)

    def second_passed(self) -> None:
        super().second_passed()
        base = self.screen_stack[0]
        if isinstance(base, ModeScreen):
            base.second_passed()

    def action_leave(self) -> None:
        """Ends the panel."""
        self.stop_working()
        self.exit(0)

    async def action_quit(self) -> None:
        self.action_leave()


def run(folder: str | None) -> int:
    """Shows the panel on the project of a folder, else the nearest upward; its exit status.

    Where there is none it offers to make one. Errors of `state.errors` when nothing can be shown.
    """
    paths = find() if folder is None else Paths(os.path.join(os.path.realpath(folder), FOLDER))
    app = PanelApp(paths)
    app.run()
    return app.return_code or 0
