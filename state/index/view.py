"""One consistent picture of a project at one revision: what decisions and screens are given."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from state.errors import Damaged
from state.journal import blobs
from state.journal.head import Head
from state.journal.line import Line, check, is_sealed
from state.journal.reader import read_line
from state.paths import Paths


class View:
    """Rows of the index as they stand at `head`, and the lines themselves where text is wanted."""

    def __init__(self, connection: sqlite3.Connection, paths: Paths, head: Head) -> None:
        self._connection = connection
        self.paths = paths
        self.head = head

    @property
    def rev(self) -> int:
        return self.head.rev

    def rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of one question, as SQLite finds them."""
        return self._connection.execute(sql, values)

    def row(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row, None without one."""
        found: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        return found

    def number(self, sql: str, *values: Any) -> int:
        """The first column of the first row as an integer; 0 without a row or value."""
        found = self.row(sql, *values)
        return 0 if found is None or found[0] is None else int(found[0])

    def meta(self, key: str) -> Any:
        """What the index says of the whole project, None for what it doesn't know."""
        found = self.row("SELECT value FROM meta WHERE key=?", key)
        return None if found is None else found[0]

    def revision(self, entity: str) -> int:
        """The revision of the last transaction that touched an entity, 0 if it doesn't exist."""
        return self.number("SELECT rev FROM entity WHERE name=?", entity)

    def raw_line(self, rev: int) -> bytes | None:
        """The stored bytes of a line, None for a revision that doesn't exist."""
        place = self.row("SELECT seg, off, len FROM line WHERE rev=?", rev)
        return None if place is None else read_line(self.paths, *place)

    def line(self, rev: int) -> Line | None:
        """A whole line, None for a revision that doesn't exist. Damaged when it doesn't verify."""
        place = self.row("SELECT seg, off, len FROM line WHERE rev=?", rev)
        if place is None:
            return None
        segment, offset, size = place
        raw = read_line(self.paths, segment, offset, size)
        if not is_sealed(raw):
            raise Damaged(
                f"line {rev} (segment {segment}, offset {offset}) does not match its own sum",
                "`sublation-panel doctor` says what can be done",
                rev=rev,
                segment=segment,
                offset=offset,
            )
        start = raw.index(b'"prev":"') + 8
        prev = raw[start : start + 64].decode("ascii", "replace")
        return check(raw, rev=rev, prev=prev, segment=segment, offset=offset)

    def blob(self, digest: str) -> bytes | None:
        """A long text, None when its file is missing or changed."""
        return blobs.get(self.paths, digest)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
