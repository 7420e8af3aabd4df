"""One line in which something is typed above a list: a filter, words to look for, a number."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from panel import keys, safe_text
from panel.widgets.completion import Completion, Suggest
from panel.widgets.safe_input import SafeInput


class LineInput(SafeInput, inherit_bindings=False):
    """The field of the line, with a context of the table of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(key for key in Input.BINDINGS if getattr(key, "key", "") != "enter"),
        *keys.bindings("line"),
    ]


class LineBar(Vertical):
    """Not there until it is opened. `purpose` says what is typed; whoever opens it takes it."""

    DEFAULT_CSS = """
    LineBar {
        height: auto;
        padding: 0 1;
        background: $panel;
        display: none;
        &.-open { display: block; }
        & > Horizontal { height: 1; }
        & #label { width: auto; padding: 0 1 0 0; color: $text-accent; text-style: bold; }
        & Input { width: 1fr; }
        & #help { height: auto; max-height: 2; color: $text-muted; }
        & #help.-error { color: $text-error; }
    }
    """

    class Submitted(Message):
        """What was typed, when enter was pressed."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose = purpose
            self.text = text

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.purpose = ""
        self._help = ""
        self._suggest: Suggest = _nothing

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(id="label")
            yield LineInput(
                compact=True,
                select_on_focus=False,
                suggester=Completion(lambda text: self._suggest(text)),
            )
        yield Static(id="help")

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return self.has_class("-open")

    def open(
        self, purpose: str, label: str, about: str, text: str = "", suggest: Suggest | None = None
    ) -> None:
        """Let something be typed, beginning with this text; `about` is the line under it."""
        self.purpose, self._help = purpose, about
        self._suggest = suggest or _nothing
        self.query_one("#label", Static).update(safe_text.line(label))
        self._say(about)
        field = self.query_one(SafeInput)
        field.value = text
        field.cursor_position = len(text)
        self.add_class("-open")
        # At once: `focus()` waits its turn, and what is typed until then goes to the list.
        self.screen.set_focus(field)

    def close(self, back_to: Widget) -> None:
        """Take it off the screen; the keys go to that widget from now on."""
        self.remove_class("-open")
        self.screen.set_focus(back_to)

    def refuse(self, why: str) -> None:
        """Say in place of the help why what was typed can't be taken; it stays to be mended."""
        self._say(why, error=True)
        self.query_one(SafeInput).focus()

    def _say(self, text: str, *, error: bool = False) -> None:
        said = self.query_one("#help", Static)
        said.set_class(error, "-error")
        said.update(safe_text.line(text))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say(self._help)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Submitted(self.purpose, event.value))


def _nothing(_: str) -> None:
    return None
