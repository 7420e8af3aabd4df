"""The index as one who holds the journal's lock uses it: one SQLite transaction a command."""

import os
import sqlite3
from collections.abc import Sequence

from state.errors import StateError
from state.index.file import connect, is_near, plain_inode, position_of
from state.index.fold import Fold
from state.index.names import CODE
from state.index.view import IndexFailed, View
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import Line
from state.journal.reader import Position


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
        path = journal.paths.index(CODE)
        try:
            inode = plain_inode(path)
            connection = connect(path, "rw", "synchronous=NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise IndexFailed(str(error)) from error
        return cls(connection, journal, inode)

    @classmethod
    def private(cls, journal: Journal, head: Head) -> "IndexWriter":
        """An index for this process alone, from the first line on; errors as the journal's."""
        from state.index.rebuild import private_index

        return cls(private_index(journal, head), journal, None)

    def is_same(self) -> bool:
        """Whether this still is the project's index file."""
        try:
            return self._inode == os.stat(self._journal.paths.index(CODE)).st_ino
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
                self._catch_up(position, head)
            elif position.hash != head.hash:
                raise IndexFailed("its last line is another one")
            elif self._fold is not None and self._fold.hash != head.hash:
                self._fold = None
        except (sqlite3.Error, StateError) as error:
            raise IndexFailed(str(error)) from error
        return View(self._connection, self._journal.paths, head, _another)

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

    def caught_up(self, appended: Sequence[Line], head: Head) -> View:
        """The state after what was appended in this transaction, at `head`."""
        self.take(appended)
        return View(self._connection, self._journal.paths, head, _another)

    def commit(self) -> None:
        """The end of a transaction that holds nothing but what follows from the journal."""
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise IndexFailed(str(error)) from error

    def close(self) -> None:
        """Lets the file go. What was not committed is forgotten."""
        self._connection.close()

    def _catch_up(self, position: Position, head: Head) -> None:
        from state.index.build import fold_lines
        from state.journal.reader import lines

        self._fold = None
        fold_lines(self._connection, lines(self._journal.paths, position, head), head.rev)


def _another() -> sqlite3.Connection:
    """No other one under the lock: it is let go, and the command tried again."""
    raise IndexFailed("a question to it failed")
