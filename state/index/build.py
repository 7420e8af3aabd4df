"""Building the index anew: into a file of its own, without the lock, then put in place."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from state import files
from state.errors import NotCommitted
from state.index.fold import Fold
from state.index.schema import CODE, INDEXES, KINDS, tables
from state.journal.head import Head
from state.journal.reader import Position, lines
from state.paths import Paths

BATCH = 5000
CACHE_KILOBYTES = 64 * 1024
SIDE_FILES = ("-wal", "-shm", "-journal")
Progress = Callable[[int, int], None]


@contextmanager
def built(
    paths: Paths,
    start: Position,
    head: Head,
    folder: str,
    progress: Progress | None = None,
    *,
    shared: bool = True,
) -> Iterator[str]:
    """The path of a new index of the journal up to `head`; removed unless it is put in place.

    `shared`: writers will change it while others read. `progress` is told lines done and lines in
    all after each batch; what it raises ends the building. NotCommitted when the folder takes no
    file; Damaged and its kin from the journal.
    """
    scratch = os.path.join(folder, f"index.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        files.create(scratch)
        with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            fill(connection, paths, start, head, progress)
            if shared:
                connection.execute("PRAGMA locking_mode=NORMAL")
                connection.execute("PRAGMA journal_mode=WAL")
        yield scratch
    except (OSError, sqlite3.Error) as error:
        raise NotCommitted(
            f"the index can't be built: {error}", "make room, or make the cache folder writable"
        ) from error
    finally:
        remove(scratch)


def fill(
    connection: sqlite3.Connection,
    paths: Paths,
    start: Position,
    head: Head,
    progress: Progress | None = None,
) -> None:
    """Makes an empty database the index of the journal up to `head`."""
    _prepare(connection)
    fold_lines(connection, paths, start, head, progress)
    _finish(connection)


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
    create(connection)
    connection.execute("BEGIN")


def _finish(connection: sqlite3.Connection) -> None:
    connection.execute("COMMIT")
    connection.executescript(INDEXES)


def create(connection: sqlite3.Connection) -> None:
    """Empty tables that say which code fills them."""
    connection.executescript(tables())
    zeros = dict.fromkeys(("id", "rev", "segment", "off", "seats", "messages", *KINDS), 0)
    known = {"code": CODE, "last_message": 0} | zeros
    connection.execute(
        f"INSERT INTO meta({','.join(known)}) VALUES({','.join('?' * len(known))})",
        tuple(known.values()),
    )


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


def fold_until(
    connection: sqlite3.Connection,
    paths: Paths,
    start: Position,
    head: Head,
    rev: int,
    progress: Progress | None = None,
) -> Head:
    """Makes an empty database the index of the journal up to line `rev`, and gives that as a head."""
    _prepare(connection)
    fold = Fold(connection)
    for line in lines(paths, start, head):
        fold.add(line)
        if line.rev == rev:
            break
        if not line.rev % BATCH:
            fold.flush()
            if progress is not None:
                progress(line.rev, rev)
    fold.flush()
    _finish(connection)
    end = line.offset + line.size
    return Head(fold.project, 0, line.rev, line.segment, line.offset, end, line.hash)


def put_in_place(scratch: str, target: str) -> None:
    """`scratch` gets the name `target`. No other writer of the index may be at work (the lock).

    The old file goes first and its side files next: SQLite would mix a write-ahead log of the old
    file into the new one, whoever opened it in between.
    """
    remove(target)
    os.rename(scratch, target)


def remove(path: str) -> None:
    """Removes an index file and what SQLite keeps beside it.

    A folder of that name is no index: it is moved out of the way as it is.
    """
    for name in (path, *(path + suffix for suffix in SIDE_FILES)):
        if os.path.isdir(name) and not os.path.islink(name):
            os.rename(name, f"{name}.{os.urandom(4).hex()}.aside")
        elif os.path.lexists(name):
            os.unlink(name)
