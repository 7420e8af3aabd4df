"""What is asked of the index: a view of the journal as it stands, from the file that there is.

Readers only read the file; writers bring it up to date under the journal's lock. Whatever is wrong
with it costs time, never an answer and never a command.
"""

import sqlite3
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from state.clock import Clock
from state.errors import StateError
from state.index.file import changed, is_near, open_reader, plain_inode, position_of, remove
from state.index.names import CODE
from state.index.view import View
from state.journal.head import Head
from state.journal.journal import Journal
from state.paths import outside_index

# A file that is there and up to date needs nothing of what makes one so.
if TYPE_CHECKING:
    from state.index.build import Progress
    from state.journal.reader import Position

KEPT_SECONDS = 7 * 24 * 3600
# A writer brings the index up to date right after it has marked its line: waiting for that is
# cheaper than folding the line a second time.
PAUSES = (0.0, 0.001, 0.002, 0.004)


def open_view(
    journal: Journal, clock: Clock, progress: "Progress | None" = None, blank: Head | None = None
) -> View:
    """The project as it stands now, from the index file and the lines that it lacks.

    Builds the file when it is missing, foreign, of other code or far behind; where it can't be
    kept, in the person's cache, and where that can't be either, for this view alone. `blank` is
    what stands for a HEAD that can't be read.
    """
    view = existing_view(journal, clock, blank)
    if view is None:
        from state.index.rebuild import build_view

        view = build_view(journal, clock, progress, blank)
    return view


def existing_view(journal: Journal, clock: Clock, blank: Head | None = None) -> View | None:
    """The same, where an index file can be used as it is."""
    head = blank or journal.head()
    for path in places(journal, head.project):
        view = view_from(path, journal, clock, blank)
        if view is not None:
            return view
    return None


def places(journal: Journal, project: str | None = None) -> tuple[str, str]:
    """Where index files may be: the project's own, and one outside. `project` is the present id."""
    return journal.paths.index(CODE), outside_index(project or journal.original, CODE)


def drop(journal: Journal) -> None:
    """Forgets an index in doubt, under the lock; the next reader builds it anew."""
    try:
        remove(journal.paths.index(CODE))
    except OSError:
        # A folder that lets nothing be removed: rev and hash keep the file from being believed.
        return


def quick_check(journal: Journal, clock: Clock) -> bool:
    """Whether SQLite finds the project's index file sound; one that isn't is dropped.

    True also where there is none. Takes about as long as reading the file.
    """
    path = journal.paths.index(CODE)
    try:
        plain_inode(path)
    except OSError:
        return True
    if _is_sound(path):
        _forget_others(journal, clock)
        return True
    from state.index.rebuild import locked

    with locked(journal, clock) as held:
        if held:
            drop(journal)
    return False


def _forget_others(journal: Journal, clock: Clock) -> None:
    """Removes indexes of other versions of the program that nobody has kept up for a week.

    Each version has a file of its own: two in use at once would build one anew in turn.
    """
    own = journal.paths.index(CODE)
    try:
        left = [
            path
            for path in journal.paths.indexes()
            if path != own and changed(path) < changed(own) - KEPT_SECONDS
        ]
    except OSError:
        return
    if not left:
        return
    from state.index.rebuild import locked

    with locked(journal, clock) as held, suppress(OSError):
        for path in left if held else ():
            remove(path)


def view_from(path: str, journal: Journal, clock: Clock, blank: Head | None) -> View | None:
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
            found = head

            def another() -> sqlite3.Connection:
                from state.index.rebuild import replacement

                return replacement(path, inode, journal, clock, found)

            return View(connection, journal.paths, head, another)
    except (OSError, sqlite3.Error):
        pass
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _is_sound(path: str) -> bool:
    try:
        connection = open_reader(path)
        try:
            return connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        # What the system refuses (a full disk, missing rights) says nothing of the file.
        return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_IOERR_SHORT_READ
    except sqlite3.Error:
        return False


def _snapshot(connection: sqlite3.Connection, journal: Journal, blank: Head | None) -> Head | None:
    """Begins to read at HEAD as it is by now, and gives it; None when this index can't say."""
    for pause in PAUSES:
        if pause:
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
    return head if _add_tail(connection, journal, position, head) else None


def _add_tail(
    connection: sqlite3.Connection, journal: Journal, position: "Position", head: Head
) -> bool:
    from state.index.build import fold_lines
    from state.index.overlay import lay_over
    from state.journal.reader import lines

    lay_over(connection)
    try:
        fold_lines(connection, lines(journal.paths, position, head), head.rev)
    except StateError:
        # Whether index or journal is wrong is found out by building from the first line.
        return False
    return True
