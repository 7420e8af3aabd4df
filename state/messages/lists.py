"""Where the numbers of a filtered list of messages come from, at any depth and size (M10).

A list is a union of stretches of the index, each in the order of numbers. Long lists that nothing
but seat, sender or kind narrows have milestones, so any page of them is near one; the others are
walked from the nearest page that was asked for before, or from their nearer end.
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from typing import Any, NamedTuple

from state.index.names import STEP
from state.index.view import View

LAST = 2**62


class Part(NamedTuple):
    """A stretch of one table: `column` holds the numbers of the messages, `where` narrows it.

    Only numbers between `after` and `before` are meant, both left out.
    """

    table: str
    column: str
    where: str = "1"
    values: tuple[Any, ...] = ()
    after: int = 0
    before: int = LAST

    def narrowed(self, where: str, *values: Any) -> "Part":
        """Fewer of the same; `{}` in `where` stands for the number."""
        more = where.replace("{}", f"{self.table}.{self.column}")
        return self._replace(where=f"{self.where} AND {more}", values=(*self.values, *values))

    def bounded(self, after: int, before: int) -> "Part":
        """Fewer of the same. Only one bound to each side: SQLite would seek by either of two."""
        return self._replace(after=max(after, self.after), before=min(before, self.before))

    def select(self, what: str) -> tuple[str, tuple[Any, ...]]:
        """The question, and what is filled in."""
        where = f"{self.where} AND {self.column}>? AND {self.column}<?"
        values = (*self.values, self.after, self.before)
        return f"SELECT {what} FROM {self.table} WHERE {where}", values


class Known:
    """What was found out about a list so far; whoever lists the same lines can use it.

    `seen`: after so many rows comes what is older than this number.
    """

    __slots__ = ("seen", "total")

    def __init__(self) -> None:
        self.total: int | None = None
        self.seen: list[tuple[int, int]] = [(0, LAST)]


class List:
    """One filtered list, newest first, as it is in one view.

    `parts` have no message in common unless it is `mixed`. `total` and `milestones` (the name of
    the list there) are given where the index knows them.
    """

    def __init__(
        self,
        view: View,
        parts: Sequence[Part],
        known: Known,
        *,
        mixed: bool = False,
        total: int | None = None,
        milestones: str | None = None,
    ) -> None:
        self._view = view
        self._parts = parts
        self._mixed = mixed
        self._known = known
        self._milestones = milestones
        if total is not None:
            known.total = total

    def count(self) -> int:
        """How many there are."""
        if self._known.total is None:
            self._known.total = self._between(0, LAST)
        return self._known.total

    def page(self, first: int, size: int) -> tuple[int, ...]:
        """The numbers at positions `first` (from 0, the newest) to `first + size`."""
        seen = self._known.seen
        position, older = seen[bisect_right(seen, first, key=_position) - 1]
        walk = first - position
        if self._known.total is None and walk <= STEP:
            # Counting a list of which only the beginning is wanted would be the longer way.
            found = self._walk("DESC", 0, older, size, walk)
        else:
            found = self._counted_page(first, size, walk, older)
        if found:
            self._remember(first + len(found), found[-1])
        return tuple(found)

    def place(self, number: int) -> int | None:
        """The position of a message, None when it isn't in the list."""
        if not self.holds(number):
            return None
        if self._milestones is None:
            return self._between(number, LAST)
        row = self._view.row(
            "SELECT n, message FROM milestone WHERE list=? AND message<=? ORDER BY n DESC LIMIT 1",
            *(self._milestones, number),
        )
        n, mark = (0, 0) if row is None else row
        older = int(n) * STEP + self._between(mark, number + 1)
        return self.count() - older

    def holds(self, number: int) -> bool:
        """Whether a message is in the list."""
        return self._between(number - 1, number + 1) > 0

    def _counted_page(self, first: int, size: int, walk: int, older: int) -> list[int]:
        size = min(size, self.count() - first)
        from_end = self.count() - first - size
        if size <= 0:
            return []
        if min(walk, from_end) > STEP and self._milestones is not None:
            return self._near_milestone(from_end, size)
        if from_end < walk:
            return self._walk("ASC", 0, LAST, size, from_end)[::-1]
        return self._walk("DESC", 0, older, size, walk)

    def _near_milestone(self, before: int, size: int) -> list[int]:
        """`size` numbers after the `before` oldest, newest first."""
        n = before // STEP
        mark = self._view.number(
            "SELECT message FROM milestone WHERE list=? AND n=?", self._milestones, n
        )
        return self._walk("ASC", mark, LAST, size, before - n * STEP)[::-1]

    def _between(self, after: int, before: int) -> int:
        """How many numbers lie between two, both left out."""
        if self._mixed:
            sql, values = self._union(after, before)
            return self._view.number(f"SELECT count(*) FROM ({sql})", *values)
        parts = [part.bounded(after, before).select("count(*)") for part in self._parts]
        return sum(self._view.number(sql, *values) for sql, values in parts)

    def _walk(self, way: str, after: int, before: int, size: int, skip: int) -> list[int]:
        sql, values = self._union(after, before)
        rows = self._view.rows(f"{sql} ORDER BY 1 {way} LIMIT ? OFFSET ?", *values, size, skip)
        return [number for (number,) in rows]

    def _union(self, after: int, before: int) -> tuple[str, tuple[Any, ...]]:
        distinct = "DISTINCT " if self._mixed and len(self._parts) == 1 else ""
        asked = [part.bounded(after, before).select(distinct + part.column) for part in self._parts]
        union = (" UNION " if self._mixed else " UNION ALL ").join(sql for sql, _ in asked)
        return union, tuple(value for _, values in asked for value in values)

    def _remember(self, position: int, number: int) -> None:
        if all(known != position for known, _ in self._known.seen):
            insort(self._known.seen, (position, number))


def _position(seen: tuple[int, int]) -> int:
    return seen[0]
