"""The index file itself: opening it, how far it goes, removing it. SQLite's errors come as such."""

import os
import sqlite3
import stat
from contextlib import suppress

from state import files
from state.index.names import CODE
from state.journal.head import Head
from state.journal.reader import Position

FAR_BEHIND = 10_000
WAIT_SECONDS = 0.5
SIDE_FILES = ("-wal", "-shm", "-journal")


def connect(path: str, mode: str, pragma: str, *, immutable: bool = False) -> sqlite3.Connection:
    """A connection to a file that exists; transactions are the caller's."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    uri = f"file:{quoted}?mode={mode}{'&immutable=1' if immutable else ''}"
    connection = sqlite3.connect(
        uri, timeout=WAIT_SECONDS, uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_reader(path: str) -> sqlite3.Connection:
    """A connection that only reads; sqlite3.Error when the file can't be read as a whole."""
    immutable = False
    if not os.access(os.path.dirname(path), os.W_OK):
        # SQLite can't make the files that sharing needs. What stands in a write-ahead log would
        # be missed, so such a file is only trusted when there is none.
        wal = path + SIDE_FILES[0]
        if os.path.exists(wal) and os.path.getsize(wal):
            raise sqlite3.OperationalError("a write-ahead log that can't be read")
        immutable = True
    return connect(path, "ro", "temp_store=MEMORY", immutable=immutable)


def plain_inode(path: str) -> int:
    """The inode of a plain file. OSError for anything else: SQLite would follow a link."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise FileNotFoundError(f"{path} is no plain file")
    return found.st_ino


def changed(path: str) -> float:
    """When an index file was last written, in seconds; what waits beside it counts. OSError."""
    written = os.stat(path).st_mtime
    with suppress(FileNotFoundError):
        written = max(written, os.stat(path + SIDE_FILES[0]).st_mtime)
    return written


def position_of(connection: sqlite3.Connection) -> Position | None:
    """Up to which line an index goes; None for one that this code didn't make."""
    try:
        row = connection.execute("SELECT code, rev, hash, segment, off FROM meta").fetchone()
    except sqlite3.Error:
        return None
    if row is None or row[0] != CODE or not isinstance(row[2], str):
        return None
    if not all(type(number) is int for number in (row[1], row[3], row[4])):
        return None
    return Position(*row[1:])


def is_near(position: Position, head: Head) -> bool:
    """Whether an index lacks so few lines that they can be folded while others wait."""
    return 0 <= head.rev - position.rev <= FAR_BEHIND


def put_in_place(scratch: str, target: str) -> None:
    """`scratch` gets the name `target`. No other writer of the index may be at work (the lock).

    The old file goes first and its side files next: SQLite would mix a write-ahead log of the old
    file into the new one, whoever opened it in between.
    """
    remove(target)
    files.rename(scratch, target)


def remove(path: str) -> None:
    """Removes an index file and what SQLite keeps beside it.

    A folder of that name is no index: it is moved out of the way as it is.
    """
    for name in (path, *(path + suffix for suffix in SIDE_FILES)):
        if os.path.isdir(name) and not os.path.islink(name):
            files.rename(name, f"{name}.{os.urandom(4).hex()}.aside")
        elif os.path.lexists(name):
            files.unlink(name)
