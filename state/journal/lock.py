"""The project's one file lock, taken in one way and in this place only."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EPERM, EROFS
from typing import Any

import orjson

from state import files
from state.errors import Busy, Damaged, NotCommitted, ReadOnly, Replaced

POLL_SECONDS = 0.005
WAIT_SECONDS = 5.0
HINT_BYTES = 1024


@contextmanager
def exclusive(mutex: str, *, seat: str, since: str, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Holds the lock; the file then says who holds it, a hint for whoever waits in vain.

    Busy after `wait` seconds, ReadOnly where the file can't be written, Replaced when the file
    that was locked is no longer the one of that name.
    """
    # Importing filelock costs as much as starting Python does four times over: readers don't.
    from filelock import Timeout, UnixFileLock

    locked: list[int] = []

    def acquired(fd: int) -> None:
        locked[:] = [fd]

    check_plain(mutex)
    lock = UnixFileLock(
        mutex,
        timeout=wait,
        mode=0o600,
        poll_interval=POLL_SECONDS,
        fallback_to_soft=False,
        on_acquired=acquired,
    )
    try:
        lock.acquire()
    except Timeout:
        raise Busy(holder(mutex), wait) from None
    except OSError as error:
        if error.errno in (EACCES, EPERM, EROFS):
            raise read_only(error) from error
        raise NotCommitted(
            f"the project's lock can't be taken: {error.strerror}", "nothing was written"
        ) from error
    try:
        _same_file(mutex, locked[0])
        _leave_hint(locked[0], seat, since)
        yield
    finally:
        lock.release()


def read_only(error: OSError) -> ReadOnly:
    """The one sentence for a folder that this process may not write."""
    return ReadOnly(
        f"the project can't be written: {error.strerror}",
        "this process may read it; run where the folder is writable to change anything",
    )


def holder(mutex: str) -> dict[str, Any] | None:
    """Who said last that it holds the lock: `pid`, `seat`, `since`; None when it can't be read."""
    try:
        said = orjson.loads(files.read_whole(mutex, HINT_BYTES))
    except (OSError, orjson.JSONDecodeError):
        return None
    return said if isinstance(said, dict) else None


def check_plain(path: str) -> None:
    """Refuses a file that is a link or has a second name: two names would be two truths."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        raise Replaced(f"{os.path.basename(path)} is gone", "open the project again") from None
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise Damaged(
            f"{os.path.basename(path)} is a link; the project's files must be plain files",
            f"put a plain file back in place of {path}",
        )


def _same_file(path: str, fd: int) -> None:
    try:
        named = os.lstat(path)
    except FileNotFoundError:
        named = None
    mine = os.fstat(fd)
    if named is None or (named.st_dev, named.st_ino) != (mine.st_dev, mine.st_ino):
        raise Replaced("the project's lock was replaced meanwhile", "open the project again")


def _leave_hint(fd: int, seat: str, since: str) -> None:
    hint = orjson.dumps({"pid": os.getpid(), "seat": seat, "since": since}) + b"\n"
    # Only a hint: a full disk must not keep anyone from holding the lock.
    with suppress(OSError):
        files.truncate(fd, 0)
        files.pwrite(fd, hint, 0)
