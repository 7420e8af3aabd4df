"""Which skill a file belongs to: only a SKILL.md in a configured root is a known one (S2)."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from state.paths import skill_of_file
from state.routing.fields import UNRESOLVED
from state.routing.hooks.seen import Seen, skill
from state.routing.resolve import skill_sha256
from state.routing.roots import Root


class Known(NamedTuple):
    """A skill by the name of its folder, and the sha256 of its SKILL.md, or `unresolved`."""

    skill: str
    sha256: str


def of_seen(seen: Seen, host: str, roots: Iterable[Root]) -> tuple[Known, ...]:
    """The skills that a piece of evidence is about: of a file that was read, those known by it."""
    read = tuple(roots)
    if seen.skill is not None:
        return (Known(seen.skill, skill_sha256(read, host, seen.skill, seen.base)),)
    folders = (skill_of_file(path) for path in seen.reads)
    found = (_known(folder, read) for folder in dict.fromkeys(folders) if folder is not None)
    return tuple(one for one in found if one is not None)


def _known(folder: str, roots: tuple[Root, ...]) -> Known | None:
    """The skill of a folder that lies below a root and has a SKILL.md; no link leads to it."""
    named = skill(os.path.basename(folder))
    if named is None or not any(_is_below(folder, root.path) for root in roots):
        return None
    digest = skill_sha256((), "", named, folder)
    return None if digest == UNRESOLVED else Known(named, digest)


def _is_below(folder: str, root: str) -> bool:
    """Whether it lies below a root, which may be a link itself; from there on none leads to it."""
    real = os.path.realpath(root)
    for named in (root, real):
        if folder.startswith(f"{named}/"):
            return os.path.realpath(folder) == real + folder[len(named) :]
    return False
