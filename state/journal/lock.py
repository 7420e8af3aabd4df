"""The project's one file lock, taken in one way and in this place only."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import orjson

from state import files
from state.errors import Busy, NotCommitted, Replaced
from state.journal.place import check_plain, forbids_writing, read_only, unreadable
from state.paths import shell_word

POLL_SECONDS = 0.005
WAIT_SECONDS = 5.0
HINT_BYTES = 256


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

    before = _named(mutex)
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
        if forbids_writing(error):
            raise read_only(error) from error
        raise NotCommitted(
            f"the project's lock can't be taken: {error.strerror}", "nothing was written"
        ) from error
    try:
        _check_same(mutex, before, locked[0])
        _leave_hint(locked[0], seat, since)
        yield
    finally:
        lock.release()


def holder(mutex: str) -> dict[str, Any] | None:
    """Who said last that it holds the lock: `pid`, `seat`, `since`; None when it can't be read."""
    try:
        said = orjson.loads(files.read_whole(mutex, HINT_BYTES))
    except (OSError, orjson.JSONDecodeError):
        return None
    return said if isinstance(said, dict) else None


def _named(mutex: str) -> tuple[int, int]:
    """Device and inode of the file of that name, which must be a plain one."""
    try:
        found = os.lstat(mutex)
    except FileNotFoundError:
        # Whoever made a new one could hold it beside the holder of the old one.
        raise Replaced(
            "the project's lock file is gone",
            f"when no process uses the project any more: (umask 077; : > {shell_word(mutex)})",
        ) from None
    except OSError as error:
        raise unreadable(error, mutex) from error
    check_plain(found, mutex)
    return found.st_dev, found.st_ino


def _check_same(mutex: str, before: tuple[int, int], fd: int) -> None:
    """What was locked is the file that had the name before, and still has it."""
    mine = os.fstat(fd)
    if not before == (mine.st_dev, mine.st_ino) == _named(mutex):
        raise Replaced("the project's lock was replaced meanwhile", "open the project again")


def _leave_hint(fd: int, seat: str, since: str) -> None:
    """Says who holds the lock, in as many bytes each time: another size would cost a commit."""
    hint = orjson.dumps({"pid": os.getpid(), "seat": seat, "since": since})
    # Only a hint: a full disk must not keep anyone from holding the lock.
    with suppress(OSError):
        files.pwrite(fd, hint.ljust(HINT_BYTES - 1) + b"\n", 0)
