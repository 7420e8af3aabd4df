"""One consistent picture of a project at one revision: what decisions and screens are given."""

import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from state.errors import BadInput, Damaged, StateError
from state.journal import blobs
from state.journal.head import Head
from state.journal.line import Line, check, damaged, is_sealed
from state.journal.reader import read_line
from state.paths import Paths

# Of so many lines that were looked at lately what was counted is kept.
KEPT = 4
_memos: OrderedDict[tuple[str, str], dict[Any, Any]] = OrderedDict()
_PLACE = "SELECT seg, off, len FROM line WHERE rev=?"


class IndexFailed(Exception):
    """The index file can't be used. Never leaves `state`: it is dropped, and built again."""


class View:
    """Rows of the index as they stand at `head`, and the lines themselves where text is wanted.

    `rebuild` gives another index of the same lines; it is asked for once, when SQLite finds the
    file to be damaged in the middle of a question. Without it that is a StateError.

    `memo` is for what is worth counting only once: all views of one process that show the same
    line share it.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        paths: Paths,
        head: Head,
        rebuild: Callable[[], sqlite3.Connection] | None = None,
    ) -> None:
        self._connection = connection
        self._rebuild = rebuild
        self.paths = paths
        self.head = head
        self.memo = _memo(paths.root, head.hash)

    @property
    def rev(self) -> int:
        return self.head.rev

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of one question. BadInput for a value that is no Unicode, as a name may be."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except UnicodeEncodeError as error:
            raise _no_text(error) from error
        except sqlite3.Error as error:
            self._replace(error)
            return self.rows(sql, *values)

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row, None without one. BadInput as `rows`."""
        try:
            found: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        except UnicodeEncodeError as error:
            raise _no_text(error) from error
        except sqlite3.Error as error:
            self._replace(error)
            return self.row(sql, *values)
        return found

    def number(self, sql: str, *values: Any) -> int:
        """The first column of the first row as an integer; 0 without a row or value."""
        found = self.row(sql, *values)
        return 0 if found is None or found[0] is None else int(found[0])

    def meta(self, name: str) -> Any:
        """What the index says of the whole project: a column of the table `meta`."""
        found = self.row(f"SELECT {name} FROM meta")
        return None if found is None else found[0]

    def revision(self, entity: str) -> int:
        """The revision of the last transaction that touched an entity, 0 if it doesn't exist."""
        return self.number("SELECT rev FROM entity WHERE name=?", entity)

    def raw_line(self, rev: int) -> bytes | None:
        """The stored bytes of a line, None for a revision that doesn't exist."""
        place = self.row(_PLACE, rev)
        return None if place is None else read_line(self.paths, *place)

    def line(self, rev: int) -> Line | None:
        """A whole line, None for a revision that doesn't exist. Damaged when it doesn't verify."""
        place = self.row(_PLACE, rev)
        if place is None:
            return None
        segment, offset, size = place
        return whole_line(read_line(self.paths, segment, offset, size), rev, segment, offset)

    def cannot_take(self, rev: int, error: Exception) -> Damaged:
        """The error for a line of which an operation isn't what it says."""
        segment, offset, _ = self.row(_PLACE, rev) or (0, 0, 0)
        return damaged(rev, segment, offset, f"holds an operation that can't be taken: {error!r}")

    def blob(self, digest: str) -> bytes | None:
        """A long text, None when its file is missing or changed."""
        return blobs.get(self.paths, digest)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _replace(self, error: sqlite3.Error) -> None:
        if self._rebuild is None:
            raise broken(error) from error
        rebuild, self._rebuild = self._rebuild, None
        another = rebuild()
        self._connection.close()
        self._connection = another


def _memo(root: str, line: str) -> dict[Any, Any]:
    found = _memos.setdefault((root, line), {})
    while len(_memos) > KEPT:
        _memos.popitem(last=False)
    return found


def whole_line(raw: bytes, rev: int, segment: int, offset: int) -> Line:
    """The line in these bytes, by its own sum and number. Damaged when it isn't that line."""
    if not is_sealed(raw):
        raise Damaged(
            f"line {rev} (segment {segment}, offset {offset}) does not match its own sum",
            "`sublation-panel doctor` says what can be done",
            rev=rev,
            segment=segment,
            offset=offset,
        )
    start = raw.find(b'"prev":"') + 8
    prev = raw[start : start + 64].decode("ascii", "replace")
    return check(raw, rev=rev, prev=prev, segment=segment, offset=offset)


def _no_text(error: UnicodeEncodeError) -> BadInput:
    return BadInput(f"{error.object!r} is not valid Unicode", "give UTF-8 text")


def broken(error: Exception) -> StateError:
    """What is left to say when even a fresh index can't be asked."""
    return StateError(
        f"the index can't be used: {error}",
        "make room on the disk and in memory; `sublation-panel doctor` says more",
    )
