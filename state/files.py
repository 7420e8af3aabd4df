"""The one seam through which bytes reach the disk; tests put faults in here.

Each function does one call of the operating system and lets its OSError through: the callers,
which know what the bytes mean, turn it into an error of `state.errors`.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

_FOREIGN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_NOATIME = getattr(os, "O_NOATIME", 0)


def open_append(path: str) -> int:
    """A descriptor that appends and reads; a symbolic link is an error (ELOOP)."""
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)


def open_update(path: str) -> int:
    """A descriptor that writes in place and reads; a symbolic link is an error."""
    return os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)


def open_read(path: str) -> int:
    """A descriptor that reads; a symbolic link is an error, a pipe is not waited for."""
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)


def open_foreign(path: str) -> int:
    """A descriptor that reads a file or folder of another program; no link, no pipe waited for.

    Where the system allows it, not even its time of access moves.
    """
    try:
        return os.open(path, _FOREIGN | _NOATIME)
    except PermissionError:
        return os.open(path, _FOREIGN)


def open_folder(path: str) -> int:
    """A descriptor of a folder, which keeps its inode from being given away; no link."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def open_below(folder: str, parts: Sequence[str]) -> int:
    """A descriptor that reads a file below a folder; a symbolic link on the way is an error.

    A pipe or a device is opened too, without waiting for it: look at what it is before reading.
    """
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    deeper = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    last = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        for part in parts[:-1]:
            above, at = at, os.open(part, deeper, dir_fd=at)
            os.close(above)
        return os.open(parts[-1], last, dir_fd=at)
    finally:
        os.close(at)


def open_inside(folder: int, name: str, *, is_folder: bool = False) -> int:
    """As `open_foreign`, of a name in a folder that is open; no path is gone a second time."""
    flags = _FOREIGN | os.O_DIRECTORY if is_folder else _FOREIGN
    try:
        return os.open(name, flags | _NOATIME, dir_fd=folder)
    except PermissionError:
        return os.open(name, flags, dir_fd=folder)


def write(fd: int, data: bytes) -> int:
    return os.write(fd, data)


def pwrite(fd: int, data: bytes, offset: int) -> int:
    return os.pwrite(fd, data, offset)


def chmod(path: str, mode: int) -> None:
    os.chmod(path, mode)


def unlink(path: str) -> None:
    os.unlink(path)


def truncate(fd: int, size: int) -> None:
    os.ftruncate(fd, size)


def sync_data(fd: int) -> None:
    """Bytes and size are on the disk afterwards (macOS: past the drive's cache as well)."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(fd)


def sync_file(path: str) -> None:
    """The bytes of a file that others wrote are on the disk afterwards."""
    fd = open_read(path)
    try:
        sync_data(fd)
    finally:
        os.close(fd)


def sync_folder(path: str) -> None:
    """The names in a folder are on the disk afterwards."""
    fd = open_folder(path)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def rename(source: str, target: str) -> None:
    os.rename(source, target)


def pread_exact(fd: int, size: int, offset: int) -> bytes:
    """`size` bytes at `offset`; fewer only where the file ends."""
    data = os.pread(fd, size, offset)
    if len(data) in (0, size):
        return data
    parts = [data]
    got = len(data)
    while got < size:
        part = os.pread(fd, size - got, offset + got)
        if not part:
            break
        parts.append(part)
        got += len(part)
    return b"".join(parts)


def read_into(fd: int, buffer: memoryview, offset: int) -> int:
    """Fills a buffer with the bytes at `offset`; how many came, fewer only where the file ends."""
    got = 0
    while got < len(buffer):
        part = os.preadv(fd, [buffer[got:]], offset + got)
        if part == 0:
            break
        got += part
    return got


def read_whole(path: str, limit: int) -> bytes:
    """A whole small file, at most `limit` bytes of it; a symbolic link is an error."""
    fd = open_read(path)
    try:
        return pread_exact(fd, limit, 0)
    finally:
        os.close(fd)


def make_folder(path: str) -> None:
    """A folder of that name, its own if it is new; what it lies in must be there already."""
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def create(path: str, mode: int = 0o600) -> None:
    """A new empty file, not yet on the disk; an existing name is an error."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode))


def write_new(path: str, data: bytes, mode: int = 0o600) -> None:
    """A new file with all of `data`, on the disk; an existing name is an error."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        view = memoryview(data)
        while view:
            view = view[write(fd, bytes(view)) :]
        sync_data(fd)
    finally:
        os.close(fd)


def replace_file(path: str, data: bytes, scratch: str) -> None:
    """`path` holds all of `data` or what it held before; `scratch` is a name on the same disk."""
    try:
        write_new(scratch, data)
        rename(scratch, path)
    except OSError:
        if os.path.lexists(scratch):
            unlink(scratch)
        raise


def has_ended(process: int) -> bool:
    """Whether no process of that number runs now; False where the system doesn't tell."""
    return os.path.isdir("/proc/self") and not os.path.isdir(f"/proc/{process}")


def mount_table() -> bytes:
    """What is mounted where, as Linux tells it; empty where there is no such table."""
    try:
        fd = os.open("/proc/self/mountinfo", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        parts = []
        while part := os.read(fd, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(fd)
