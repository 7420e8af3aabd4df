"""Layer 1 as the index shows it: what a skill says of itself, from outside the journal."""

from collections.abc import Mapping
from dataclasses import dataclass

from state.paths import Paths
from state.routing import drift, skill_index
from state.routing.skill_index import SkillIndex


@dataclass(frozen=True, slots=True)
class ProfileLayer:
    """`state`: `profiled`, `not_promoted` (profiled, not promoted), `drifted`, `not_indexed`, or
    `no_skill` where none is named. `entries` counts the entries of that name, whose bytes differ.

    It never says that a skill is installed, available, active or allowed (S4).
    """

    state: str
    skill: str | None
    profile_version: int | None
    profile_sha256: str | None
    skill_sha256: str | None
    path: str | None
    entries: int


NO_SKILL = ProfileLayer("no_skill", None, None, None, None, None, 0)


def from_index(paths: Paths) -> Mapping[str, ProfileLayer]:
    """The profiles in the index by the names of their skills; none without a sound index."""
    found = skill_index.load(paths)
    return of(found) if isinstance(found, SkillIndex) else {}


def of(index: SkillIndex) -> Mapping[str, ProfileLayer]:
    """Layer 1 of each skill in an index; of several of one name the first, drifted if it is."""
    layers: dict[str, ProfileLayer] = {}
    counts: dict[str, int] = {}
    for entry in index.entries:
        counts[entry.skill] = counts.get(entry.skill, 0) + 1
    for entry in index.entries:
        if entry.skill in layers:
            continue
        state = "profiled" if entry.promoted else "not_promoted"
        layers[entry.skill] = ProfileLayer(
            "drifted" if drift.has_drifted(entry) else state,
            entry.skill,
            entry.profile_version,
            entry.profile_sha256,
            entry.skill_sha256,
            entry.path,
            counts[entry.skill],
        )
    return layers


def of_skill(skill: str | None, profiles: Mapping[str, ProfileLayer]) -> ProfileLayer:
    """Layer 1 of one name."""
    if skill is None:
        return NO_SKILL
    return profiles.get(skill, ProfileLayer("not_indexed", skill, None, None, None, None, 0))
