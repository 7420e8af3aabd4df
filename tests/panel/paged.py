"""A paged list with a source that answers at once or when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from panel import safe_text
from panel.widgets.columns import Column
from panel.widgets.paged_list import PagedList, Row
from tests.panel.screen import lines
from tests.support import PATIENCE_SECONDS

MILLION = 1_000_000
COLUMNS = (
    Column("number", 9, align="right"),
    Column("title", 10, flex=1),
    Column("from", 8, priority=2),
    Column("state", 6, priority=1),
)


def make_row(key: int, title: str = "") -> Row:
    cells = (f"#{key}", title or f"title {key}", f"seat{key % 7}", "open")
    return Row(key, tuple(safe_text.line(cell) for cell in cells))


class Source(App[None]):
    """A list whose questions are answered from `rows`, at once or when `answer` is called."""

    CSS = "PagedList { height: 1fr; }"

    def __init__(self, paged: PagedList, rows: Sequence[int], hold: bool = False) -> None:
        super().__init__()
        self.paged = paged
        self.rows = rows
        self.hold = hold
        self.questions: list[PagedList.PageWanted] = []
        self.highlighted: list[int | None] = []
        self.selected: list[int] = []
        self.titles: dict[int, str] = {}

    def compose(self) -> ComposeResult:
        yield self.paged

    def on_mount(self) -> None:
        self.paged.set_source(len(self.rows))
        self.paged.focus()

    @on(PagedList.PageWanted)
    def _wanted(self, event: PagedList.PageWanted) -> None:
        self.questions.append(event)
        if not self.hold:
            self.answer()

    @on(PagedList.RowHighlighted)
    def _highlighted(self, event: PagedList.RowHighlighted) -> None:
        self.highlighted.append(event.key)

    @on(PagedList.RowSelected)
    def _selected(self, event: PagedList.RowSelected) -> None:
        self.selected.append(event.key)

    def answer(self) -> None:
        while self.questions:
            asked = self.questions.pop(0)
            keys = self.rows[asked.first : asked.first + asked.count]
            found = [make_row(key, self.titles.get(key, "")) for key in keys]
            self.paged.put_page(asked.first, found, asked.generation)


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait until the condition holds, letting the app go on."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await pilot.pause(0.01)


def numbers(app: App[None]) -> list[int]:
    """The numbers of the rows on the screen, from top to bottom."""
    found = []
    for line in lines(app):
        word = line.lstrip("▸ ").split(" ")[0]
        if word.startswith("#"):
            found.append(int(word[1:]))
    return found


def cursor_line(app: App[None]) -> str:
    """The one line that carries the sign of the cursor, "" while none does."""
    found = [line for line in lines(app) if line.startswith("▸")]
    assert len(found) <= 1
    return "".join(found)
