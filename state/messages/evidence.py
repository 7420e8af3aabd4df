"""Files as evidence of a task: their hash is taken by the program, and looked at again (M7).

Whoever finishes a task names a file; what it held at that moment is never taken from a word.
"""

import os
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from typing import Any, Literal

from state import checks, files
from state.clock import stamp
from state.errors import BadInput
from state.messages.operations import FileEvidence
from state.paths import FOLDER

PART = 1 << 20

Became = Literal["unchanged", "changed", "gone", "unreadable"]


def take_file(project: str, path: str) -> FileEvidence:
    """A file of the project's folder as evidence, as it is here and now.

    BadInput unless it is a regular file below that folder, reached through no link and not part of
    the project's own `.sublation-panel`.
    """
    root = os.path.realpath(project)
    shown = repr(checks.text(path, "evidence"))
    if "\0" in path:
        raise _unfit(f"{shown} can't be the name of a file", root)
    try:
        parts = _below(root, path)
        if not parts or parts[0].casefold() == FOLDER:
            raise _unfit(f"{shown} is no file of the project", root)
        digest, size = _hash(root, parts)
    except OSError as error:
        raise _unfit(f"{shown} can't be read: {error.strerror}", root) from error
    return FileEvidence("/".join(parts), digest, size)


def take_marked(project: str, path: str, mark: str) -> tuple[FileEvidence, str, bool]:
    """A file as `take_file` takes it, when its bytes last changed, and whether they hold a mark."""
    root = os.path.realpath(project)
    taken = take_file(project, path)
    try:
        fd = files.open_below(root, tuple(taken.path.split("/")))
        try:
            changed = os.fstat(fd).st_mtime_ns
            digest, size, holds = _read_marked(fd, mark.encode())
        finally:
            os.close(fd)
    except OSError as error:
        raise _unfit(f"{taken.path!r} can't be read: {error.strerror}", root) from error
    if (digest, size) != (taken.sha256, taken.bytes):
        raise _unfit(f"{taken.path!r} is being written just now", root)
    return taken, stamp(datetime.fromtimestamp(changed / 1e9, UTC)), holds


def now(project: str, evidence: Mapping[str, Any]) -> Became:
    """What has become of a file that a done task names (`kind` is `file`) since it was taken."""
    root = os.path.realpath(project)
    try:
        digest, size = _hash(root, tuple(evidence["path"].split("/")), evidence["bytes"])
    except (FileNotFoundError, NotADirectoryError):
        return "gone"
    except PermissionError:
        return "unreadable"
    except (OSError, BadInput):
        # Another thing stands at its name: a link, a folder, a pipe.
        return "changed"
    return "unchanged" if (digest, size) == (evidence["sha256"], evidence["bytes"]) else "changed"


def _below(root: str, path: str) -> tuple[str, ...]:
    """The names that lead from the root to a file; `..` means what it means to the system."""
    here = "/" if os.path.isabs(path) else os.getcwd()
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            here = os.path.dirname(here)
            continue
        here = os.path.join(here, part)
        if os.path.islink(here):
            if _is_below(here, root):
                raise _unfit(f"{path!r} leads through a link", root)
            here = os.path.realpath(here)
    if not _is_below(here, root):
        raise _unfit(f"{path!r} lies outside the project", root)
    return tuple(here[len(root.rstrip("/")) + 1 :].split("/"))


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root.rstrip("/") + "/")


def _hash(root: str, parts: tuple[str, ...], expected: int | None = None) -> tuple[str, int]:
    """The sha256 and size of a regular file; without the hash when it isn't of `expected` size."""
    named = repr("/".join(parts))
    fd = files.open_below(root, parts)
    try:
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            raise _unfit(f"{named} is no regular file", root)
        if expected not in (None, before.st_size):
            return "", before.st_size
        with open(fd, "rb", closefd=False) as file:
            digest = file_digest(file, "sha256").hexdigest()
        after = os.fstat(fd)
    finally:
        os.close(fd)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise _unfit(f"{named} is being written just now", root)
    return digest, after.st_size


def _read_marked(fd: int, mark: bytes) -> tuple[str, int, bool]:
    """The sha256 and size of an open file, and whether it holds a mark verbatim."""
    digest, size, holds, end = sha256(), 0, False, b""
    with open(fd, "rb", closefd=False) as file:
        while part := file.read(PART):
            digest.update(part)
            size += len(part)
            holds = holds or mark in end + part
            end = part[-len(mark) :]
    return digest.hexdigest(), size, holds


def _unfit(message: str, root: str) -> BadInput:
    return BadInput(
        message,
        f"evidence is a plain file below {root}, reached through no link",
        field="evidence",
    )
