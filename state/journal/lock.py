"""The project's file locks, taken in one way and in this place only: one for writing, and one for
each seat, which shows that its consumer lives.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import orjson

from state import files
from state.errors import Busy, NotCommitted, Replaced, StateError
from state.journal.place import check_plain, forbids_writing, open_plain, read_only, unreadable
from state.paths import shell_word

if TYPE_CHECKING:
    from filelock import UnixFileLock

POLL_SECONDS = 0.005
WAIT_SECONDS = 5.0
HINT_BYTES = 256
# Whoever asks whether a seat's lock is held has it for a moment, shared; that is waited for.
CLAIM_SECONDS = 0.5
CLAIM_BYTES = 1024
# Whoever lets go of the lock is the first to take it again, while the others sleep between two
# looks. One that has waited so long marks the file behind the hint; whoever finds the mark on
# letting go keeps away for as long as a sleeper needs to look twice.
PATIENCE_SECONDS = 0.1
TURN_SECONDS = 2 * POLL_SECONDS
MARK, UNMARKED = b"!", b" "
_keeps_away: dict[tuple[str, int], float] = {}
# Making a lock costs as much as taking it.
MOST_KEPT = 8
_kept: "dict[tuple[str, int], tuple[UnixFileLock, list[int]]]" = {}


@contextmanager
def exclusive(mutex: str, *, seat: str, since: str, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Holds the lock; the file then says who holds it, a hint for whoever waits in vain.

    Busy after `wait` seconds, ReadOnly where the file can't be written, Replaced when the file
    that was locked is no longer the one of that name.
    """
    key = (mutex, os.getpid())
    pause = _keeps_away.pop(key, 0.0) - monotonic()
    if pause > 0:
        sleep(pause)
    with _locked(mutex, wait, asks=True) as fd:
        _leave_hint(fd, {"seat": seat, "since": since}, HINT_BYTES)
        yield
        if files.pread_exact(fd, 1, HINT_BYTES) == MARK:
            with suppress(OSError):
                files.pwrite(fd, UNMARKED, HINT_BYTES)
            _keeps_away[key] = monotonic() + TURN_SECONDS


@contextmanager
def claimed(path: str, *, seat: str, name: str, since: str) -> Iterator[Callable[[], None]]:
    """Holds a seat's lock, made when it is first held; the file says who holds it, as a hint.

    Busy when another holds it, else as `exclusive`. Gives a function that raises Replaced once the
    file of that name is another one, which this lock doesn't hold.
    """
    try:
        files.make_folder(os.path.dirname(path))
        files.create(path)
    except FileExistsError:
        pass
    except OSError as error:
        raise _refused(error) from error
    with _locked(path, CLAIM_SECONDS) as fd:
        _leave_hint(fd, {"seat": seat, "name": name, "since": since}, CLAIM_BYTES)
        yield lambda: _check_same(path, _identity(os.fstat(fd)), fd)


def is_held(path: str) -> bool:
    """Whether somebody holds a seat's lock now; a file that isn't there is held by nobody.

    It is asked for shared, so that two who ask at once don't take each other for a holder.
    Damaged for a link, Refused for missing rights.
    """
    try:
        fd = open_plain(path)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise unreadable(error, path) from error
    import fcntl

    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        raise unreadable(error, path) from error
    finally:
        os.close(fd)
    return False


@contextmanager
def _locked(mutex: str, wait: float, *, asks: bool = False) -> Iterator[int]:
    """The descriptor of the file of that name, locked until it is left.

    `asks`: who waits for long asks the others for a turn.
    """
    before = _named(mutex)
    # Whoever wants a lock that this process holds must wait for it like everybody else, and a
    # forked process needs one of its own: what is kept is used by one holder at a time.
    key = (mutex, os.getpid())
    lock, locked = kept = _kept.pop(key, None) or _made(mutex)
    try:
        _take(lock, mutex, wait, asks)
    except OSError as error:
        raise _refused(error) from error
    try:
        _check_same(mutex, before, locked[0])
        yield locked[0]
    finally:
        lock.release()
        if len(_kept) < MOST_KEPT:
            _kept[key] = kept


def _take(lock: "UnixFileLock", mutex: str, wait: float, asks: bool) -> None:
    # Importing filelock costs as much as starting Python does four times over: readers don't.
    from filelock import Timeout

    end = monotonic() + wait
    step = min(wait, PATIENCE_SECONDS) if asks else wait
    while True:
        try:
            lock.acquire(timeout=step)
        except Timeout:
            step = min(end - monotonic(), PATIENCE_SECONDS)
            if step <= 0:
                raise Busy(holder(mutex), wait) from None
            _ask_for_a_turn(mutex)
        else:
            return


def _ask_for_a_turn(mutex: str) -> None:
    """A mark that needs no lock: at worst somebody keeps away once in vain."""
    with suppress(OSError):
        fd = files.open_update(mutex)
        try:
            files.pwrite(fd, MARK, HINT_BYTES)
        finally:
            os.close(fd)


def _made(mutex: str) -> "tuple[UnixFileLock, list[int]]":
    """A lock for the file of that name, and its descriptor while it is held."""
    from filelock import UnixFileLock

    locked: list[int] = []

    def acquired(fd: int) -> None:
        locked[:] = [fd]

    lock = UnixFileLock(
        mutex,
        mode=0o600,
        poll_interval=POLL_SECONDS,
        fallback_to_soft=False,
        on_acquired=acquired,
    )
    return lock, locked


def holder(mutex: str, size: int = HINT_BYTES) -> dict[str, Any] | None:
    """Who said last that it holds the lock: `pid`, `seat`, `since`; None when it can't be read.

    A seat's lock says `name` too, in `CLAIM_BYTES`.
    """
    try:
        said = orjson.loads(files.read_whole(mutex, size))
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
    return _identity(found)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _check_same(mutex: str, before: tuple[int, int], fd: int) -> None:
    """What was locked is the file that had the name before, and still has it."""
    if not before == _identity(os.fstat(fd)) == _named(mutex):
        raise Replaced("the project's lock was replaced meanwhile", "open the project again")


def _leave_hint(fd: int, said: Mapping[str, str], size: int) -> None:
    """Says who holds the lock, in as many bytes each time: another size would cost a commit."""
    hint = orjson.dumps({"pid": os.getpid(), **said})
    # Only a hint: a full disk must not keep anyone from holding the lock.
    with suppress(OSError):
        files.pwrite(fd, hint.ljust(size - 1) + b"\n", 0)


def _refused(error: OSError) -> StateError:
    if forbids_writing(error):
        return read_only(error)
    return NotCommitted(
        f"the project's lock can't be taken: {error.strerror}", "nothing was written"
    )
