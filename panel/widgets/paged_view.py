"""Rows of any number drawn line by line, of which only the pages around what is seen are held.

Rows are counted in *positions* of the source, 0 for the first; rows may be added at its end at any
time. On the screen the first is at the top (index 0), with `newest_first` the last is. What has
changed is painted at once, then at most every 50 ms, and only the lines concerned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from panel.widgets.columns import Column, numbered
from panel.widgets.gather import Gather
from panel.widgets.pages import Pages, Row
from panel.widgets.row_painter import PLACEHOLDER, RowPainter

# Rows asked for beyond both edges of the screen.
AHEAD = 25


class PagedView(ScrollView):
    """The lines of `PagedList`, without a cursor. Not used on its own."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "paged-view--header",
        "paged-view--cursor",
        "paged-view--cursor-blurred",
        "paged-view--placeholder",
        "paged-view--note",
    }
    DEFAULT_CSS = """
    PagedView {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .paged-view--header { color: $text-muted; text-style: bold; }
        & > .paged-view--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: $block-cursor-text-style;
        }
        & > .paged-view--cursor-blurred {
            color: $block-cursor-blurred-foreground;
            background: $block-cursor-blurred-background;
            text-style: $block-cursor-blurred-text-style;
        }
        & > .paged-view--placeholder { color: $text-muted; text-style: dim; }
        & > .paged-view--note { color: $text-muted; }
    }
    """

    class PageWanted(Message):
        """Rows `first` to `first + count - 1` are wanted, to be answered with `put_page`."""

        def __init__(self, paged_list: PagedView, first: int, count: int, generation: int) -> None:
            super().__init__()
            self.paged_list = paged_list
            self.first = first
            self.count = count
            self.generation = generation

        @property
        def control(self) -> PagedView:
            return self.paged_list

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        empty: Content | None = None,
        waiting: Content | None = None,
        header: bool = True,
        newest_first: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`empty` is shown when there is no row, `waiting` as long as there is no source."""
        super().__init__(id=id, classes=classes)
        self._empty = empty or Content("")
        self._waiting = waiting or Content(PLACEHOLDER)
        self._top = int(header)
        self._newest_first = newest_first
        self._count: int | None = None
        self._generation = 0
        self._pages = Pages()
        self._columns = columns
        self._newest: int | None = None
        self._painter = RowPainter(self, columns, "paged-view")
        self._changed: set[int] = set()
        self._repaint = Gather(self, self._paint_changed)
        self._wished = False
        self._fetch = Gather(self, self._ask_for_pages)

    @property
    def count(self) -> int:
        """How many rows are shown, 0 before there is a source."""
        return self._count or 0

    @property
    def generation(self) -> int:
        """The number of the present source; answers with another one are dropped."""
        return self._generation

    @property
    def rows_held(self) -> int:
        """How many rows are held in memory."""
        return self._pages.held()

    def row_at(self, position: int) -> Row | None:
        """The row at a position, None while there is none or it isn't known."""
        return self._pages.row(position) if 0 <= position < self.count else None

    def page_failed(self, first: int, generation: int) -> None:
        """A `PageWanted` won't be answered; it is asked again at the next move."""
        if generation == self._generation:
            self._pages.call_off(first)

    def number_to(self, newest: int) -> None:
        """From now on the first column has room for the numbers up to this, and of all rows.

        Rows may come from a later moment than what their owner knows.
        """
        if self._newest is None or newest > self._newest:
            self._newest = newest
            if self._painter.set_columns(numbered(self._columns, newest)):
                self.refresh()

    def say_empty(self, empty: Content) -> None:
        """What to show from now on when there is no row."""
        self._empty = empty
        if not self.count:
            self._make_room()
            self.refresh()

    def order(self, *, newest_first: bool) -> None:
        """Show the last row of the source at the top, or the first; positions stay the same."""
        if newest_first == self._newest_first:
            return
        self._newest_first = newest_first
        self._painter.forget()
        self.scroll_to(y=0, animate=False)
        self.refresh()
        self._fetch.ask()

    def tick(self) -> None:
        """Paint again the visible rows that read otherwise because time has passed."""
        seen = self._pages.rows(*self._seen())
        self._paint_soon(at for at, row in seen if self._painter.ticked(at, row))

    # Where rows stand.

    def _position(self, index: int) -> int:
        """The position of the row at an index on the screen; the other way round as well."""
        return self.count - 1 - index if self._newest_first else index

    _index = _position

    def _body(self) -> int:
        return max(self.scrollable_content_region.height - self._top, 0)

    def _seen(self) -> tuple[int, int]:
        """The positions on the screen: from the first until before the second."""
        start = self.scroll_offset.y
        stop = max(start, min(start + self._body(), self.count))
        if self._newest_first:
            return max(self.count - stop, 0), max(self.count - start, 0)
        return start, stop

    def _needed(self) -> tuple[int, int]:
        """The positions whose rows are wanted, as `_seen` tells them."""
        return self._seen()

    def _set_count(self, count: int) -> None:
        """Take another number of rows, which differ from the present ones at the end alone."""
        before, self._count = self._count, count
        if count == before:
            self._fetch.ask()
            return
        size = Size(0, count + self._top)
        if self.styles.is_auto_height:
            self._make_room()
        else:
            # Through the reactive, each new row would lay out the whole screen.
            self.set_reactive(Widget.virtual_size, size)
        scrolled = self.scroll_offset.y
        self._scroll_update(size)
        if not before or not count or count < before:
            self.refresh()
        elif self._newest_first:
            if scrolled:
                # What the person looks at stays where it is.
                self.scroll_to(y=scrolled + count - before, animate=False)
            else:
                self.refresh()
        else:
            self._paint_soon(range(before, count))
        self._fetch.ask()

    def _make_room(self) -> None:
        """Where the height is that of the content: the rows, or what is said without any."""
        width = self.scrollable_content_region.width
        if self.styles.is_auto_height:
            none = not self.count and width and self._count is not None
            rows = self._painter.note_height(self._empty, width) if none else self.count
            self.virtual_size = Size(0, rows + self._top)

    def _scroll_into_view(self, position: int) -> None:
        body, index, top = self._body(), self._index(position), self.scroll_offset.y
        if not body or not self.count:
            return
        if index < top:
            self.scroll_to(y=index, animate=False)
        elif index >= top + body:
            self.scroll_to(y=index - body + 1, animate=False)

    # Fetching.

    def _put(self, first: int, rows: Sequence[Row]) -> None:
        changed = self._pages.put(first, rows)
        for position in changed:
            self._painter.forget(position)
        self._paint_soon(changed)
        if rows and self._newest is not None:
            self.number_to(max(row.key for row in rows))
        self._fetch.ask()

    def _ask_for_pages(self) -> None:
        start, stop = self._needed()
        if not self.is_attached or start >= stop:
            return
        for first, count in self._pages.wanted(start - AHEAD, stop + AHEAD, self.count):
            self.post_message(self.PageWanted(self, first, count, self._generation))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._fetch.ask()

    def on_resize(self) -> None:
        self._painter.forget()
        self._make_room()
        self._fetch.ask()

    # Painting.

    def notify_style_update(self) -> None:
        self._painter.forget()
        super().notify_style_update()

    def _paint_soon(self, positions: Iterable[int]) -> None:
        start, stop = self._seen()
        self._changed.update(at for at in positions if start <= at < stop)
        if self._changed and not self._wished:
            # What else changes in the same turn belongs into the first painting, not a later one.
            self._wished = self.call_later(self._wish_to_paint)

    def _wish_to_paint(self) -> None:
        self._wished = False
        if self._changed:
            self._repaint.ask()

    def _paint(self, position: int) -> None:
        if position < self.count:
            self.refresh_line(self._index(position) + self._top)

    def _paint_changed(self) -> None:
        for position in self._changed:
            self._paint(position)
        self._changed.clear()

    def _look(self, position: int) -> str:
        """How the row at a position is drawn, as `RowPainter` calls it."""
        return ""

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if y < self._top:
            return self._painter.header(width)
        line = y - self._top
        if not self.count:
            note = self._waiting if self._count is None else self._empty
            return self._painter.note(note, line, width)
        index = self.scroll_offset.y + line
        if index >= self.count:
            return self._painter.blank(width)
        position = self._position(index)
        return self._painter.row(position, self.row_at(position), self._look(position), width)
