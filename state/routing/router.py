"""The one router (S4): from feature ids and an index to a suggestion that explains itself.

Pure, integers only: the same entries and features give the same answer on every machine (S7). It
suggests and nothing else (S9): what it says is data that no host has to follow.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import isqrt

ROUTER_VERSION = "router-1"
# Below this score nothing is suggested: the answer is the fallback `low_confidence` (S8).
THRESHOLD = 200
FULL = 1000
# How many work units an answer may cost: one for each entry and for each id that is compared.
BUDGET = 1_000_000
MOST = 5
# A feature that was asked for and isn't offered costs this part of its share once more; one that
# is offered and wasn't asked for costs this part of what it would have given.
NOT_OFFERED = 8
NOT_ASKED = 8
LEGACY = "legacy_catalog"

INDEX_FAULTS = ("index_missing", "index_damaged", "index_outdated")
FALLBACKS = ("low_confidence", *INDEX_FAULTS, "timeout", "crashed")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index keeps of one skill with a valid profile: its profile, and both hashes.

    It says what a skill claims of itself, never that it is installed, active or allowed (S4).
    """

    skill: str
    features: Mapping[str, int]
    excludes: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    profile_version: int = 1
    promoted: bool = False
    path: str = ""
    skill_sha256: str = ""
    profile_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Matched:
    """A feature that was asked for and that the profile has.

    `share` is its part of FULL among what was asked for; points are weight * share // FULL.
    """

    feature: str
    weight: int
    share: int
    points: int


@dataclass(frozen=True, slots=True)
class Lowered:
    """Points taken off for one feature: `what` is `not_offered` or `not_asked`.

    Of what isn't offered, which has no weight, share // NOT_OFFERED; of what wasn't asked for
    weight * share // FULL // NOT_ASKED, with the share that it would have had.
    """

    what: str
    feature: str
    weight: int
    share: int
    points: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """One skill with its score: the points of what matched less those of what lowered it.

    With `excluded_by` (features asked for that the profile excludes) it can't be suggested.
    """

    skill: str
    skill_sha256: str
    profile_sha256: str
    score: int
    matched: tuple[Matched, ...]
    excluded_by: tuple[str, ...]
    lowered: tuple[Lowered, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Candidates, the best first, or the reason of a fallback; both where none is good enough.

    `considered` counts the entries that were looked at, `drifted` names those left out (S4).
    """

    features: tuple[str, ...]
    considered: int
    candidates: tuple[Candidate, ...]
    excluded: tuple[Candidate, ...]
    drifted: tuple[str, ...]
    fallback: str | None


class _OutOfBudget(Exception):
    pass


def suggest(
    entries: Sequence[Entry],
    features: Iterable[str],
    *,
    drifted: Set[str] = frozenset(),
    budget: int = BUDGET,
) -> Answer:
    """S7, S8: the answer for these feature ids. `drifted` holds the paths of entries to leave out.

    A budget that is used up is the fallback `timeout`; an index whose values the router can't
    reckon with is `crashed`.
    """
    asked = tuple(sorted(set(features)))
    names = tuple(sorted({entry.skill for entry in entries if entry.path in drifted}))
    try:
        return _answer([one for one in entries if one.path not in drifted], asked, names, budget)
    except _OutOfBudget:
        return Answer(asked, 0, (), (), names, "timeout")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return Answer(asked, 0, (), (), names, "crashed")


def fallback(features: Iterable[str], reason: str) -> Answer:
    """S8: the answer without a sound index."""
    return Answer(tuple(sorted(set(features))), 0, (), (), (), reason)


def _answer(
    entries: Sequence[Entry], asked: tuple[str, ...], drifted: tuple[str, ...], budget: int
) -> Answer:
    spent = sum(1 + len(entry.features) + len(entry.excludes) + len(asked) for entry in entries)
    if spent > budget:
        raise _OutOfBudget
    rarity = _rarity(entries)
    found = [_candidate(entry, asked, rarity) for entry in entries]
    found.sort(key=_order)
    candidates = [one for one in found if one.matched and not one.excluded_by][:MOST]
    excluded = [one for one in found if one.matched and one.excluded_by][:MOST]
    sure = bool(candidates) and candidates[0].score >= THRESHOLD
    return Answer(
        asked,
        len(entries),
        tuple(candidates),
        tuple(excluded),
        drifted,
        None if sure else "low_confidence",
    )


def _candidate(entry: Entry, asked: tuple[str, ...], rarity: Mapping[str, int]) -> Candidate:
    """Each feature asked for has a share of FULL by its rarity; a profile gets it by its weight."""
    whole = sum(rarity.get(feature, rarity[""]) for feature in asked) or 1
    weights = entry.features

    def share(feature: str) -> int:
        return FULL * rarity.get(feature, rarity[""]) // whole

    def gives(feature: str) -> int:
        return weights[feature] * share(feature) // FULL

    matched = tuple(
        Matched(feature, weights[feature], share(feature), gives(feature))
        for feature in asked
        if feature in weights
    )
    lowered = [
        Lowered("not_offered", feature, 0, share(feature), share(feature) // NOT_OFFERED)
        for feature in asked
        if feature not in weights
    ]
    lowered += [
        Lowered("not_asked", one, weights[one], share(one), gives(one) // NOT_ASKED)
        for one in sorted(weights)
        if one not in asked
    ]
    points = sum(one.points for one in matched) - sum(one.points for one in lowered)
    return Candidate(
        entry.skill,
        entry.skill_sha256,
        entry.profile_sha256,
        points,
        matched,
        tuple(feature for feature in asked if feature in entry.excludes),
        tuple(one for one in lowered if one.points),
    )


def _rarity(entries: Iterable[Entry]) -> Mapping[str, int]:
    """How much a feature tells: the fewer profiles have it, the more. Under "" that of none."""
    counts: dict[str, int] = {}
    number = 0
    for entry in entries:
        number += 1
        for feature in entry.features:
            counts[feature] = counts.get(feature, 0) + 1
    found = {feature: isqrt(number * 100 // count) for feature, count in counts.items()}
    return found | {"": isqrt(number * 100)}


def _order(candidate: Candidate) -> tuple[int, str, str, str]:
    """The best first; ties by name and hashes, which are the same on every machine (S7)."""
    return -candidate.score, candidate.skill, candidate.skill_sha256, candidate.profile_sha256
