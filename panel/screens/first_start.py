"""A folder without a project: what making one writes, and how an agent takes a seat."""

from __future__ import annotations

import os
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input, Static

from panel import keys, safe_text
from panel.bridge import make_project
from panel.screens.dialog import Dialog
from panel.widgets.entry import Entry
from panel.widgets.safe_input import SafeInput
from panel.words import first_start as words
from panel.words import states
from state.clock import Clock
from state.errors import StateError
from state.paths import Paths, state_home


class _Made(Message, bubble=False):
    def __init__(self, paths: Paths | None, error: StateError | None) -> None:
        super().__init__()
        self.paths = paths
        self.error = error


class FirstStart(Dialog[Paths]):
    """Dismissed with the paths of the project that was made."""

    CONTEXT = "first-start"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("first-start")]
    # Until a field is gone to, letters are keys.
    AUTO_FOCUS = ""

    def __init__(self, folder: str, name: str, clock: Clock) -> None:
        super().__init__()
        self._folder = folder
        self._clock = clock
        self._called = SafeInput(name, compact=True)
        self._seated = SafeInput(compact=True)
        self._under_way = False

    def heading(self) -> str:
        return words.TITLE

    def compose_body(self) -> ComposeResult:
        yield Static(safe_text.line(words.none_in(self._folder), "bold"))
        yield Static(safe_text.block(words.writes(os.path.dirname(state_home("")))))
        yield Entry(words.NAME, self._called)
        yield Entry(words.SEATS, self._seated, words.SEATS_HINT)
        yield Static(safe_text.line(words.how(self.panel.key("first-start.create")), "bold"))
        yield Static(safe_text.block(words.AGENTS, "$text-muted"))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_create()

    def key_enter(self) -> None:
        """What a person presses first when asked whether to go on."""
        self.action_create()

    def action_create(self) -> None:
        """Make the project as it is described."""
        if not self._under_way:
            self._under_way = True
            self.say(states.SAVING)
            seats = tuple(self._seated.value.replace(",", " ").split())
            self._create(self._folder, self._called.value.strip(), seats, self._clock)

    @work(thread=True, group="create", exit_on_error=False)
    def _create(self, folder: str, name: str, seats: tuple[str, ...], clock: Clock) -> None:
        try:
            paths = make_project(folder, name, seats, clock)
        except StateError as error:
            self.post_message(_Made(None, error))
        else:
            self.post_message(_Made(paths, None))

    @on(_Made)
    def _made(self, event: _Made) -> None:
        self._under_way = False
        if event.error is not None:
            self.say(states.with_hint(event.error.message, event.error.hint), "error")
        else:
            self.leave(event.paths)
