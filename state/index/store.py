"""Finding, checking, catching up and dropping the index file.

Readers only read it; writers bring it up to date under the journal's lock. Whatever is wrong with
it costs time, never an answer and never a command.
"""

import os
import sqlite3
import time

from state.clock import Clock
from state.errors import Busy, NotCommitted, ReadOnly, StateError
from state.index.build import Progress, built, create, fold_lines, put_in_place, remove
from state.index.overlay import lay_over
from state.index.schema import CODE
from state.index.view import View
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.reader import Position
from state.paths import outside_index

FAR_BEHIND = 10_000
WAIT_MILLISECONDS = 500
TRIES = 3
BETWEEN_TRIES_SECONDS = 0.01


def open_view(journal: Journal, clock: Clock, progress: Progress | None = None) -> View:
    """The project as it stands now, from the index file and the lines that it lacks.

    Builds the file when it is missing, foreign, of other code or far behind; where neither the
    project nor the person's cache can be written, in memory.
    """
    for attempt in range(TRIES):
        head = journal.head()
        for path in _places(journal, head):
            view = _view_from(path, journal, head)
            if view is not None:
                return view
        if attempt + 1 < TRIES:
            # Another process may be putting a new file in place, or HEAD may just have moved on.
            time.sleep(BETWEEN_TRIES_SECONDS)
    return _build_view(journal, clock, journal.head(), progress)


def open_writer(journal: Journal) -> sqlite3.Connection:
    """The index file for a writer that holds the lock. sqlite3.Error when there is none."""
    connection = sqlite3.connect(_uri(journal.paths.index, "rw"), uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout={WAIT_MILLISECONDS}")
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def catch_up(connection: sqlite3.Connection, journal: Journal, head: Head) -> bool:
    """Brings a writer's index up to `head`; False when this file can't be brought there."""
    position = _position(connection)
    if position is None or not _is_near(position, head):
        return False
    if position.rev < head.rev:
        connection.execute("BEGIN IMMEDIATE")
        fold_lines(connection, journal.paths, position, head)
        connection.execute("COMMIT")
    return position.hash == head.hash


def ensure(journal: Journal, clock: Clock, progress: Progress | None = None) -> None:
    """Builds the project's index when it is missing or no longer near; without the lock."""
    view = _view_from(journal.paths.index, journal, journal.head())
    if view is None:
        view = open_view(journal, clock, progress)
    view.close()


def drop(journal: Journal) -> None:
    """Forgets an index in doubt, under the lock; the next reader builds it anew."""
    remove(journal.paths.index)


def _is_near(position: Position, head: Head) -> bool:
    return 0 <= head.rev - position.rev <= FAR_BEHIND


def _places(journal: Journal, head: Head) -> tuple[str, ...]:
    if journal.is_writable():
        return (journal.paths.index,)
    return (journal.paths.index, outside_index(head.project))


def _uri(path: str, mode: str) -> str:
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode={mode}"


def _open_reader(path: str) -> sqlite3.Connection:
    uri = _uri(path, "ro")
    if not os.access(os.path.dirname(path), os.W_OK):
        # SQLite can't make the files that sharing needs. What stands in a write-ahead log would
        # be missed, so such a file is only trusted when there is none.
        wal = path + "-wal"
        if os.path.exists(wal) and os.path.getsize(wal):
            raise sqlite3.OperationalError("a write-ahead log that can't be read")
        uri += "&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout={WAIT_MILLISECONDS}")
    connection.execute("PRAGMA temp_store=MEMORY")
    connection.execute("BEGIN")
    return connection


def _position(connection: sqlite3.Connection) -> Position | None:
    try:
        found = dict(connection.execute("SELECT key, value FROM meta"))
        if found["code"] != CODE:
            return None
        return Position(found["rev"], found["hash"], found["segment"], found["offset"])
    except (sqlite3.Error, KeyError):
        return None


def _view_from(path: str, journal: Journal, head: Head) -> View | None:
    """A view of one index file and the tail that it lacks; None when it can't be used."""
    try:
        inode = os.stat(path).st_ino
        connection = _open_reader(path)
    except (OSError, sqlite3.Error):
        return None
    try:
        position = _position(connection)
        # Put in place meanwhile: the connection may have met files of two indexes.
        same = os.path.exists(path) and os.stat(path).st_ino == inode
        if position is not None and same and _is_near(position, head):
            if position.rev < head.rev:
                lay_over(connection)
                fold_lines(connection, journal.paths, position, head)
            if position.hash == head.hash:
                return View(connection, journal.paths, head)
    except (sqlite3.Error, StateError, KeyError, TypeError):
        # Whether index or journal is wrong is found out by building from the first line.
        pass
    connection.close()
    return None


def _build_view(journal: Journal, clock: Clock, head: Head, progress: Progress | None) -> View:
    path = _places(journal, head)[-1]
    try:
        folder = os.path.dirname(path)
        with built(journal.paths, journal.start(), head, folder, progress) as scratch:
            _install(journal, clock, scratch, path)
            view = _view_from(path, journal, head) or _view_from(scratch, journal, head)
            if view is not None:
                return view
    except NotCommitted:
        pass
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create(connection)
    fold_lines(connection, journal.paths, journal.start(), head, progress)
    return View(connection, journal.paths, head)


def _install(journal: Journal, clock: Clock, scratch: str, path: str) -> None:
    if path != journal.paths.index:
        put_in_place(scratch, path)
        return
    from state.journal.lock import exclusive

    try:
        with exclusive(journal.paths.mutex, seat="system", since=clock.now(), wait=1.0):
            put_in_place(scratch, path)
    except (Busy, ReadOnly):
        # The scratch file serves this reader; the next one tries again.
        return
