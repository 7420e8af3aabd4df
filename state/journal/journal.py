"""One opened journal: its identity and its files, and the answers that need no lock."""

import os
from typing import TYPE_CHECKING

from state import files
from state.errors import Damaged, RolledBack, StateError
from state.journal import head as heads
from state.journal import identity, place
from state.journal.head import Head
from state.journal.held import HeldFile
from state.journal.line import beginning as line_beginning
from state.journal.place import CAN_BE_DONE, open_plain, reading
from state.journal.reader import Position
from state.paths import Paths

if TYPE_CHECKING:
    from state.journal.anchor import Anchor

HEAD_TRIES = 3


class Journal:
    """Keeps what was true at opening: the folder itself, FORMAT and its hash, the process.

    `original` is the project id in FORMAT; a fork gives another (HEAD carries the present one).
    `failed`: a write of this process was not confirmed by the disk, so it writes no more.
    `seen`: the furthest commit that was read here; a HEAD behind it is an alarm.
    `agreed`: the commit that was made here last, and the anchor that its history agrees with.
    `untouched`: when the last segment was written, as it was when its lines were gone through.
    `force_filesystem`: write even where locks can't be trusted.

    Several threads may read at once; what writes belongs to the one that holds the lock.
    """

    def __init__(self, paths: Paths, *, force_filesystem: bool = False) -> None:
        self.paths = paths
        self.pid = os.getpid()
        self.failed = False
        self.force_filesystem = force_filesystem
        self._on_trusted = False
        self._starts_here = False
        self.untouched = 0
        self.seen: Head | None = None
        self.agreed: tuple[Head, Anchor | None] | None = None
        # Held open, so that no other folder can get the inode by which this one is known.
        self._root_fd = place.open_root(paths)
        try:
            self._root = _inode(self._root_fd)
            found = identity.read(paths)
        except BaseException:
            os.close(self._root_fd)
            raise
        self.original, self.format_hash = found.project, found.hash
        self._head = HeldFile(appends=False)
        self._log = HeldFile(appends=True)

    @property
    def root_inode(self) -> int:
        return self._root[1]

    def start(self) -> Position:
        """Before line 1."""
        return Position.start(self.format_hash)

    def check_place(self) -> None:
        """The folder is still the one that was opened, and this still the process that did it."""
        if os.getpid() != self.pid:
            raise StateError(
                "this project was opened before the process forked",
                "open it again in the new process",
            )
        place.check_same(self.paths, self._root)
        if self._root_fd < 0:
            self._root_fd = place.open_root(self.paths)
            same = _inode(self._root_fd) == self._root
            if not same or identity.read(self.paths).hash != self.format_hash:
                raise place.replaced()

    def check_filesystem(self) -> None:
        """Refused where locks can't be trusted, unless it is forced.

        Asked once: the folder is held open, so it stays where it is.
        """
        if not self.force_filesystem and not self._on_trusted:
            from state.journal import filesystem

            filesystem.check(self.paths.root)
            self._on_trusted = True

    def check_start(self) -> None:
        """Line 1 chains to FORMAT, which nothing else of a commit would show. Looked at once.

        Damaged when it doesn't, and when it isn't there.
        """
        if self._starts_here:
            return
        path = self.paths.segment(1)
        beginning = line_beginning(1, self.format_hash)
        with reading(path, segment=1, offset=0):
            fd = open_plain(path)
            try:
                found = files.pread_exact(fd, len(beginning), 0)
            finally:
                os.close(fd)
        if found != beginning:
            raise Damaged(
                "line 1 (segment 1, offset 0) does not follow from FORMAT: one of them was changed",
                CAN_BE_DONE,
                rev=1,
                segment=1,
                offset=0,
            )
        self._starts_here = True

    def head(self) -> Head:
        """The last committed line.

        Damaged when HEAD is missing or both of its slots are bad, RolledBack when it stands
        before what was read here already.
        """
        before = self.seen
        found = self.head_or_none()
        if found is None:
            raise Damaged(
                "HEAD can't be read: it is missing, or both of its slots are bad",
                "the next change rebuilds it from the log",
            )
        self.notice(found, before)
        return found

    def head_or_none(self) -> Head | None:
        """The last committed line as HEAD says it, None when HEAD is missing or bad."""
        for _ in range(HEAD_TRIES):
            with reading(self.paths.head):
                try:
                    fd = open_plain(self.paths.head)
                except FileNotFoundError:
                    return None
                try:
                    found = heads.read(fd)
                finally:
                    os.close(fd)
            if found is not None:
                return found
        return None

    def is_touched(self, written: int) -> bool:
        """Whether a log written at this time, in nanoseconds, was written after HEAD was.

        A commit ends with HEAD, so somebody else did it. Without a HEAD nobody knows.
        """
        with reading(self.paths.head):
            try:
                return written > os.stat(self.paths.head).st_mtime_ns
            except FileNotFoundError:
                return True

    def notice(self, head: Head, before: Head | None) -> None:
        """Keeps the furthest head. RolledBack when it is behind `before`, or another history.

        `before` must have been taken before `head` was read, since other threads read on.
        """
        if before is not None:
            check_forward(head, before)
        if self.seen is None or head.rev > self.seen.rev:
            self.seen = head

    def head_fd(self) -> int:
        """A descriptor that writes the file named HEAD now; for whoever holds the lock."""
        return self._head.get(self.paths.head)

    def log_fd(self, segment: int) -> int:
        """A descriptor that appends to the segment of that name now; for whoever holds the lock."""
        return self._log.get(self.paths.segment(segment))

    def sync(self, fd: int) -> None:
        """Bytes are on the disk afterwards. OSError when not, and this process writes no more:
        the kernel may have forgotten what it could not write, so a second try proves nothing.
        """
        try:
            files.sync_data(fd)
        except OSError:
            self.failed = True
            raise

    def is_writable(self) -> bool:
        """Whether this process may write the folder, as far as permissions and mount say."""
        return self.unwritable() is None

    def unwritable(self) -> str | None:
        """The first folder or file that each change writes or lists and this process may not."""
        paths = self.paths
        for folder in (paths.root, paths.log_dir, paths.head_dir):
            if not os.access(folder, os.W_OK | os.X_OK):
                return folder
        for folder in (paths.tmp, paths.quarantine):
            # What the dead left there is looked for before each line; one that is gone comes back.
            if not os.access(folder, os.R_OK | os.X_OK) and os.path.lexists(folder):
                return folder
        for file in (paths.mutex, paths.head):
            if not os.access(file, os.W_OK):
                if not os.access(os.path.dirname(file), os.X_OK):
                    return os.path.dirname(file)
                # One that is gone is another trouble, which taking the lock or settling finds.
                if os.path.lexists(file):
                    return file
        return None

    def close(self) -> None:
        """Lets the descriptors go; the journal can be asked again afterwards."""
        self._head.close()
        self._log.close()
        if self._root_fd >= 0:
            os.close(self._root_fd)
        self._root_fd = -1


def check_forward(head: Head, seen: Head) -> None:
    """RolledBack when a head stands before one that was seen, or at it with another hash."""
    if head.rev < seen.rev:
        raise RolledBack(
            f"HEAD went back to line {head.rev}; line {seen.rev} had been read already",
            CAN_BE_DONE,
            rev=head.rev,
        )
    if head.rev == seen.rev and head.hash != seen.hash:
        raise two_histories(head.rev)


def two_histories(rev: int) -> RolledBack:
    """The one sentence about a line that is another one than it was."""
    return RolledBack(
        f"line {rev} is another one than was seen here before: two histories",
        CAN_BE_DONE,
        rev=rev,
    )


def _inode(fd: int) -> tuple[int, int]:
    found = os.fstat(fd)
    return found.st_dev, found.st_ino
