"""Every widget that shows text from outside, on one screen, for one string after the other.

As a program (`python -m tests.panel.gallery hostile|harmless`) it shows the next string at each
press of `n`, and says "scene N ready" once toast and tooltip are there as well.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.filter import LineFilter
from textual.fuzzy import Matcher
from textual.widgets import (
    Button,
    Checkbox,
    Header,
    Label,
    OptionList,
    Select,
    Static,
)
from textual.widgets._toast import Toast
from textual.widgets._tooltip import Tooltip
from textual.widgets.option_list import Option

from panel import safe_text, themes
from panel.widgets.paged_list import Column, PagedList, Row
from panel.widgets.safe_input import SafeInput, SafeTextArea
from tests.panel.hostile import STRINGS

EDGE = "╎"
TYPED = 300


class Gallery(App[None]):
    """The widgets; `show` puts a string into all of them."""

    TOOLTIP_DELAY = 0.01
    BINDINGS = [("n", "next", "next")]  # noqa: RUF012 - as Textual has it
    CSS = """
    #left { width: 62; height: 1fr; border-right: solid $border-blurred; }
    #static { height: 3; border: round $border; }
    #label { height: 3; }
    PagedList { height: 5; }
    OptionList { height: 3; border: none; }
    SafeTextArea { height: 3; border: none; }
    SafeInput { height: 1; border: none; }
    #hover { width: 20; height: 2; margin: 2 20; }
    """

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        self.texts = list(texts)
        self.scene = self.said = -1

    def get_line_filters(self) -> Sequence[LineFilter]:
        return themes.without_color(super().get_line_filters())

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            with Vertical(id="left"):
                yield Static(id="static")
                yield Label(id="label")
                yield PagedList((Column("n", 2), Column("text", 8, flex=1, most=30), Column("", 1)))
                yield OptionList()
                yield SafeInput()
                yield SafeTextArea()
                yield Button()
                yield Checkbox()
                yield Select([(Content("x"), 0)])
            with Vertical():
                yield Static("hover here", id="hover")
                yield Static(id="ready")

    def on_mount(self) -> None:
        themes.dress(self)
        self.screen.set_focus(None)
        self.set_interval(0.02, self._say_when_ready)

    def action_next(self) -> None:
        self.scene += 1
        self.show(self.texts[self.scene])

    def show(self, text: str) -> None:
        """Put the string into every widget."""
        edged = safe_text.row([safe_text.fit(text, 30), (EDGE, "bold")], between="")
        static = self.query_one("#static", Static)
        static.update(edged)
        safe_text.border_title(static, text, text)
        self.query_one("#label", Label).update(safe_text.block(text))
        paged = self.query_one(PagedList)
        paged.set_source(3)
        rows = [
            Row(key, (safe_text.line(str(key)), safe_text.line(text), safe_text.line(EDGE)))
            for key in range(3)
        ]
        paged.put_page(0, rows, paged.generation)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(edged, id=str(key)) for key in range(2)])
        self.query_one(SafeInput).value = text[:TYPED]
        self.query_one(SafeTextArea).load_text(text[:TYPED])
        self.query_one(Button).label = safe_text.highlight(Matcher("a"), text[:TYPED])
        self.query_one(Checkbox).label = safe_text.line(text)
        self.query_one(Select).set_options([(safe_text.line(text), 0)])
        self.query_one(Select).value = 0
        safe_text.tooltip(self.query_one("#hover"), text)
        safe_text.window_title(self, text, text)
        self.clear_notifications()
        safe_text.toast(self, text, "warning", title=text)

    def _say_when_ready(self) -> None:
        if self.said == self.scene:
            return
        toasts = [toast for toast in self.screen.query(Toast) if toast.size]
        tooltips = [one for one in self.screen.query(Tooltip) if one.display and one.size]
        shown = self.scene >= 0 and not self.texts[self.scene]
        if toasts and (shown or tooltips):
            self.said = self.scene
            self.query_one("#ready", Static).update(Content(f"scene {self.scene} ready"))


HARMLESS = ["harmless text", "two words"]

if __name__ == "__main__":
    Gallery(list(STRINGS.values()) if sys.argv[1] == "hostile" else HARMLESS).run()
