"""The command palette: everything in the table of keys that acts here, the seats, the themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from panel import keys, neutral, safe_text, themes
from panel.messages import Place
from panel.screens.mode import ModeScreen
from panel.words import palette as words
from panel.words import signs

if TYPE_CHECKING:
    from panel.app import PanelApp


@dataclass(frozen=True, slots=True, eq=False)
class _Command:
    """What can be done: its name (text from outside may be in it), help, and how it is done."""

    name: str
    help: str
    do: Callable[[], object]


class PanelCommands(Provider):
    """Finds commands by their words; one that can't act says why, in the list and when chosen."""

    async def discover(self) -> Hits:
        for command in self._commands():
            shown = neutral.line(command.name)
            name, about = safe_text.line(command.name), safe_text.line(command.help)
            yield DiscoveryHit(name, command.do, shown, about)  # type: ignore[arg-type]

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(neutral.line(command.name))
            if score > 0:
                shown = safe_text.highlight(matcher, command.name)
                text, about = neutral.line(command.name), safe_text.line(command.help)
                # Textual parses a help that is text, and takes content as well.
                yield Hit(score, shown, command.do, text, about)  # type: ignore[arg-type]

    def _commands(self) -> Iterator[_Command]:
        panel = cast("PanelApp", self.app)
        mode = self.screen
        if isinstance(mode, ModeScreen):
            yield from self._of_keys(mode)
        if panel.snapshot is not None and isinstance(mode, ModeScreen):
            for seat in panel.snapshot.overview.seats:
                name = signs.seat(seat.seat)
                yield _Command(
                    words.menu_of(name), words.MENU, partial(panel.open_seat_menu, seat.seat)
                )
                yield _Command(
                    words.show(name), words.SHOW, partial(panel.go, Place("seat", seat.seat))
                )
        for theme in themes.THEMES:
            wear = partial(setattr, panel, "theme", theme.name)
            yield _Command(words.THEMES.get(theme.name, theme.name), words.WEAR, wear)

    def _of_keys(self, mode: ModeScreen) -> Iterator[_Command]:
        panel = cast("PanelApp", self.app)
        for key in keys.acting_in(mode.MODE):
            if key.rank is None or key.id == "panel.palette":
                continue
            reason = mode.why_not(key.needs) if key.needs else None
            action = f"press({key.id!r})" if key.needs else key.action
            do = partial(mode.run_action, action)
            about = words.by_key(panel.key(key.id), reason or key.help)
            yield _Command(words.command(key.label, key.group), about, do)
