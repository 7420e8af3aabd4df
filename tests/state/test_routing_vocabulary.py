"""The closed vocabulary, the frozen samples and the profiles that they are measured with."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from state.routing.profiles import Profile, check
from state.routing.samples import samples
from state.routing.shipped import shipped
from state.routing.vocabulary import (
    FEATURES,
    GROUPS,
    VOCABULARY_VERSION,
)
from tests.support import ROOT

PROFILES = ROOT / "benchmarks" / "profiles"
HAN = re.compile(r"[\u4e00-\u9fff]")


def profiles() -> list[Profile]:
    found = [check(path.read_bytes()) for path in sorted(PROFILES.glob("*.json"))]
    assert all(isinstance(profile, Profile) for profile in found), found
    return [profile for profile in found if isinstance(profile, Profile)]


def one_of_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys stand there once."""
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


def test_the_vocabulary_is_closed_orderly_and_has_a_version() -> None:
    assert re.fullmatch(r"vocabulary-[1-9]\d*", VOCABULARY_VERSION)
    assert list(FEATURES) == sorted(FEATURES)
    assert all(re.fullmatch(r"[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*", feature) for feature in FEATURES)
    assert {feature.partition(".")[0] for feature in FEATURES} == set(GROUPS)
    assert all(meaning and "\n" not in meaning for meaning in FEATURES.values())
    assert len(set(FEATURES.values())) == len(FEATURES)


@pytest.mark.parametrize("name", ["vocabulary", "samples", "keywords"])
def test_no_key_stands_twice_in_the_data(name: str) -> None:
    path = ROOT / "state" / "routing" / "data" / f"{name}.json"
    assert json.loads(path.read_text("utf-8"), object_pairs_hook=one_of_each) == shipped(name)


def test_there_are_39_samples_in_two_languages() -> None:
    assert shipped("samples")["version"] == "samples-1"
    assert [each.id for each in samples()] == [f"s-{number:02d}" for number in range(1, 40)]
    assert Counter(each.late for each in samples()) == {False: 26, True: 13}
    assert Counter(each.language for each in samples()) == {"en": 26, "zh": 13}
    assert all(bool(HAN.search(each.text)) == (each.language == "zh") for each in samples())
    assert len({each.text for each in samples()}) == 39


def test_samples_speak_of_known_features_and_of_profiled_skills() -> None:
    known = {profile.skill for profile in profiles()}
    for each in samples():
        assert each.features
        assert set(each.features) <= set(FEATURES)
        assert len(set(each.features)) == len(each.features)
        assert len(each.expected) <= 3
        assert set(each.expected) <= known
    assert sum(not each.expected for each in samples()) >= 5


def test_the_64_profiles_are_right_and_each_is_of_another_skill() -> None:
    found = profiles()
    assert len({profile.skill for profile in found}) == len(found) == 64
    for profile in found:
        weights = dict(profile.features)
        assert not set(weights) & set(profile.excludes)
        assert not profile.promoted_from
