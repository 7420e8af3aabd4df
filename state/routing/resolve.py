"""Which SKILL.md the name of a skill, or its base directory, leads to (S11): one, or `unresolved`.

Looks at the few places where a host would find it, and reads nothing but that one file.
"""

import os
import stat
from collections.abc import Iterable, Iterator

from state.paths import skill_in
from state.routing.drift import sha256_of
from state.routing.fields import UNRESOLVED
from state.routing.roots import Root

# Below a root whose skills lie in categories, so many are looked into.
CATEGORIES_LIMIT = 1000


def skill_sha256(roots: Iterable[Root], host: str, name: str, base: str | None = None) -> str:
    """The sha256 of the one SKILL.md; `unresolved` when there is none, several, or it can't be
    read; a link in a root is not followed.

    `base` is the folder that a host itself named for the skill: then it alone counts.
    """
    if base is not None:
        return _hash([base]) if os.path.isabs(base) and "\0" not in base else UNRESOLVED
    if not name or name in (".", "..") or "/" in name or "\0" in name:
        return UNRESOLVED
    read = [root for root in roots if root.reader in ("", host)]
    return _hash(
        folder for root in read for folder in _folders(root, name) if not os.path.islink(folder)
    )


def _folders(root: Root, name: str) -> Iterator[str]:
    yield f"{root.path}/{name}"
    if root.depth == 1:
        return
    try:
        with os.scandir(root.path) as found:
            for _, category in zip(range(CATEGORIES_LIMIT), found, strict=False):
                if category.is_dir(follow_symlinks=False):
                    yield f"{category.path}/{name}"
    except OSError:
        return


def _hash(folders: Iterable[str]) -> str:
    """Of the one file that stands there; two names of one file are one."""
    found = {}
    for folder in folders:
        path = skill_in(folder)
        try:
            there = os.stat(path, follow_symlinks=False)
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(there.st_mode):
            found[there.st_dev, there.st_ino] = path
    if len(found) != 1:
        return UNRESOLVED
    (path,) = found.values()
    return sha256_of(path) or UNRESOLVED
