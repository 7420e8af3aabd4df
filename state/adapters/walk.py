"""Going through a folder whose contents are somebody else's: bounded, and never out of it (W21)."""

import os
import stat
from collections.abc import Iterator
from itertools import islice

from state import files
from state.errors import BadInput
from state.paths import FOLDER, shown

ENTRIES_LIMIT = 10_000
BYTES_LIMIT = 1 << 30
CHUNK = 1 << 20

Parts = tuple[str, ...]


class Budget:
    """How much may still be looked at: BadInput beyond 10,000 entries or 1 GiB."""

    __slots__ = ("buffer", "bytes", "entries")

    def __init__(self) -> None:
        self.entries = 0
        self.bytes = 0
        self.buffer = bytearray(CHUNK)

    def one_more(self) -> None:
        """One more file or folder."""
        self.entries += 1
        if self.entries > ENTRIES_LIMIT:
            raise unfit(
                f"there are more than {ENTRIES_LIMIT:,} files and folders",
                "name the adapter's own files alone",
            )

    def fits(self, size: int) -> None:
        """Whether so many bytes more may be read, before the first one is."""
        if self.bytes + size > BYTES_LIMIT:
            raise unfit(
                f"the files have more than {BYTES_LIMIT >> 30} GiB in all",
                "name the adapter's own files alone",
            )

    def read(self, size: int) -> None:
        """So many bytes were read."""
        self.fits(size)
        self.bytes += size


def below(root: str, budget: Budget) -> Iterator[tuple[Parts, Parts]]:
    """Each file below a real folder: the names that lead to it, and those without any link.

    A link is followed while it stays below the folder. BadInput for one that leads out or in a
    circle, for anything that is neither file nor folder, for a project, and for what can't be
    looked at.
    """
    waiting: list[tuple[Parts, Parts, tuple[Parts, ...]]] = [((), (), ())]
    while waiting:
        names, real, left = waiting.pop()
        for name, is_link in _entries(root, real, budget):
            budget.one_more()
            if name == FOLDER:
                raise unfit(
                    f"{_shown(root, names)} holds a project, whose files change with each command",
                    "name the adapter's own folder",
                )
            called, lies, places = (*names, name), (*real, name), left
            if is_link:
                lies = _target(root, lies)
                places = (*left, real)
            mode = _mode(root, lies)
            if stat.S_ISREG(mode):
                yield called, lies
            elif not stat.S_ISDIR(mode):
                raise unfit(f"{_shown(root, called)} is neither file nor folder", "leave it out")
            elif is_link and any(place[: len(lies)] == lies for place in places):
                raise unfit(f"{_shown(root, called)} is a link in a circle", "take the link away")
            else:
                waiting.append((called, lies, places))


def unfit(message: str, hint: str) -> BadInput:
    """Something stands against taking these files."""
    return BadInput(message, hint, field="files")


def unreadable(path: str, error: OSError) -> BadInput:
    """The one sentence about what the system doesn't give."""
    return unfit(f"{shown(path)} can't be read: {error.strerror}", "mend it, or leave it out")


def _entries(root: str, parts: Parts, budget: Budget) -> list[tuple[str, bool]]:
    """The names in a folder, and which are links; no more than may still be looked at."""
    path = os.path.join(root, *parts)
    try:
        fd = files.open_below(root, parts) if parts else files.open_folder(root)
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        with os.scandir(fd) as found:
            few = islice(found, ENTRIES_LIMIT - budget.entries + 1)
            return [(entry.name, entry.is_symlink()) for entry in few]
    except OSError as error:
        raise unreadable(path, error) from error
    finally:
        os.close(fd)


def _target(root: str, parts: Parts) -> Parts:
    """Where a link leads, as names below the folder without any link."""
    path, inside = os.path.join(root, *parts), os.path.realpath(root).rstrip("/")
    try:
        target = os.path.realpath(path, strict=True)
    except OSError as error:
        raise unreadable(path, error) from error
    if target == inside:
        return ()
    if not target.startswith(f"{inside}/"):
        raise unfit(
            f"{shown(path)} is a link that leads out of {shown(root)}, to {shown(target)}",
            "put the file itself there, or name it beside the folder and take the link away",
        )
    return tuple(target[len(inside) + 1 :].split("/"))


def _mode(root: str, parts: Parts) -> int:
    path = os.path.join(root, *parts)
    try:
        return os.lstat(path).st_mode
    except OSError as error:
        raise unreadable(path, error) from error


def _shown(root: str, parts: Parts) -> str:
    return shown(os.path.join(root, *parts))
