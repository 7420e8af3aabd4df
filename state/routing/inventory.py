"""Every skill in the roots, each with what is odd about it: read only, never an error (S12, S13).

A skill is known by root, real path and the sha256 of its SKILL.md; its name is a label. What is
wrong with one is a note on its row and hides nothing.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from state.errors import NotFound
from state.routing import duplicates, walk
from state.routing.duplicates import Group
from state.routing.notes import PROBLEMS, Problem
from state.routing.profiles import Profile, ProfileProblem
from state.routing.roots import GIVEN, Root, why_not
from state.routing.skill_file import Read, read
from state.routing.walk import Place, Skipped, Tally

YES, NO, NOT_KNOWN = "yes", "no", "not known"
EVERY = 5_000
# The sha256 of a SKILL.md and of the routing.json beside it.
Hashes = tuple[str, str]
Progress = Callable[[int], None]


class Skill(NamedTuple):
    """One SKILL.md. `name` is what it calls itself, or its folder's name when it doesn't (`named`).

    `path` is the real path of the file as the system gives it; bytes in it that are no UTF-8 stand
    as surrogates. `sha256` is None where the bytes could not be read. `loads` says for each host
    that is known to read this root whether it would load the file.
    """

    name: str
    named: bool
    path: str
    root: Root
    sha256: str | None
    size: int
    description: str
    status: str
    problems: tuple[Problem, ...]
    profile: Profile | None
    profile_sha256: str | None
    profile_problems: tuple[ProfileProblem, ...]
    loads: Mapping[str, str]
    duplicates: tuple[Group, ...]

    @property
    def folder(self) -> str:
        """The folder that is the skill."""
        return os.path.dirname(self.path)

    @property
    def is_unfit(self) -> bool:
        """Whether a check of it fails: there is no skill to load, or its profile is refused."""
        return self.status in ("broken", "refused")


@dataclass(frozen=True, slots=True)
class RootRead:
    """What became of a root: `read`, `read_already` (it is, or lies in, one before it), `missing`,
    `unreadable` or `not_a_folder`; and its real path.
    """

    root: Root
    state: str
    real: str
    skills: int


@dataclass(frozen=True, slots=True)
class Inventory:
    """The skills in the order of roots and paths, and all that was not looked into.

    `skipped` counts by reason; `left_out` lists the first of them. Each group is of rows of
    `skills`.
    """

    skills: tuple[Skill, ...]
    roots: tuple[RootRead, ...]
    groups: tuple[Group, ...]
    folders: int
    skipped: Mapping[str, int]
    left_out: tuple[Skipped, ...]


# A skill before it is known which others are like it: its root, how deep below it, its path.
_Row = tuple[Root, int, str, Read]


def take(
    roots: Iterable[Root],
    progress: Progress | None = None,
    *,
    indexed: Mapping[str, Hashes] | None = None,
    looked: Progress | None = None,
) -> Inventory:
    """Reads every root. `progress` is told now and then how many skills there are so far.

    `looked` is told of every folder how many there were; what it raises ends the reading.
    `indexed` are the hashes in the router's index, by the path of SKILL.md.
    """
    tally = Tally(looked)
    rows: list[_Row] = []
    been: list[RootRead] = []
    for root in roots:
        before = len(rows)
        real = os.path.realpath(root.path)
        state = "read"
        try:
            if _is_read(real, tally):
                state = "read_already"
            else:
                _read_root(root, real, tally, rows, progress)
                tally.roots.add(real)
        except OSError as error:
            state = why_not(error)
        been.append(RootRead(root, state, real, len(rows) - before))
    found = duplicates.groups([(read.name, read.sha256) for _, _, _, read in rows])
    alike = duplicates.by_row(found)
    known = indexed or {}
    skills = tuple(_skill(row, alike.get(place, ()), known) for place, row in enumerate(rows))
    return Inventory(
        skills, tuple(been), found, tally.folders, dict(tally.skipped), tuple(tally.listed)
    )


def one(folder: str) -> Skill | None:
    """The skill that a folder itself is, without what lies below it; None when it is none.

    NotFound when it can't be opened as a folder.
    """
    root = Root(os.path.abspath(folder), GIVEN)
    try:
        real = os.path.realpath(folder)
        with closing(walk.places(real, Tally())) as places:
            place = next(places, None)
            if place is None or place.path != real:
                return None
            return _skill(_row(root, place), (), {})
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no path can be called so"
        raise NotFound(f"{folder} can't be read as a folder: {why}", "name a folder") from error


def _is_read(real: str, tally: Tally) -> bool:
    return any(real == other or real.startswith(f"{other}/") for other in tally.roots)


def _read_root(
    root: Root, real: str, tally: Tally, rows: list[_Row], progress: Progress | None
) -> None:
    with closing(walk.places(real, tally)) as places:
        for place in places:
            rows.append(_row(root, place))
            if progress is not None and len(rows) % EVERY == 0:
                progress(len(rows))


def _row(root: Root, place: Place) -> _Row:
    return root, place.depth, f"{place.path}/{place.files[0]}", read(place)


def _skill(row: _Row, alike: tuple[Group, ...], indexed: Mapping[str, Hashes]) -> Skill:
    root, depth, path, told = row
    problems = tuple(told.problems)
    return Skill(
        told.name or told.folder,
        bool(told.name),
        path,
        root,
        told.sha256,
        told.size,
        told.description,
        status_of(told, indexed.get(path)),
        problems,
        told.profile,
        told.profile_sha256,
        told.profile_problems,
        _loads(root, depth, problems),
        alike,
    )


def status_of(told: Read, indexed: Hashes | None) -> str:
    """S3, S4, S13: `broken`, `refused`, `drifted`, `profiled`, `unclassified`: what holds first.

    `indexed` are the hashes of SKILL.md and routing.json in the router's index, if it is there.
    """
    if any(PROBLEMS[problem.code] for problem in told.problems):
        return "broken"
    if told.profile_problems:
        return "refused"
    if indexed is not None and indexed != (told.sha256, told.profile_sha256):
        return "drifted"
    return "unclassified" if told.profile is None else "profiled"


def _loads(root: Root, depth: int, problems: Sequence[Problem]) -> Mapping[str, str]:
    """Whether the root's host would load a file, as far as the Agent Skills standard says.

    It would load what meets every limit and lies where the host looks. What hosts do with the
    rest differs, and changes: that is not known.
    """
    if not root.reader:
        return {}
    if any(problem.code == "not_a_file" for problem in problems):
        return {root.reader: NO}
    return {root.reader: NOT_KNOWN if problems or depth != root.depth else YES}
