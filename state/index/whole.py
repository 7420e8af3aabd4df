"""The state that the whole lines of a journal give, where not all of them are whole."""

import os
import sqlite3
from collections.abc import Iterator
from hashlib import sha256

from state.errors import NotCommitted, StateError, Unsound
from state.index.build import Progress, fill_with, fold_lines, made
from state.index.file import is_near, open_reader, position_of, put_in_place
from state.index.overlay import lay_over
from state.index.store import places
from state.index.view import View
from state.journal.head import Head
from state.journal.heal import Scan
from state.journal.journal import Journal
from state.journal.line import Line
from state.journal.reader import Position, read_line


def whole_part(journal: Journal, progress: Progress | None, trouble: Unsound) -> View:
    """The state after the whole lines there are, as far as HEAD goes; `trouble` without any."""
    try:
        head = journal.head_or_none()
    except Unsound:
        head = None
    view = _from_index(journal, head) or _from_lines(journal, head, progress)
    if view is None:
        raise trouble
    return view


def _from_index(journal: Journal, head: Head | None) -> View | None:
    """From an index file whose last line stands in the log as it did, and what follows there."""
    for path in places(journal):
        try:
            connection = open_reader(path)
        except (OSError, sqlite3.Error):
            continue
        try:
            connection.execute("BEGIN")
            last = _last_that_stands(connection, journal, head)
            if last is not None:
                lay_over(connection)
                upto = None if head is None else head.rev
                after = _whole_lines(journal, Position.at(last), upto)
                last = fold_lines(connection, after, last.rev) or last
                return View(connection, journal.paths, last)
        except (sqlite3.Error, StateError):
            # What is wrong with it shows when it is built from the first line.
            pass
        connection.close()
    return None


def _last_that_stands(
    connection: sqlite3.Connection, journal: Journal, head: Head | None
) -> Head | None:
    """The last line that an index holds, if it is in the log and not after HEAD."""
    position = position_of(connection)
    if position is None or (head is not None and not is_near(position, head)):
        return None
    found = connection.execute("SELECT project, len FROM meta JOIN line USING(rev)").fetchone()
    if found is None:
        return None
    project, size = found
    start = position.offset - size
    raw = read_line(journal.paths, position.segment, start, size)
    if sha256(raw).hexdigest() != position.hash:
        return None
    segment, end = position.segment, position.offset
    return Head(project, 0, position.rev, segment, start, end, position.hash)


def _from_lines(journal: Journal, head: Head | None, progress: Progress | None) -> View | None:
    """From the first line on; kept outside the project, where nothing may be written now."""
    upto = None if head is None else head.rev
    while upto != 0:
        try:
            return _built(journal, upto, progress)
        except Unsound as error:
            # Not the chain, but what a line says: the state before it is the last good one.
            upto = (error.rev or 1) - 1
    return None


def _built(journal: Journal, upto: int | None, progress: Progress | None) -> View | None:
    last: Head | None = None

    def fill(connection: sqlite3.Connection) -> None:
        nonlocal last
        found = _whole_lines(journal, journal.start(), upto)
        last = fill_with(connection, found, upto or 0, progress)

    path = places(journal)[-1]
    try:
        with made(os.path.dirname(path), fill, shared=False) as scratch:
            put_in_place(scratch, path)
            connection = open_reader(path)
    except (NotCommitted, OSError, sqlite3.Error):
        connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        fill(connection)
    if last is None:
        connection.close()
        return None
    return View(connection, journal.paths, last)


def _whole_lines(journal: Journal, position: Position, upto: int | None) -> Iterator[Line]:
    """The lines after a position until the first fault, or until line `upto`."""
    try:
        for line in Scan(journal, position).lines():
            if upto is not None and line.rev > upto:
                return
            yield line
    except Unsound:
        return
