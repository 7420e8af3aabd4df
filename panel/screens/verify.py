"""The check of the whole chain while a person waits for it: how far it is, and what it found."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import ProgressBar, Static

from panel import keys, safe_text
from panel.present import ages
from panel.present import lines as present
from panel.screens.dialog import Dialog
from panel.words import journal as words
from state.errors import StateError

if TYPE_CHECKING:
    from panel.bridge import Bridge
    from state.journal.verify import Report

BETWEEN_SECONDS = 0.05


class _Checked(Message, bubble=False):
    def __init__(self, upto: int, of: int) -> None:
        super().__init__()
        self.upto = upto
        self.of = of

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, _Checked)


class _Ended(Message, bubble=False):
    def __init__(self, found: Report | StateError) -> None:
        super().__init__()
        self.found = found


class Verify(Dialog[bool]):
    """Dismissed with whether all that was checked is sound; None when it could not be checked."""

    CONTEXT = "verify"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("verify")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._stopped = threading.Event()
        self._over = False
        self._sound: bool | None = None

    def heading(self) -> str:
        return words.VERIFY

    def compose_body(self) -> ComposeResult:
        yield Static(safe_text.line(words.VERIFYING), id="what")
        yield ProgressBar(total=None, show_eta=False, show_percentage=False, id="bar")
        yield Static(id="result")

    def on_mount(self) -> None:
        self.name_box()
        self._check(self._bridge, self._stopped)

    def on_unmount(self) -> None:
        self._stopped.set()

    @work(thread=True, group="verify", exit_on_error=False)
    def _check(self, bridge: Bridge, stopped: threading.Event) -> None:
        from state.journal.verify import verify

        told = 0.0

        def progress(upto: int, of: int) -> None:
            nonlocal told
            if time.monotonic() - told >= BETWEEN_SECONDS:
                told = time.monotonic()
                self.post_message(_Checked(upto, of))

        try:
            with bridge.project() as project:
                self.post_message(_Ended(verify(project.journal, progress, stopped.is_set)))
        except StateError as error:
            self.post_message(_Ended(error))

    @on(_Checked)
    def _checked(self, event: _Checked) -> None:
        if not self._over:
            self.query_one(ProgressBar).update(total=event.of, progress=event.upto)
            said = words.checked(event.upto, event.of, ages.share(event.upto, event.of))
            self.query_one("#result", Static).update(safe_text.line(said))

    @on(_Ended)
    def _ended(self, event: _Ended) -> None:
        self._over = True
        self.query_one(ProgressBar).display = False
        result = self.query_one("#result", Static)
        if isinstance(event.found, StateError):
            result.update(present.not_checked(event.found))
        else:
            self._sound = event.found.ok
            result.update(present.report(event.found))

    def action_cancel(self) -> None:
        """Stop the check; when it is over, leave."""
        if self._over:
            self.leave(self._sound)
        else:
            self._stopped.set()
