"""The strict check of a `routing.json`: a frozen profile, or everything that is wrong with it (S3).

The shape stands in `profile_shape`, which pydantic checks and gives as a JSON Schema. Here is what
a shape can't say: the bytes, the closed vocabulary, and that a skill brings no router of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from state import strict_json
from state.errors import BadInput
from state.journal.storable import check_storable
from state.routing.notes import clean
from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION

SCHEMA = "skill-routing-profile-v1"
LIMIT = 64 * 1024
DEPTH_LIMIT = 4
SHOWN = 300
FIELDS = (
    *("schema", "skill", "profile_version", "vocabulary", "features", "excludes", "platforms"),
    *("requires", "promoted_from"),
)
# Keys by which a profile might try to steer the router.
_STEERING = r"router|overrid|threshold|(?<![a-z])(?:live|mode|shadow|routing|fallback)(?![a-z])"


@dataclass(frozen=True, slots=True)
class Promotion:
    """The candidate that became this profile, and the decision by which it did."""

    candidate: str
    decision: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What a skill says of itself. `features` are (id, weight from 1 to 1000) in order of the id.

    `requires` are names of tools; they and `platforms` are shown, and grant nothing (S9).
    """

    skill: str
    profile_version: int
    vocabulary: str
    features: tuple[tuple[str, int], ...]
    excludes: tuple[str, ...]
    platforms: tuple[str, ...]
    requires: tuple[str, ...]
    promoted_from: Promotion | None

    def weights(self) -> dict[str, int]:
        """Feature id -> weight."""
        return dict(self.features)

    @property
    def is_promoted(self) -> bool:
        """Whether it names the candidate and decision that it comes from."""
        return self.promoted_from is not None


@dataclass(frozen=True, slots=True)
class ProfileProblem:
    """Why a profile is refused: the field (empty: the whole file), what is wrong, what to do."""

    field: str
    what: str
    hint: str = ""


def check(raw: bytes, skill: str | None = None) -> Profile | tuple[ProfileProblem, ...]:
    """S3: the profile in these bytes, or each thing that is wrong with it, in a fixed order.

    With `skill`, the name that the profile must be about.
    """
    try:
        data, found = strict_json.parsed(raw, LIMIT, DEPTH_LIMIT)
    except BadInput as error:
        return (ProfileProblem(error.field or "", error.message, error.hint),)
    problems = [ProfileProblem(*finding) for finding in found]
    if not isinstance(data, dict):
        return (ProfileProblem("", "it is not one JSON object", "write { … }"),)
    problems = problems or list(_storable(data))
    problems += _steering(data, "")
    if not problems:
        from state.routing import profile_shape

        problems += [ProfileProblem(*told) for told in profile_shape.misfits(data)]
    if not problems:
        problems += _meaning(data, skill)
    return tuple(dict.fromkeys(map(_short, problems))) if problems else _profile(data)


def _short(problem: ProfileProblem) -> ProfileProblem:
    """Of names and values that come from the file no more than can be shown and stored."""
    field, what = (clean(text[:SHOWN]) for text in (problem.field, problem.what))
    return ProfileProblem(field, what, problem.hint)


def _storable(data: Mapping[str, Any]) -> Iterator[ProfileProblem]:
    """Text that is no Unicode, and whole numbers that not every reader of JSON takes."""
    for key, value in data.items():
        try:
            check_storable(key, "a key", 0)
            check_storable(value, key, 0)
        except BadInput as error:
            yield ProfileProblem(error.field or "", error.message, error.hint)


def _steering(value: object, place: str) -> Iterator[ProfileProblem]:
    """S3, S4, S5: whatever would set or override the router, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            field = f"{place}.{key}" if place else key
            is_known = key in FIELDS or (place == "features" and key in FEATURES)
            if not is_known and re.search(_STEERING, key.lower()):
                yield ProfileProblem(
                    field,
                    "it would set or override the router; there is one central router, which"
                    " belongs to the panel, and no skill brings or overrides one",
                    "take it out: a profile says what the skill is for, nothing else",
                )
            elif not is_known and inner == "live":
                yield ProfileProblem(
                    field, "live is refused: every suggestion is shadow", "take it out"
                )
            else:
                yield from _steering(inner, field)
    elif isinstance(value, list):
        for place_in_list, inner in enumerate(value):
            yield from _steering(inner, f"{place}.{place_in_list}")


def _meaning(data: Mapping[str, Any], skill: str | None) -> Iterator[ProfileProblem]:
    """What is only right or wrong by what it names."""
    if data["vocabulary"] != VOCABULARY_VERSION:
        yield ProfileProblem(
            "vocabulary",
            f"it is written for {data['vocabulary']!r}, and here is {VOCABULARY_VERSION!r}",
            f"look at its features again, then write {VOCABULARY_VERSION!r}",
        )
    elif skill is not None and data["skill"] != skill:
        yield ProfileProblem(
            "skill",
            f"it is about {data['skill']!r}, and lies beside the skill {skill!r}",
            f"write {skill!r}, or put it where it belongs",
        )
    for name in ("features", "excludes"):
        for feature in data[name]:
            if feature not in FEATURES:
                yield ProfileProblem(
                    f"{name}.{feature}", f"{feature!r} is no feature", _near(feature)
                )
    for name in ("excludes", "platforms", "requires"):
        for value, count in Counter(data[name]).items():
            if count > 1:
                yield ProfileProblem(
                    name, f"{value!r} stands there {count} times", "once is enough"
                )
    for feature in data["excludes"]:
        if feature in data["features"]:
            yield ProfileProblem(
                f"excludes.{feature}", "it is among the features too", "leave it in one of them"
            )


def _near(feature: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(feature[:80], FEATURES, 1)
    known = f"{VOCABULARY_VERSION} is closed and has {len(FEATURES)} ids"
    return f"did you mean {near[0]}? {known}" if near else known


def _profile(data: Mapping[str, Any]) -> Profile:
    promoted = data.get("promoted_from")
    return Profile(
        skill=data["skill"],
        profile_version=data["profile_version"],
        vocabulary=data["vocabulary"],
        features=tuple(sorted(data["features"].items())),
        excludes=tuple(sorted(data["excludes"])),
        platforms=tuple(sorted(data["platforms"])),
        requires=tuple(data["requires"]),
        promoted_from=None if promoted is None else Promotion(**promoted),
    )
