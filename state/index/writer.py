"""The index as one who holds the journal's lock uses it: one SQLite transaction a command."""

import os
import sqlite3
import stat
from collections.abc import Sequence

from state.errors import StateError
from state.index.build import fill_with, fold_lines
from state.index.fold import Fold
from state.index.names import CODE
from state.index.view import IndexFailed, View
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import Line
from state.journal.reader import Position, lines

FAR_BEHIND = 10_000
WAIT_MILLISECONDS = 500


class IndexWriter:
    """An open index, of the project or (where no file can be kept) of this process alone.

    `begin`, `take` and `commit` raise IndexFailed when it can't be used any more.
    """

    def __init__(self, connection: sqlite3.Connection, journal: Journal, inode: int | None) -> None:
        self._connection = connection
        self._journal = journal
        self._inode = inode
        self._fold: Fold | None = None

    @classmethod
    def open(cls, journal: Journal) -> "IndexWriter":
        """The project's index file."""
        path = journal.paths.index
        try:
            inode = plain_inode(path)
            connection = connect(path, "rw")
            connection.execute("PRAGMA synchronous=NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise IndexFailed(str(error)) from error
        return cls(connection, journal, inode)

    @classmethod
    def private(cls, journal: Journal, head: Head) -> "IndexWriter":
        """An index for this process alone, from the first line on; errors as the journal's."""
        return cls(private_index(journal, head), journal, None)

    def is_same(self) -> bool:
        """Whether this still is the project's index file."""
        try:
            return self._inode == os.stat(self._journal.paths.index).st_ino
        except OSError:
            return self._inode is None

    def begin(self, head: Head) -> View:
        """The state at `head`: the lines that the index lacks are folded first."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            position = position_of(self._connection)
            if position is None or not is_near(position, head):
                raise IndexFailed("it is of other code, or of another history")
            if position.rev < head.rev:
                self._fold = None
                fold_lines(self._connection, lines(self._journal.paths, position, head), head.rev)
            elif position.hash != head.hash:
                raise IndexFailed("its last line is another one")
            elif self._fold is not None and self._fold.hash != head.hash:
                self._fold = None
        except (sqlite3.Error, StateError) as error:
            raise IndexFailed(str(error)) from error
        return View(self._connection, self._journal.paths, head)

    def take(self, appended: Sequence[Line]) -> None:
        """Folds what was appended in this transaction."""
        if not appended:
            return
        try:
            if self._fold is None:
                self._fold = Fold(self._connection)
            for line in appended:
                self._fold.add(line)
            self._fold.flush()
        except (sqlite3.Error, StateError) as error:
            raise IndexFailed(str(error)) from error

    def commit(self) -> None:
        """The end of a transaction that holds nothing but what follows from the journal."""
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise IndexFailed(str(error)) from error

    def close(self) -> None:
        """Lets the file go. What was not committed is forgotten."""
        self._connection.close()


def private_index(journal: Journal, head: Head) -> sqlite3.Connection:
    """An index that lives no longer than its connection: on disk where there is room, or in memory.

    Errors of the journal as they come; StateError when there is room nowhere.
    """
    # SQLite keeps a database without a name in memory, and in a temporary file when it grows.
    for place in ("", ":memory:"):
        connection = sqlite3.connect(place, isolation_level=None, check_same_thread=False)
        try:
            fill_with(connection, lines(journal.paths, journal.start(), head), head.rev)
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


def connect(path: str, mode: str, *, immutable: bool = False) -> sqlite3.Connection:
    """A connection to a file that exists; transactions are the caller's."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    uri = f"file:{quoted}?mode={mode}{'&immutable=1' if immutable else ''}"
    return sqlite3.connect(
        uri,
        timeout=WAIT_MILLISECONDS / 1000,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )


def plain_inode(path: str) -> int:
    """The inode of a plain file. OSError for anything else: SQLite would follow a link."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise FileNotFoundError(f"{path} is no plain file")
    return found.st_ino


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
