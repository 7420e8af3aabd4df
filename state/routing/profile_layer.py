"""Layer 1 as the index shows it: what a skill says of itself, from outside the journal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from state.paths import Paths
from state.routing import drift, skill_index
from state.routing.router import Entry
from state.routing.skill_index import SkillIndex, Unusable


@dataclass(frozen=True, slots=True)
class ProfileLayer:
    """`state`: `profiled`, `not_promoted` (profiled, not promoted), `drifted`, `not_indexed`, or
    `no_skill` where none is named. `entries` counts the entries of that name, whose bytes differ.
    `at` is when the index was built that says so; None where it says nothing.

    It never says that a skill is installed, available, active or allowed (S4).
    """

    state: str
    skill: str | None
    profile_version: int | None
    profile_sha256: str | None
    skill_sha256: str | None
    path: str | None
    entries: int
    at: str | None


NO_SKILL = ProfileLayer("no_skill", None, None, None, None, None, 0, None)


class Profiles(Mapping[str, ProfileLayer]):
    """Layer 1 by the names of skills; files are looked at when a name is asked for.

    `index` is the index as it was read, or why there is no sound one: then there is no name.
    """

    def __init__(self, paths: Paths) -> None:
        self.index: SkillIndex | Unusable = skill_index.load(paths)
        self._at: str | None = None
        self._entries: dict[str, list[Entry]] = {}
        self._layers: dict[str, ProfileLayer] = {}
        if isinstance(self.index, SkillIndex):
            self._at = self.index.built
            for entry in self.index.entries:
                self._entries.setdefault(entry.skill, []).append(entry)

    def __getitem__(self, skill: str) -> ProfileLayer:
        if skill not in self._layers:
            self._layers[skill] = _layer(self._entries[skill], self._at)
        return self._layers[skill]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def of_skill(skill: str | None, profiles: Mapping[str, ProfileLayer]) -> ProfileLayer:
    """Layer 1 of one name."""
    if skill is None:
        return NO_SKILL
    return profiles.get(skill) or ProfileLayer(
        "not_indexed", skill, None, None, None, None, 0, None
    )


def _layer(entries: Sequence[Entry], at: str | None) -> ProfileLayer:
    """Of several entries of one name the first, drifted if it is."""
    first = entries[0]
    state = "profiled" if first.promoted else "not_promoted"
    return ProfileLayer(
        "drifted" if drift.has_drifted(first) else state,
        first.skill,
        first.profile_version,
        first.profile_sha256,
        first.skill_sha256,
        first.path,
        len(entries),
        at,
    )
