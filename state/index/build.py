"""Building the index anew: into a file of its own, without the lock, then put in place."""

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress

import orjson

from state import files
from state.errors import NotCommitted
from state.index.file import remove
from state.index.fold import Fold
from state.index.names import CODE, KINDS
from state.index.schema import INDEXES, tables
from state.journal.head import Head
from state.journal.line import Line, chained
from state.journal.reader import Position, lines, take_each
from state.paths import Paths

BATCH = 5000
# Written so many at a time, rows are still in the processor's cache.
FLUSH = 640
CACHE_KILOBYTES = 64 * 1024
UNFINISHED = "index."
_BY_PROCESS = re.compile(re.escape(UNFINISHED) + r"([1-9]\d*)\.[0-9a-f]{8}(?:-wal|-shm|-journal)?")
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

    def fill(connection: sqlite3.Connection) -> None:
        fill_with(connection, all_lines(paths, start, head), head.rev, progress)

    with made(folder, fill, shared=shared) as scratch:
        yield scratch


def all_lines(paths: Paths, start: Position, head: Head) -> Iterator[Line]:
    """Every line up to `head`, by its chain alone.

    What a line says was looked at when it was written, and HEAD, where the chain ends, proves that
    it is still the same.
    """
    return lines(paths, start, head, _chained)


def _chained(records: list[bytes], position: Position) -> Iterator[Line]:
    rev, prev, segment, offset = position.rev, position.hash, position.segment, position.offset
    done = 0
    for raw, digest in zip(records, chained(records, rev + 1, prev), strict=False):
        try:
            said = orjson.loads(raw)
            ts, seat, via = said["ts"], said["seat"], said["via"]
            req, guards, ops = said["req"], said["guards"], said["ops"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            break
        rev += 1
        size = len(raw)
        yield Line(rev, prev, ts, seat, via, req, guards, ops, digest, segment, offset, size)
        prev = digest
        offset += size
        done += 1
    position.rev, position.hash, position.offset = rev, prev, offset
    yield from take_each(records[done:], position)


@contextmanager
def made(folder: str, fill: Callable[[sqlite3.Connection], None], *, shared: bool) -> Iterator[str]:
    """The path of a new file that `fill` makes an index; removed unless it is put in place."""
    scratch = os.path.join(folder, f"{UNFINISHED}{os.getpid()}.{os.urandom(4).hex()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _sweep(folder)
        files.create(scratch)
        with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            fill(connection)
            if shared:
                connection.execute("PRAGMA locking_mode=NORMAL")
                connection.execute("PRAGMA journal_mode=WAL")
        # A name must not come to stand for pages that a power cut then takes away.
        files.sync_file(scratch)
        yield scratch
    except (OSError, sqlite3.Error) as error:
        raise NotCommitted(
            f"the index can't be built: {error}", "make room, or make the cache folder writable"
        ) from error
    finally:
        remove(scratch)


def _sweep(folder: str) -> None:
    """Removes what builders left that were killed: as large as the index itself.

    One that lives where its process can't be seen from here loses its file, and makes do without.
    """
    for name in os.listdir(folder):
        found = _BY_PROCESS.fullmatch(name)
        if found is not None and files.has_ended(int(found[1])):
            with suppress(OSError):
                remove(os.path.join(folder, name))


def fill_with(
    connection: sqlite3.Connection,
    found: Iterable[Line],
    of: int,
    progress: Progress | None = None,
) -> Head | None:
    """Makes an empty database the index of these lines, from line 1 on; gives the last of them."""
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
    create(connection)
    connection.execute("BEGIN")
    last = fold_lines(connection, found, of, progress)
    connection.execute("COMMIT")
    connection.executescript(INDEXES)
    return last


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
    found: Iterable[Line],
    of: int,
    progress: Progress | None = None,
) -> Head | None:
    """Folds the lines that follow; gives the last as a head, None without any.

    `of` is the last line as far as is known. The caller owns the transaction.
    """
    fold = Fold(connection)
    line: Line | None = None
    for line in found:
        fold.add(line)
        if not line.rev % FLUSH:
            fold.flush()
        if progress is not None and not line.rev % BATCH:
            progress(line.rev, of)
    fold.flush()
    if line is None:
        return None
    end = line.offset + line.size
    return Head(fold.project, 0, line.rev, line.segment, line.offset, end, line.hash)
