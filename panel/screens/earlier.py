"""The state as it was after a line of the past: who was seated, and what stood in whose queue."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from panel import keys, safe_text
from panel.asks.lines import Then, then
from panel.present import ages
from panel.present import lines as present
from panel.screens.dialog import Dialog
from panel.words import journal as words
from state.errors import StateError

if TYPE_CHECKING:
    from panel.bridge import Bridge

BETWEEN_SECONDS = 0.05


class _Building(Message, bubble=False):
    def __init__(self, upto: int, of: int) -> None:
        super().__init__()
        self.upto = upto
        self.of = of

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, _Building)


class _Built(Message, bubble=False):
    def __init__(self, found: Then | StateError) -> None:
        super().__init__()
        self.found = found


class _Left(Exception):
    """The person did not wait."""


class Earlier(Dialog[None]):
    """Read only, and marked as the past."""

    CONTEXT = "earlier"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("earlier")]

    def __init__(self, bridge: Bridge, rev: int) -> None:
        super().__init__()
        self._bridge = bridge
        self._rev = rev
        self._left = threading.Event()
        self._found: Then | None = None

    def heading(self) -> str:
        return f"r{self._rev} · {words.THE_PAST}"

    def compose_body(self) -> ComposeResult:
        yield Static(safe_text.line(words.BUILDING), id="then")

    def on_mount(self) -> None:
        self.name_box()
        self._build(self._bridge, self._rev, self._left)
        self.set_interval(1.0, self._draw)

    def on_unmount(self) -> None:
        self._left.set()

    def on_resize(self) -> None:
        self._draw()

    @work(thread=True, group="earlier", exit_on_error=False)
    def _build(self, bridge: Bridge, rev: int, left: threading.Event) -> None:
        from state.history.queries import at_revision

        told = 0.0

        def progress(upto: int, of: int) -> None:
            nonlocal told
            if left.is_set():
                raise _Left
            if time.monotonic() - told >= BETWEEN_SECONDS:
                told = time.monotonic()
                self.post_message(_Building(upto, of))

        try:
            with (
                bridge.project() as project,
                closing(at_revision(project.journal, rev, progress)) as view,
            ):
                found = then(view)
        except StateError as error:
            self.post_message(_Built(error))
        except _Left:
            return
        else:
            self.post_message(_Built(found))

    @on(_Building)
    def _building(self, event: _Building) -> None:
        if self._found is None:
            said = words.building(event.upto, event.of, ages.share(event.upto, event.of))
            self.query_one("#then", Static).update(safe_text.line(said))

    @on(_Built)
    def _built(self, event: _Built) -> None:
        if isinstance(event.found, StateError):
            self.query_one("#then", Static).update(present.not_checked(event.found))
        else:
            self._found = event.found
            self._draw()

    def _draw(self) -> None:
        shown = self.query_one("#then", Static)
        width = shown.content_size.width
        if self._found is not None and width:
            now = ages.parsed(self.panel.clock.now())
            shown.update(present.earlier(self._found, now, width))
