"""What the panel asks of the lines of the journal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from state.clock import Moment
from state.errors import NotFound, Unsound
from state.history import queries
from state.history.queries import LineRow
from state.index.view import View
from state.journal.line import Line
from state.roster import queries as roster
from state.roster.queries import Seat

BATCH = 200


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that can't be read, and why."""

    rev: int
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class OpenedLine:
    """A whole line and its stored bytes."""

    line: Line
    raw: bytes


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Which lines a list shows; None leaves a question out. Times are UTC as stored."""

    seat: str | None = None
    op: str | None = None
    via: str | None = None
    since: str | None = None
    until: str | None = None

    def lets_through(self, row: LineRow) -> bool:
        """Whether a line is shown."""
        return (
            self.seat in (None, row.seat)
            and self.via in (None, row.via)
            and (self.op is None or any(op["op"] == self.op for op in row.ops))
            and (self.since is None or row.ts >= self.since)
            and (self.until is None or row.ts <= self.until)
        )


def page(first: int, size: int) -> Callable[[View, Moment], Sequence[LineRow | BadLine]]:
    """The lines at the positions from `first` on, 0 for line 1; a bad line is one bad row."""

    def ask(view: View, _: Moment) -> Sequence[LineRow | BadLine]:
        return _rows(view, first, size)[::-1]

    return ask


def opened(rev: int) -> Callable[[View, Moment], OpenedLine]:
    """A line as a whole. NotFound when there is none of this number, Damaged when it is bad."""

    def ask(view: View, _: Moment) -> OpenedLine:
        line, raw = view.line(rev), view.raw_line(rev)
        if line is None or raw is None:
            raise NotFound(f"there is no line {rev}", "the list shows what there is")
        return OpenedLine(line, raw)

    return ask


def through(
    view: View, wanted: LineFilter, told: Callable[[float], None], is_off: Callable[[], bool]
) -> Iterator[LineRow | BadLine]:
    """The lines that a filter lets through, newest first; `told` hears the share looked at."""
    for last in range(view.rev, 0, -BATCH):
        if is_off():
            return
        first = max(last - BATCH, 0)
        for row in _rows(view, first, last - first):
            if isinstance(row, BadLine) or wanted.lets_through(row):
                yield row
        told(1 - first / view.rev)


def _rows(view: View, first: int, size: int) -> Sequence[LineRow | BadLine]:
    """Lines `first + 1` to `first + size`, newest first."""
    newest = max(view.rev - first - size, 0)
    size = view.rev - first - newest
    try:
        return queries.page(view, newest, size)
    except Unsound:
        return [_row(view, place) for place in range(newest, newest + size)]


def _row(view: View, place: int) -> LineRow | BadLine:
    try:
        return queries.page(view, place, 1)[0]
    except Unsound as error:
        return BadLine(view.rev - place, error.message)


@dataclass(frozen=True, slots=True, eq=False)
class Then:
    """The state after line `rev`, written `at`."""

    rev: int
    at: str
    roster: int
    messages: int
    seats: tuple[Seat, ...]


def then(view: View) -> Then:
    """The state of a view of the past; the view may be closed afterwards."""
    return Then(
        view.rev,
        view.meta("at"),
        roster.revision(view),
        int(view.meta("messages")),
        roster.seats(view),
    )
