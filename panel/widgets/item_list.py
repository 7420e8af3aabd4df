"""A short list, shown whole each time as it is now; the cursor stays on what it stood on."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from textual import on
from textual.content import Content
from textual.message import Message

from panel.widgets.columns import Column
from panel.widgets.paged_list import PagedList
from panel.widgets.pages import SIZE, Cell, Row


class Item(NamedTuple):
    """One row: what names it (the same for the same thing, always), its cells, a style for all."""

    key: Hashable
    cells: tuple[Cell, ...]
    style: str = ""


class ItemList(PagedList):
    """A list of all its items, held in memory: meant for hundreds, not for thousands."""

    class Highlighted(Message):
        """The cursor came to another item, or to none."""

        def __init__(self, item_list: ItemList, key: Hashable | None) -> None:
            super().__init__()
            self.item_list = item_list
            self.key = key

        @property
        def control(self) -> ItemList:
            return self.item_list

    class Opened(Message):
        """An item was opened by enter or a double click."""

        def __init__(self, item_list: ItemList, key: Hashable) -> None:
            super().__init__()
            self.item_list = item_list
            self.key = key

        @property
        def control(self) -> ItemList:
            return self.item_list

    def __init__(
        self, columns: Sequence[Column], *, keep_top: bool = False, **options: Any
    ) -> None:
        """With `keep_top`, the cursor stays on the first row while nobody has moved it."""
        super().__init__(columns, **options)
        self._keep_top = keep_top
        self._items: tuple[Item, ...] = ()
        self._numbers: Mapping[Hashable, int] | None = None
        self._given = 0

    @property
    def key(self) -> Hashable | None:
        """What the cursor stands on, None while the list is empty."""
        at = self.position
        return self._items[at].key if 0 <= at < len(self._items) else None

    def show(self, items: Sequence[Item]) -> None:
        """Show these, and put the cursor where the item now stands that it stood on."""
        at_top = self._keep_top and self.position == 0 and not self.has_focus
        before, numbers = None if at_top else self.key, self._numbers
        self._items = tuple(items)
        keys = [item.key for item in self._items]
        self._numbers = {key: self._number(key, numbers or {}) for key in keys}
        if numbers is None:
            self.set_source(len(keys))
        else:
            place = keys.index(before) if before in keys else None
            self.refresh_source(len(keys), 0 if at_top else place)
        if at_top:
            self._cursor_key = None
        rows = [Row(self._numbers[item.key], item.cells, item.style) for item in self._items]
        for first in range(0, len(rows), SIZE):
            self.put_page(first, rows[first : first + SIZE], self.generation)

    def _number(self, key: Hashable, known: Mapping[Hashable, int]) -> int:
        """The number of a row with this key: what it had before, else one that none ever had."""
        if key in known:
            return known[key]
        self._given += 1
        return self._given

    def set_empty(self, text: Content) -> None:
        """Say this where rows would be, while there are none."""
        if not text.is_same(self._empty):
            self.say_empty(text)

    def move_to(self, key: Hashable) -> None:
        """Put the cursor on an item, where there is such a one."""
        for at, item in enumerate(self._items):
            if item.key == key:
                self.jump(at)

    @on(PagedList.RowHighlighted)
    def _row_highlighted(self, event: PagedList.RowHighlighted) -> None:
        event.stop()
        self.post_message(self.Highlighted(self, self.key))

    @on(PagedList.RowSelected)
    def _row_selected(self, event: PagedList.RowSelected) -> None:
        event.stop()
        if self.key is not None:
            self.post_message(self.Opened(self, self.key))

    @on(PagedList.PageWanted)
    def _page_wanted(self, event: PagedList.PageWanted) -> None:
        # Every row was given already; what is asked for now is out of date.
        event.stop()
        self.page_failed(event.first, event.generation)
