"""The lines themselves as a list, what one of them changed, and the state after any of them."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from state.errors import NotFound, StateError
from state.index.build import Progress, fill_with
from state.index.view import View, whole_line
from state.journal.journal import Journal
from state.journal.line import Line
from state.journal.reader import lines, stored


@dataclass(frozen=True, slots=True)
class LineRow:
    """One line: who wrote it when and by which way, and its operations as they are stored."""

    rev: int
    ts: str
    seat: str
    via: str
    ops: Sequence[Mapping[str, Any]]


def count(view: View) -> int:
    """How many lines there are."""
    return view.rev


def page(view: View, first: int, size: int) -> tuple[LineRow, ...]:
    """Lines `first` (from 0, the newest) to `first + size`. Damaged when one doesn't verify."""
    newest = view.rev - first
    found = [_row(line) for line in _lines(view, newest - size + 1, newest)]
    return tuple(reversed(found))


def at_revision(journal: Journal, rev: int, progress: Progress | None = None) -> View:
    """The state after line `rev`, in memory; close it after use.

    `progress` is told lines done and lines to do; what it raises ends it. NotFound when there is
    no such line; Damaged and its kin when one up to it doesn't verify.
    """
    head = journal.head()
    if not 1 <= rev <= head.rev:
        raise NotFound(f"there is no line {rev}", f"the journal goes from line 1 to {head.rev}")
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        upto = islice(lines(journal.paths, journal.start(), head), rev)
        last = fill_with(connection, upto, rev, progress) or head
    except sqlite3.Error as error:
        connection.close()
        raise StateError(f"the past can't be built: {error}", "make room on the disk") from error
    except BaseException:
        connection.close()
        raise
    return View(connection, journal.paths, last)


def _lines(view: View, lowest: int, newest: int) -> Iterator[Line]:
    """Lines from one revision to another, oldest first, each stretch of bytes read at once."""
    places = view.rows(
        "SELECT seg, off, len, rev FROM line WHERE rev BETWEEN ? AND ? ORDER BY rev",
        *(max(lowest, 1), newest),
    )
    for segment, group in groupby(places, key=lambda place: int(place[0])):
        found = list(group)
        end = found[-1][1] + found[-1][2]
        pieces = stored(view.paths, segment, found[0][1], end)
        for (_, offset, _, rev), raw in zip(found, pieces, strict=False):
            yield whole_line(raw, rev, segment, offset)


def _row(line: Line) -> LineRow:
    return LineRow(line.rev, line.ts, line.seat, line.via, line.ops)
