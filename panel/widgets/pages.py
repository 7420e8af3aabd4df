"""Rows of a long list held in pages, a bounded number of them. Knows no widget.

A row is named by its position in the source, 0 for the first; positions stay what they are while
rows are added at the end. Pages start at multiples of `SIZE`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.content import Content

SIZE = 100
HELD = 20
ASKED_AT_ONCE = 4

Cell = Content | Callable[[], Content]


def shown(cell: Cell) -> Content:
    """What a cell says now."""
    return cell() if callable(cell) else cell


class Row(NamedTuple):
    """One row: a key that names what it shows, and a cell for each column, or one over them all.

    A cell that is a function is called at each painting, for what changes with the clock alone.
    `style` is the program's style for the whole row, as in "dim".
    """

    key: int
    cells: tuple[Cell, ...]
    style: str = ""

    @property
    def ticks(self) -> bool:
        """Whether a cell changes with the clock."""
        return any(callable(cell) for cell in self.cells)

    def looks_like(self, other: Row) -> bool:
        """Whether both are drawn alike now, styles included: `==` compares the text alone."""
        return (
            self.key == other.key
            and self.style == other.style
            and len(self.cells) == len(other.cells)
            and all(
                one is two or shown(one).is_same(shown(two))
                for one, two in zip(self.cells, other.cells, strict=True)
            )
        )


@dataclass(slots=True)
class _Page:
    rows: tuple[Row, ...]
    asked: int
    stale: bool = False


class Pages:
    """At most `HELD` pages, the least recently looked at thrown away first."""

    def __init__(self) -> None:
        self._pages: OrderedDict[int, _Page] = OrderedDict()
        self._asked: dict[int, int] = {}

    def clear(self) -> None:
        """Forget all rows and all questions."""
        self._pages.clear()
        self._asked.clear()

    def outdate(self) -> None:
        """Keep the rows to be looked at until newer ones come; forget the questions."""
        for page in self._pages.values():
            page.stale = True
        self._asked.clear()

    def row(self, position: int) -> Row | None:
        """The row at a position, or None while it isn't known."""
        first = position - position % SIZE
        page = self._pages.get(first)
        if page is None:
            return None
        self._pages.move_to_end(first)
        place = position - first
        return page.rows[place] if place < len(page.rows) else None

    def rows(self, start: int, stop: int) -> Iterator[tuple[int, Row]]:
        """The known rows from `start` until before `stop`, with their positions."""
        for position in range(start, stop):
            if (row := self.row(position)) is not None:
                yield position, row

    def find(self, key: int) -> int | None:
        """Where the row with this key stands among the pages that are not outdated."""
        for first, page in self._pages.items():
            if not page.stale:
                for place, row in enumerate(page.rows):
                    if row.key == key:
                        return first + place
        return None

    def wanted(self, start: int, stop: int, count: int) -> list[tuple[int, int]]:
        """What to ask for so that the rows in between are known, as (first, count) of pages.

        Remembers the question; it isn't put again until it was answered or called off.
        """
        found: list[tuple[int, int]] = []
        start, stop = max(start, 0), min(stop, count)
        for first in range(start - start % SIZE, stop, SIZE):
            if len(self._asked) >= ASKED_AT_ONCE:
                break
            needed = min(SIZE, count - first)
            page = self._pages.get(first)
            known = page is not None and not page.stale and page.asked >= needed
            if known or first in self._asked:
                continue
            self._asked[first] = needed
            found.append((first, needed))
        return found

    def call_off(self, first: int) -> None:
        """The question for this page won't be answered; it may be put again."""
        self._asked.pop(first, None)

    def put(self, first: int, rows: Sequence[Row]) -> list[int]:
        """Take the answer for the page at `first`; the positions whose row is another now."""
        asked = max(self._asked.pop(first, 0), len(rows))
        old = self._pages.get(first)
        before: tuple[Row, ...] = old.rows if old is not None else ()
        now = tuple(rows[:SIZE])
        self._pages[first] = _Page(now, asked)
        self._pages.move_to_end(first)
        while len(self._pages) > HELD:
            self._pages.popitem(last=False)
        shared = min(len(before), len(now))
        changed = [place for place in range(shared) if not before[place].looks_like(now[place])]
        changed += range(shared, max(len(before), len(now)))
        return [first + place for place in changed]

    def held(self) -> int:
        """How many rows are held at the moment."""
        return sum(len(page.rows) for page in self._pages.values())
