"""Which file systems a journal may be written on: those whose locks and syncs can be trusted."""

import os
import re
import sys

from state import files
from state.errors import Refused

# Between machines or kernels locks may not be shared, and a sync may not mean what it says.
_REFUSED = re.compile(
    r"nfs\d?|9p|drvfs|fuse|fuse\..*|fuseblk|cifs|smb\w*|afs|afpfs|ceph|ncpfs|virtiofs|vboxsf|prl_fs"
    r"|vmhgfs|webdav|macfuse|osxfuse"
)
# How the mount table writes spaces and the like.
_OCTAL = re.compile(rb"\\([0-7]{3})")
# Of macOS's struct statfs: its size, and where the name of the file system stands in it.
_STATFS_BYTES = 2168
_STATFS_NAME = slice(72, 88)


def check(path: str) -> None:
    """Refused for a file system of a kind that can't be trusted with a lock (`path` exists)."""
    kind = kind_of(path)
    if is_refused(kind):
        raise Refused(
            None,
            f"the project lies on {kind}: locks and syncs of such file systems can't be trusted",
            "keep it on a local disk, or take the risk with --force-filesystem",
        )


def is_refused(kind: str) -> bool:
    """Whether nothing is written on a file system of this kind unless it is forced."""
    return _REFUSED.fullmatch(kind) is not None


def kind_of(path: str) -> str:
    """The kind of file system that holds `path`, as the system calls it; empty if not known."""
    if sys.platform == "darwin":
        return _told_by_macos(path)
    try:
        return kind_in(files.mount_table(), os.stat(path).st_dev, os.path.realpath(path))
    except OSError:
        return ""


def kind_in(table: bytes, device: int, path: str) -> str:
    """The kind that Linux's mount table gives for a device, else for the nearest mount of `path`.

    Some file systems (btrfs, overlays) don't list the device that their files have.
    """
    number = b"%d:%d" % (os.major(device), os.minor(device))
    nearest, kind = b"", b""
    wanted = os.fsencode(path) + b"/"
    for line in table.splitlines():
        mount, dash, rest = line.partition(b" - ")
        fields = mount.split(b" ")
        if not dash or len(fields) < 5:
            continue
        if fields[2] == number:
            return rest.split(b" ")[0].decode("ascii", "replace")
        at = _OCTAL.sub(lambda found: bytes([int(found[1], 8)]), fields[4])
        if len(at) >= len(nearest) and wanted.startswith(at.rstrip(b"/") + b"/"):
            nearest, kind = at, rest.split(b" ")[0]
    return kind.decode("ascii", "replace")


def _told_by_macos(path: str) -> str:
    import ctypes

    library = ctypes.CDLL(None)
    # On Intel the name without a suffix is that of an older structure.
    call = getattr(library, "statfs$INODE64", None) or library.statfs
    told = ctypes.create_string_buffer(_STATFS_BYTES)
    if call(os.fsencode(path), told) != 0:
        return ""
    return told.raw[_STATFS_NAME].split(b"\0")[0].decode("ascii", "replace")
