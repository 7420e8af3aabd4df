"""A label, something to fill in, and a line under it that helps or says what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from panel import safe_text


def refuse_at(entries: Iterable[Entry], control: Widget | None, why: str) -> bool:
    """Says what is wrong at the entry of that control; false where none has it."""
    for entry in entries:
        if control is not None and entry.control is control:
            entry.refuse(why)
            return True
    return False


class Entry(Vertical):
    """One thing to fill in. The label is the program's own word."""

    DEFAULT_CSS = """
    Entry {
        height: auto;
        & > Horizontal { height: auto; }
        & .entry--label { width: 9; color: $text-muted; }
        & .entry--control { width: 1fr; }
        & > .entry--about { height: auto; padding: 0 0 0 9; color: $text-muted; display: none; }
        & > .entry--about.-said { display: block; }
        & > .entry--about.-error { color: $text-error; }
        &.-typing .entry--label { color: $text-accent; text-style: bold; }
    }
    .-narrow Entry > .entry--about { padding: 0 0 0 2; }
    """

    def __init__(self, label: str, control: Widget, about: str = "", **options: Any) -> None:
        super().__init__(**options)
        self._label = label
        self._about = about
        self._wrong = False
        self.control = control
        control.add_class("entry--control")

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Static(safe_text.line(self._label), classes="entry--label")
            yield self.control
        yield Static(classes="entry--about")

    def on_mount(self) -> None:
        self._say(self._about)

    def on_descendant_focus(self) -> None:
        self.add_class("-typing")

    def on_descendant_blur(self) -> None:
        self.remove_class("-typing")

    def name_it(self, label: str) -> None:
        """Another label."""
        self.query_one(".entry--label", Static).update(safe_text.line(label))

    def help(self, about: str) -> None:
        """What to say as long as nothing is wrong; what is wrong stays said until it is mended."""
        self._about = about
        if not self._wrong:
            self._say(about)

    def refuse(self, why: str) -> None:
        """Say what is wrong, and let it be mended here."""
        self._wrong = True
        self._say(why, error=True)
        self.control.focus()

    def accept(self) -> None:
        """Nothing is known to be wrong any more."""
        self._wrong = False
        self._say(self._about)

    def _say(self, text: str, *, error: bool = False) -> None:
        about = self.query_one(".entry--about", Static)
        about.set_class(bool(text), "-said")
        about.set_class(error, "-error")
        about.update(safe_text.line(text))
