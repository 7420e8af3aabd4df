"""Goes through a skill root, read only: every folder once, through no link, only so deep (S12).

Folders are held open while what lies in them is looked at, so that a folder put in another's
place meanwhile is not mistaken for it. What is not gone into is kept with its reason.
"""

import errno
import os
from collections import Counter
from collections.abc import Callable, Generator
from typing import NamedTuple

from state import files
from state.routing.notes import shown_path

SKILL = "SKILL.md"
PROFILE = "routing.json"
VERSION_CONTROL = frozenset({".git", ".hg", ".svn"})
DEPTH_LIMIT = 32
ENTRIES_LIMIT = 1_000_000
# So many of what was left out are listed with their paths; all are counted.
LISTED = 1_000


class Place(NamedTuple):
    """A folder that holds a SKILL.md; `fd` is good until the next place is asked for.

    `files` are all names that differ from SKILL.md by case at most, the exact one first.
    """

    fd: int
    path: str
    depth: int
    files: tuple[str, ...]
    has_profile: bool
    nested: bool


class Skipped(NamedTuple):
    """A folder or link that was not gone into: a reason of `notes.SKIPS`, and more about it."""

    path: str
    why: str
    detail: str


class Tally:
    """What one inventory has seen: folders, those left out, and the roots that are read already.

    `told` hears after each folder how many there were; what it raises ends the inventory.
    """

    def __init__(self, told: Callable[[int], None] | None = None) -> None:
        self.told = told
        self.folders = 0
        # Of the root that is being read.
        self.entries = 0
        self.skipped: Counter[str] = Counter()
        self.listed: list[Skipped] = []
        self.roots: set[str] = set()

    def skip(self, path: str, why: str, detail: str = "") -> None:
        self.skipped[why] += 1
        if len(self.listed) < LISTED:
            self.listed.append(Skipped(shown_path(path), why, shown_path(detail)))


class _Folder:
    """An open folder and the names of the folders in it that are still to be visited."""

    __slots__ = ("fd", "inside", "path", "waiting")

    def __init__(self, fd: int, path: str, inside: bool) -> None:
        self.fd = fd
        self.path = path
        self.inside = inside
        self.waiting: list[str] = []


def places(root: str, tally: Tally) -> Generator[Place, None, None]:
    """Every folder at or below `root` (a real path) that holds a SKILL.md, in the order of paths.

    OSError when the root itself can't be opened as a folder.
    """
    stack = [_Folder(files.open_folder(root), root, inside=False)]
    tally.entries = 0
    try:
        place = _look(stack, root, tally)
        while stack:
            if place is not None:
                yield place
            here = stack[-1]
            if tally.entries > ENTRIES_LIMIT:
                tally.skip(here.path, "too_many", f"more than {ENTRIES_LIMIT:,} names in a root")
                return
            if here.waiting:
                place = _enter(here.waiting.pop(), here, stack, root, tally)
            else:
                place = None
                os.close(stack.pop().fd)
    finally:
        for folder in stack:
            os.close(folder.fd)


def _enter(
    name: str, above: _Folder, stack: list[_Folder], root: str, tally: Tally
) -> Place | None:
    path = f"{above.path}/{name}"
    if len(stack) > DEPTH_LIMIT:
        tally.skip(path, "too_deep", f"{DEPTH_LIMIT} levels")
        return None
    try:
        fd = files.open_inside(above.fd, name, is_folder=True)
    except OSError as error:
        tally.skip(path, "unreadable", error.strerror or "")
        return None
    stack.append(_Folder(fd, path, above.inside))
    return _look(stack, root, tally)


def _look(stack: list[_Folder], root: str, tally: Tally) -> Place | None:
    """Reads the names in the folder on top; what may be a skill there is a place."""
    here = stack[-1]
    if here.path in tally.roots and len(stack) > 1:
        tally.skip(here.path, "read_already")
        return None
    tally.folders += 1
    if tally.told is not None:
        tally.told(tally.folders)
    names: list[str] = []
    has_profile = False
    try:
        with os.scandir(here.fd) as entries:
            for entry in entries:
                tally.entries += 1
                if tally.entries > ENTRIES_LIMIT:
                    break
                name = entry.name
                if name.lower() == "skill.md":
                    names.append(name)
                elif name == PROFILE:
                    has_profile = True
                if entry.is_symlink():
                    _skip_link(f"{here.path}/{name}", here.path, root, tally)
                elif entry.is_dir(follow_symlinks=False):
                    if name in VERSION_CONTROL:
                        tally.skip(f"{here.path}/{name}", "version_control")
                    else:
                        here.waiting.append(name)
    except OSError as error:
        tally.skip(here.path, "unreadable", error.strerror or "")
    here.waiting.sort(reverse=True)
    if not names:
        return None
    nested, here.inside = here.inside, True
    exact_first = tuple(sorted(names, key=lambda name: (name != SKILL, name)))
    return Place(here.fd, here.path, len(stack) - 1, exact_first, has_profile, nested)


def _skip_link(path: str, folder: str, root: str, tally: Tally) -> None:
    """Says where a link leads; what lies there is neither opened nor read."""
    try:
        target = os.path.realpath(path, strict=True)
    except OSError as error:
        why = {errno.ELOOP: "link_loop", errno.ENOENT: "link_broken"}.get(error.errno or 0)
        tally.skip(path, why or "link_outside", "" if why else error.strerror or "")
        return
    if folder == target or folder.startswith(f"{target}/"):
        tally.skip(path, "link_loop", target)
    elif target.startswith(f"{root}/"):
        tally.skip(path, "link_inside", target)
    else:
        tally.skip(path, "link_outside", target)
