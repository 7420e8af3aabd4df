"""What dialogs have in common: a box over the mode, keys of its own, one line for what is said.

A dialog is a subclass that sets `CONTEXT` (of the table of keys) and `BINDINGS`, gives `heading`
and composes its body. It is dismissed with what it found out, or with None when it was left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import Worker

from panel import keys, safe_text
from panel.messages import ViewRefreshed
from panel.snapshot import Snapshot
from panel.widgets.key_footer import KeyFooter
from panel.widgets.keyed import Keyed

if TYPE_CHECKING:
    from panel.app import PanelApp
    from panel.safe_text import Severity

T = TypeVar("T")


class Dialog(Keyed, ModalScreen[T]):
    """A question over the mode, which stays in sight and up to date below it."""

    CONTEXT: ClassVar[str] = ""
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        & > #box {
            width: 90%;
            max-width: 84;
            height: auto;
            max-height: 100%;
            margin: 0 0 1 0;
            padding: 0 1;
            border: round $border;
            border-title-color: $text-primary;
            border-title-style: bold;
            background: $surface;
        }
        & #body { height: auto; max-height: 1fr; }
        & ItemList { height: auto; max-height: 100%; }
        & #said { height: auto; color: $text-muted; display: none; }
        & #said.-saying { display: block; }
        & #said.-warning { color: $text-warning; }
        & #said.-error { color: $text-error; }
        &.-narrow > #box, &.-low > #box { width: 100%; max-width: 100%; padding: 0; border: none;
            border-top: solid $border; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._leaving: tuple[T | None, ...] = ()

    @property
    def panel(self) -> PanelApp:
        """The app."""
        return cast("PanelApp", self.app)

    @property
    def seen(self) -> Snapshot | None:
        """The present picture."""
        return self.panel.snapshot

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            with VerticalScroll(id="body", can_focus=False):
                yield from self.compose_body()
            yield Static(id="said")
        yield KeyFooter()

    def compose_body(self) -> ComposeResult:
        """The widgets inside the box."""
        yield from ()

    def show(self, snapshot: Snapshot) -> None:
        """A newer picture was taken."""

    def heading(self) -> str:
        """What stands over the box."""
        return ""

    def on_mount(self) -> None:
        self.name_box()

    def name_box(self) -> None:
        """Write the title over the box anew."""
        safe_text.border_title(self.query_one("#box"), self.heading())

    @on(Worker.StateChanged)
    def _worker_ended(self, event: Worker.StateChanged) -> None:
        self.panel.worker_ended(event)

    @on(ViewRefreshed)
    def _view_refreshed(self, event: ViewRefreshed) -> None:
        self.show(event.snapshot)
        self.query_one(KeyFooter).refresh_keys()

    async def action_press(self, binding_id: str) -> None:
        """Do what the binding does, or say in the box why it can't."""
        key = keys.by_id(binding_id)
        reason = self.why_not(key.needs)
        if reason is None:
            await self.run_action(key.action)
        else:
            self.say(reason, "warning")

    def say(self, text: str, severity: Severity = "information") -> None:
        """Say one sentence at the bottom of the box; "" ends it."""
        said = self.query_one("#said", Static)
        said.set_class(bool(text), "-saying")
        said.set_class(severity == "warning", "-warning")
        said.set_class(severity == "error", "-error")
        said.update(safe_text.line(text))

    def leave(self, answer: T | None) -> None:
        """Close the dialog with what it found out, as soon as no other one lies over it."""
        if not self._leaving:
            self._leaving = (answer,)
            self.on_screen_resume()

    def on_screen_resume(self) -> None:
        if self._leaving and self.is_current:
            answer, self._leaving = self._leaving[0], ()
            # From a dialog's own handler its end can't be waited for.
            _ = self.dismiss(answer)

    def action_cancel(self) -> None:
        """Leave without an answer."""
        self.leave(None)
