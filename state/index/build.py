"""Building the index anew: into a file of its own, without the lock, then put in place."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from state.errors import NotCommitted
from state.index.fold import Fold
from state.index.schema import CODE, INDEXES, tables
from state.journal.head import Head
from state.journal.reader import Position, lines
from state.paths import Paths

BATCH = 5000
SIDE_FILES = ("-wal", "-shm", "-journal")
Progress = Callable[[int, int], None]


@contextmanager
def built(
    paths: Paths, start: Position, head: Head, folder: str, progress: Progress | None = None
) -> Iterator[str]:
    """The path of a new index of the journal up to `head`, in `folder`; removed unless put in
    place.

    `progress` is told lines done and lines in all after each batch; what it raises ends the
    building. NotCommitted when the folder takes no file; Damaged and its kin from the journal.
    """
    scratch = os.path.join(folder, f"index.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            create(connection)
            connection.execute("BEGIN")
            fold_lines(connection, paths, start, head, progress)
            connection.execute("COMMIT")
            connection.executescript(INDEXES)
            connection.execute("PRAGMA journal_mode=WAL")
        os.chmod(scratch, 0o600)
        yield scratch
    except (OSError, sqlite3.Error) as error:
        raise NotCommitted(
            f"the index can't be built: {error}", "make room, or make the cache folder writable"
        ) from error
    finally:
        remove(scratch)


def put_in_place(scratch: str, target: str) -> None:
    """`scratch` gets the name `target`. No other writer of the index may be at work (the lock).

    The old file goes first and its side files next: SQLite would mix a write-ahead log of the old
    file into the new one, whoever opened it in between.
    """
    remove(target)
    os.rename(scratch, target)


def remove(path: str) -> None:
    """Removes an index file and what SQLite keeps beside it."""
    for suffix in ("", *SIDE_FILES):
        if os.path.lexists(path + suffix):
            os.unlink(path + suffix)


def create(connection: sqlite3.Connection) -> None:
    """Empty tables that say which code fills them."""
    connection.executescript(tables())
    connection.execute("INSERT INTO meta VALUES('code', ?)", (CODE,))


def fold_lines(
    connection: sqlite3.Connection,
    paths: Paths,
    start: Position,
    head: Head,
    progress: Progress | None = None,
) -> None:
    """Folds the lines after `start` up to `head`; the caller owns the transaction."""
    fold = Fold(connection)
    pending = 0
    for line in lines(paths, start, head):
        fold.add(line)
        pending += 1
        if pending == BATCH:
            fold.flush()
            pending = 0
            if progress is not None:
                progress(line.rev, head.rev)
    fold.flush()
