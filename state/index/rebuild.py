"""Making an index where there is none that can be used: in place, outside, or for one process."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from state.clock import Clock
from state.errors import NotCommitted, StateError
from state.index.build import Progress, all_lines, built, fill_with
from state.index.file import open_reader, plain_inode, position_of, put_in_place, remove
from state.index.names import CODE
from state.index.store import places, view_from
from state.index.view import View
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.lock import exclusive

SYSTEM = "system"
LOCK_SECONDS = 1.0


def build_view(
    journal: Journal, clock: Clock, progress: Progress | None, blank: Head | None
) -> View:
    """The project as it stands now, from an index that is built for it.

    Errors of the journal as they come.
    """
    head = blank or journal.head()
    for path in places(journal, head.project):
        view = _build_at(path, journal, clock, progress, blank)
        if view is not None:
            return view
    head = blank or journal.head()
    return View(private_index(journal, head), journal.paths, head)


def ensure(journal: Journal, clock: Clock, progress: Progress | None = None) -> None:
    """Builds the project's index file anew, without holding the lock meanwhile.

    Leaves none where none can be kept.
    """
    view = _build_at(journal.paths.index(CODE), journal, clock, progress, None)
    if view is not None:
        view.close()


def replacement(
    path: str, inode: int, journal: Journal, clock: Clock, head: Head
) -> sqlite3.Connection:
    """An index for whoever has found the file of that inode to be damaged; the file is dropped."""
    with locked(journal, clock) as held, suppress(OSError):
        if held and plain_inode(path) == inode:
            remove(path)
    return private_index(journal, head)


def private_index(journal: Journal, head: Head) -> sqlite3.Connection:
    """An index that lives no longer than its connection: on disk where there is room, or in memory.

    Errors of the journal as they come; StateError when there is room nowhere.
    """
    # SQLite keeps a database without a name in memory, and in a temporary file when it grows.
    for place in ("", ":memory:"):
        connection = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
        try:
            fill_with(connection, all_lines(journal.paths, journal.start(), head), head.rev)
        except sqlite3.Error as error:
            connection.close()
            failed = error
        except BaseException:
            connection.close()
            raise
        else:
            return connection
    raise StateError(
        f"the index can't be built: {failed}", "make room on the disk or in memory"
    ) from failed


def _is_up_to_date(path: str, journal: Journal) -> bool:
    """Whether somebody else has put an index in place meanwhile, and writers have kept it so."""
    try:
        connection = open_reader(path)
    except (OSError, sqlite3.Error):
        return False
    try:
        position, head = position_of(connection), journal.head_or_none()
        return (
            position is not None
            and head is not None
            and (position.rev, position.hash) == (head.rev, head.hash)
        )
    finally:
        connection.close()


@contextmanager
def locked(journal: Journal, clock: Clock) -> Iterator[bool]:
    """Whether the journal's lock could be had within a second; it is held meanwhile."""
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


def _build_at(
    path: str, journal: Journal, clock: Clock, progress: Progress | None, blank: Head | None
) -> View | None:
    """A view from an index that was built and put there; None where none can be kept."""
    head = blank or journal.head()
    shared = path == journal.paths.index(CODE)
    if shared and not journal.is_writable():
        return None
    folder = os.path.dirname(path)
    try:
        with built(journal.paths, journal.start(), head, folder, progress, shared=shared) as new:
            if not shared:
                put_in_place(new, path)
            else:
                with locked(journal, clock) as held:
                    if held and not _is_up_to_date(path, journal):
                        put_in_place(new, path)
            # Where the lock couldn't be had, the new file serves this reader alone.
            return view_from(path, journal, clock, blank) or view_from(new, journal, clock, blank)
    except NotCommitted:
        return None
