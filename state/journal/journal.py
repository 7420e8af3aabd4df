"""One opened journal: its identity and its files, and the answers that need no lock."""

import os
import stat
from hashlib import sha256

import orjson

from state import files
from state.errors import Damaged, NoProject, ReadOnly, Refused, Replaced, StateError
from state.journal import head as heads
from state.journal.head import Head
from state.journal.line import newer
from state.journal.lock import check_plain
from state.journal.reader import Position
from state.paths import Paths

FORMAT_LIMIT = 4096


class Journal:
    """Keeps what was true at opening: the root's inode, FORMAT and its hash, the process.

    `original` is the project id in FORMAT; a fork gives another (HEAD carries the present one).
    `failed`: a write of this process was not confirmed by the disk, so it writes no more.
    """

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.pid = os.getpid()
        self.failed = False
        self.root_inode = _check_root(paths)
        self.original, self.format_hash = _read_format(paths)
        self._head_fd = -1
        self._head: tuple[int, bool] = (0, False)
        self._log_fd = -1
        self._log: tuple[int, int] = (0, 0)

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
        try:
            inode = os.stat(self.paths.root).st_ino
        except FileNotFoundError:
            raise Replaced(
                "the project's folder is gone", "nothing is created in its place"
            ) from None
        if inode != self.root_inode:
            raise Replaced("another folder stands in the project's place", "open it again")

    def head(self) -> Head:
        """The last committed line. Damaged when both slots are bad, Replaced when it is gone."""
        found = self.head_or_none()
        if found is None:
            raise Damaged(
                "HEAD can't be read: both of its slots are bad",
                "the next change rebuilds it from the log",
            )
        return found

    def head_or_none(self) -> Head | None:
        """The last committed line as HEAD says it, None when both of its slots are bad."""
        return heads.read(self.head_fd())

    def head_fd(self, *, update: bool = False) -> int:
        """A descriptor of the file that is named HEAD now; opened again when it was replaced."""
        path = self.paths.head
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            raise Replaced(
                "HEAD is gone", "`sublation-panel doctor` says what can be done"
            ) from None
        wanted = (found.st_ino, update or self._head[1])
        if self._head_fd >= 0 and wanted != self._head:
            os.close(self._head_fd)
            self._head_fd = -1
        if self._head_fd < 0:
            check_plain(path)
            opened = files.open_update(path) if wanted[1] else files.open_read(path)
            self._head_fd, self._head = opened, wanted
        return self._head_fd

    def log_fd(self, segment: int) -> int:
        """A descriptor that appends to the segment of that name now; a link is Damaged."""
        path = self.paths.segment(segment)
        check_plain(path)
        named = (segment, os.lstat(path).st_ino)
        if self._log_fd >= 0 and named != self._log:
            os.close(self._log_fd)
            self._log_fd = -1
        if self._log_fd < 0:
            self._log_fd, self._log = files.open_append(path), named
        return self._log_fd

    def is_writable(self) -> bool:
        """Whether this process may write the folder, as far as permissions and mount say."""
        places = (self.paths.root, self.paths.log_dir, self.paths.head, self.paths.mutex)
        return all(os.access(place, os.W_OK) for place in places)

    def close(self) -> None:
        """Lets the descriptors go; the journal can be asked again afterwards."""
        for fd in (self._head_fd, self._log_fd):
            if fd >= 0:
                os.close(fd)
        self._head_fd = self._log_fd = -1


def _check_root(paths: Paths) -> int:
    try:
        found = os.lstat(paths.root)
    except (FileNotFoundError, NotADirectoryError):
        raise NoProject(
            f"no project here: {paths.root} does not exist",
            "create one with `sublation-panel init`, or name one with --project DIR",
        ) from None
    except PermissionError as error:
        raise ReadOnly(f"the project can't be read: {error.strerror}", "") from error
    if not stat.S_ISDIR(found.st_mode):
        raise Refused(None, f"{paths.root} is not a folder", "put the real folder there")
    if found.st_uid != os.geteuid():
        raise Refused(
            None,
            f"the project's folder belongs to another user (uid {found.st_uid})",
            f"use it as that user, or: chown -R {os.geteuid()} {paths.root}",
        )
    if found.st_mode & 0o022:
        raise Refused(
            None,
            "group or others may write the project's folder",
            f"chmod go-w {paths.root}",
        )
    return found.st_ino


def _read_format(paths: Paths) -> tuple[str, str]:
    try:
        raw = files.read_whole(paths.format, FORMAT_LIMIT)
    except FileNotFoundError:
        raise Damaged(
            "FORMAT is missing", "`sublation-panel doctor` says what can be done"
        ) from None
    except OSError as error:
        raise ReadOnly(f"FORMAT can't be read: {error.strerror}", "") from error
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Damaged("FORMAT is not JSON", "put the original file back") from error
    if not isinstance(fields, dict) or fields.get("format") != "sublation-panel":
        raise Damaged("FORMAT is not of this program", "put the original file back")
    version = fields.get("version")
    if type(version) is not int or version < 1:
        raise Damaged("FORMAT gives no version", "put the original file back")
    if version > 1:
        raise newer(None, f"format version {version}")
    project = fields.get("project")
    if not isinstance(project, str):
        raise Damaged("FORMAT gives no project id", "put the original file back")
    return project, sha256(raw).hexdigest()
