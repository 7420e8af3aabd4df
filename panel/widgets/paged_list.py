"""A list of any number of rows with a cursor, paged from a source that answers when it can.

The list asks with `PageWanted`; whoever owns the data answers, at any later time, with `put_page`.
A row that isn't known yet is drawn as a placeholder; an answer to an outdated question is dropped.
The cursor stays on the row with the same key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from panel import keys
from panel.widgets.columns import Column
from panel.widgets.gather import Gather
from panel.widgets.paged_view import PagedView
from panel.widgets.pages import Row

__all__ = ["Column", "PagedList", "Row"]


class PagedList(PagedView, can_focus=True):
    """Rows of columns with a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("list")]

    class _OfCursor(Message):
        def __init__(self, paged_list: PagedList, position: int) -> None:
            super().__init__()
            self.paged_list = paged_list
            self.position = position

        @property
        def control(self) -> PagedList:
            return self.paged_list

    class RowHighlighted(_OfCursor):
        """The cursor is on this row; the key is None while there is none or it isn't known."""

        def __init__(self, paged_list: PagedList, position: int, key: int | None) -> None:
            super().__init__(paged_list, position)
            self.key = key

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, type(self)) and message.paged_list is self.paged_list

    class RowSelected(_OfCursor):
        """The row was opened, by enter or a double click."""

        def __init__(self, paged_list: PagedList, position: int, key: int) -> None:
            super().__init__(paged_list, position)
            self.key = key

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        empty: Content | None = None,
        waiting: Content | None = None,
        header: bool = True,
        newest_first: bool = False,
        follow: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`empty` is shown when there is no row, `waiting` until the first `set_source`.

        With `follow`, the cursor goes along with the newest row as long as it stands on it. Leave
        it off where a key acts on the row under the cursor.
        """
        super().__init__(
            columns,
            empty=empty,
            waiting=waiting,
            header=header,
            newest_first=newest_first,
            id=id,
            classes=classes,
        )
        self._follow = follow
        self._cursor = 0
        self._cursor_key: int | None = None
        self._told: tuple[int, int | None] | None = None
        self._open_when_known = False
        self._grown = 0
        self._growth = Gather(self, self._take_growth)

    @property
    def position(self) -> int:
        """The position of the cursor."""
        return self._cursor

    @property
    def row(self) -> Row | None:
        """The row under the cursor, None while there is none or it isn't known."""
        return self.row_at(self._cursor)

    # What the owner of the data does.

    def set_source(self, count: int, cursor: int | None = None) -> None:
        """Show another list of `count` rows, with the cursor at a position, else at the top."""
        self._generation += 1
        self._pages.clear()
        self._painter.forget()
        self._count = None
        self._grown = 0
        self._cursor_key = self._told = None
        self._open_when_known = False
        self._set_count(count)
        self._place(self._position(0) if cursor is None else cursor)
        self._show()

    def refresh_source(self, count: int, cursor: int | None = None) -> None:
        """The same list at a later moment: what is shown stays until the new rows come.

        Give the position where the row under the cursor stands now, when it is known; without it
        the key is looked for among the rows that come.
        """
        self._generation += 1
        self._pages.outdate()
        self._grown = 0
        self._resize_source(count)
        if not count:
            self._tell()
        if cursor is not None and cursor != self._cursor:
            self._paint_soon((self._cursor, cursor))
            self._place(cursor)
            self._scroll_into_view(self._cursor)

    def grow(self, count: int) -> None:
        """Rows were added at the end of the source, `count` in all; the others are as they were.

        A burst is taken in together.
        """
        self._grown = max(self._grown, count)
        self._growth.ask()

    def put_page(self, first: int, rows: Sequence[Row], generation: int) -> bool:
        """Take the answer to a `PageWanted`. False when it came too late and was dropped."""
        if generation != self._generation:
            return False
        self._put(first, rows)
        self._keep_key()
        self._tell()
        self._open_if_wanted()
        return True

    def jump(self, position: int) -> None:
        """Put the cursor on this position, or the nearest that there is."""
        self._take_growth()
        before = self._cursor
        self._place(position)
        # Also where it stands there already: what it stood on before is not followed any more.
        self._cursor_key = None
        if self._cursor != before:
            self._open_when_known = False
        for place in {before, self._cursor}:
            self._paint(place)
        self._show()

    def order(self, *, newest_first: bool) -> None:
        """As `PagedView.order`; the cursor stays on its row, and in sight."""
        super().order(newest_first=newest_first)
        self._scroll_into_view(self._cursor)

    # Keys and mouse.

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows, downwards when positive."""
        self._jump_to_index(self._index(self._cursor) + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by screens."""
        self.action_move(pages * max(self._body() - 1, 1))

    def action_top(self) -> None:
        """Move the cursor to the uppermost row."""
        self._jump_to_index(0)

    def action_bottom(self) -> None:
        """Move the cursor to the lowest row."""
        self._jump_to_index(self.count - 1)

    def action_open(self) -> None:
        """Open the row under the cursor, as soon as it is known."""
        self._open_when_known = self.count > 0
        self._open_if_wanted()

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self._top:
            return
        index = self.scroll_offset.y + offset.y - self._top
        if index < self.count:
            self._jump_to_index(index)
            if event.chain == 2:
                self.action_open()

    def on_focus(self) -> None:
        self._paint(self._cursor)

    def on_blur(self) -> None:
        self._paint(self._cursor)

    def on_resize(self) -> None:
        # Textual calls the one of `PagedView` as well.
        self._scroll_into_view(self._cursor)

    # The cursor.

    def _look(self, position: int) -> str:
        if position != self._cursor:
            return ""
        return "cursor" if self.has_focus else "cursor-blurred"

    def _jump_to_index(self, index: int) -> None:
        self.jump(self._position(max(0, min(index, self.count - 1))))

    def _place(self, cursor: int) -> None:
        self._cursor = max(0, min(cursor, self.count - 1))

    def _needed(self) -> tuple[int, int]:
        """Without room for a list, what is read in its place is about the row under the cursor."""
        start, stop = super()._needed()
        return (start, stop) if start < stop else (self._cursor, min(self._cursor + 1, self.count))

    def _show(self) -> None:
        self._scroll_into_view(self._cursor)
        self._fetch.ask()
        self._tell()

    def _take_growth(self) -> None:
        if self._grown > self.count:
            self._resize_source(self._grown)
            self._tell()

    def _resize_source(self, count: int) -> None:
        newest = self._follow and self._cursor >= self.count - 1
        before = self._cursor
        scrolled = self.scroll_offset.y
        self._set_count(count)
        if newest:
            self._place(count - 1)
            self._cursor_key = None
            self._paint_soon((before, self._cursor))
        else:
            self._place(self._cursor)
        if newest or not scrolled:
            self._scroll_into_view(self._cursor)

    def _keep_key(self) -> None:
        """When the row under the cursor stands elsewhere now, follow it."""
        here = self.row
        if self._cursor_key is None or (here is not None and here.key == self._cursor_key):
            return
        position = self._pages.find(self._cursor_key)
        if position is not None and position < self.count:
            before = self._cursor
            self._place(position)
            self._scroll_into_view(position)
            self._paint_soon((before, position))

    def _tell(self) -> None:
        """Post `RowHighlighted` when the cursor stands on something else than last told."""
        row = self.row
        if row is not None:
            self._cursor_key = row.key
        now = (self._cursor, row.key if row is not None else None)
        if now != self._told:
            self._told = now
            self.post_message(self.RowHighlighted(self, *now))

    def _open_if_wanted(self) -> None:
        row = self.row
        if self._open_when_known and row is not None:
            self._open_when_known = False
            self.post_message(self.RowSelected(self, self._cursor, row.key))
