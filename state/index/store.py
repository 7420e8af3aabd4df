"""Finding, checking, building and dropping the index file.

Readers only read it; writers bring it up to date under the journal's lock. Whatever is wrong with
it costs time, never an answer and never a command.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from state.clock import Clock
from state.errors import NotCommitted, StateError
from state.index.build import Progress, built, fold_lines, put_in_place, remove
from state.index.overlay import lay_over
from state.index.view import View
from state.index.writer import connect, is_near, plain_inode, position_of, private_index
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.reader import lines
from state.paths import outside_index

# A writer brings the index up to date right after it has marked its line: waiting for that is
# cheaper than folding the line a second time.
PAUSES = (0.0, 0.001, 0.002, 0.004)
SYSTEM = "system"
LOCK_SECONDS = 1.0


def open_view(
    journal: Journal, clock: Clock, progress: Progress | None = None, blank: Head | None = None
) -> View:
    """The project as it stands now, from the index file and the lines that it lacks.

    Builds the file when it is missing, foreign, of other code or far behind; where it can't be
    kept, in the person's cache, and where that can't be either, for this view alone. `blank` is
    what stands for a HEAD that can't be read.
    """
    view = existing_view(journal, blank)
    if view is not None:
        return view
    for path in places(journal):
        view = _build_at(path, journal, clock, progress, blank)
        if view is not None:
            return view
    head = blank or journal.head()
    return View(private_index(journal, head), journal.paths, head)


def existing_view(journal: Journal, blank: Head | None = None) -> View | None:
    """The same, where an index file can be used as it is."""
    head = blank or journal.head()
    for path in places(journal, head.project):
        view = _view_from(path, journal, blank)
        if view is not None:
            return view
    return None


def places(journal: Journal, project: str | None = None) -> tuple[str, ...]:
    """Where index files may be: the project's own, and one outside. `project` is the present id."""
    return journal.paths.index, outside_index(project or journal.original)


def ensure(journal: Journal, clock: Clock, progress: Progress | None = None) -> None:
    """Builds the project's index file anew, without holding the lock meanwhile.

    Leaves none where none can be kept.
    """
    view = _build_at(journal.paths.index, journal, clock, progress, None)
    if view is not None:
        view.close()


def drop(journal: Journal) -> None:
    """Forgets an index in doubt, under the lock; the next reader builds it anew."""
    try:
        remove(journal.paths.index)
    except OSError:
        # A folder that lets nothing be removed: rev and hash keep the file from being believed.
        return


def quick_check(journal: Journal, clock: Clock) -> bool:
    """Whether SQLite finds the project's index file sound; one that isn't is dropped.

    True also where there is none. Takes about as long as reading the file.
    """
    path = journal.paths.index
    try:
        plain_inode(path)
    except OSError:
        return True
    try:
        connection = open_reader(path)
        try:
            sound = connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
        finally:
            connection.close()
    except sqlite3.Error:
        sound = False
    if not sound:
        with _locked(journal, clock) as locked:
            if locked:
                drop(journal)
    return sound


def open_reader(path: str) -> sqlite3.Connection:
    """A connection that only reads; sqlite3.Error when the file can't be read as a whole."""
    immutable = False
    if not os.access(os.path.dirname(path), os.W_OK):
        # SQLite can't make the files that sharing needs. What stands in a write-ahead log would
        # be missed, so such a file is only trusted when there is none.
        wal = path + "-wal"
        if os.path.exists(wal) and os.path.getsize(wal):
            raise sqlite3.OperationalError("a write-ahead log that can't be read")
        immutable = True
    connection = connect(path, "ro", immutable=immutable)
    connection.execute("PRAGMA temp_store=MEMORY")
    return connection


def _view_from(path: str, journal: Journal, blank: Head | None) -> View | None:
    """A view of one index file and the tail that it lacks; None when it can't be used."""
    try:
        inode = plain_inode(path)
        connection = open_reader(path)
    except (OSError, sqlite3.Error):
        return None
    try:
        head = _snapshot(connection, journal, blank)
        # Put in place meanwhile: the connection may have met files of two indexes.
        if head is not None and plain_inode(path) == inode:
            return View(connection, journal.paths, head, lambda: private_index(journal, head))
    except (OSError, sqlite3.Error):
        pass
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _snapshot(connection: sqlite3.Connection, journal: Journal, blank: Head | None) -> Head | None:
    """Begins to read at HEAD as it is by now, and gives it; None when this index can't say."""
    for pause in PAUSES:
        time.sleep(pause)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("BEGIN")
        position = position_of(connection)
        # HEAD is read last: of two moments the index's must be the earlier one.
        head = blank or journal.head()
        if position is None or not is_near(position, head):
            return None
        if position.rev == head.rev:
            return head if position.hash == head.hash else None
    assert position is not None
    lay_over(connection)
    try:
        fold_lines(connection, lines(journal.paths, position, head), head.rev)
    except StateError:
        # Whether index or journal is wrong is found out by building from the first line.
        return None
    return head


def _build_at(
    path: str, journal: Journal, clock: Clock, progress: Progress | None, blank: Head | None
) -> View | None:
    """A view from an index that was built and put there; None where none can be kept."""
    head = blank or journal.head()
    shared = path == journal.paths.index
    if shared and not journal.is_writable():
        return None
    folder = os.path.dirname(path)
    try:
        with built(journal.paths, journal.start(), head, folder, progress, shared=shared) as new:
            if not shared:
                put_in_place(new, path)
            else:
                with _locked(journal, clock) as locked:
                    if locked:
                        put_in_place(new, path)
            # Where the lock couldn't be had, the new file serves this reader alone.
            return _view_from(path, journal, blank) or _view_from(new, journal, blank)
    except NotCommitted:
        return None


@contextmanager
def _locked(journal: Journal, clock: Clock) -> Iterator[bool]:
    """Whether the journal's lock could be had within a second; it is held meanwhile."""
    from state.journal.lock import exclusive

    with ExitStack() as held:
        try:
            held.enter_context(
                exclusive(journal.paths.mutex, seat=SYSTEM, since=clock.now(), wait=LOCK_SECONDS)
            )
        except StateError:
            # An index is never worth an error: whoever has the lock next does it.
            yield False
            return
        yield True
