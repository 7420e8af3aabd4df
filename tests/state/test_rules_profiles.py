"""S3: a routing.json is a profile to the letter, or refused with each reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.routing import profile_shape, profiles
from state.routing.profiles import Profile, ProfileProblem, Promotion, check
from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION
from tests.state.skills_made import by_folder, make, profile, profiled, taken

FIRST, SECOND, THIRD, *_ = FEATURES
FIELDS = tuple(profile("x"))


def checked(fields: Any, skill: str | None = "mine") -> Profile | tuple[ProfileProblem, ...]:
    raw = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    return check(raw, skill)


def refused(fields: Any, skill: str | None = "mine") -> dict[str, str]:
    """Field -> what is wrong with it; there is something."""
    found = checked(fields, skill)
    assert isinstance(found, tuple)
    assert found
    assert all(one.what for one in found)
    return {one.field: one.what for one in found}


@pytest.mark.rule("S3")
def test_a_valid_profile_is_taken_as_it_stands() -> None:
    weights = {SECOND: 1, FIRST: 1000}
    found = checked(profile("mine", features=weights, excludes=[THIRD]))
    assert found == Profile(
        skill="mine",
        profile_version=1,
        vocabulary=VOCABULARY_VERSION,
        features=tuple(sorted(weights.items())),
        excludes=(THIRD,),
        platforms=("linux",),
        requires=("git",),
        promoted_from=None,
    )
    assert found.weights() == weights
    assert not found.is_promoted
    promoted = {"candidate": "c-1", "decision": "d-1"}
    found = checked(profile("mine", promoted_from=promoted))
    assert isinstance(found, Profile)
    assert (found.promoted_from, found.is_promoted) == (Promotion("c-1", "d-1"), True)
    without = profile("mine")
    del without["promoted_from"]
    assert isinstance(checked(without), Profile)


@pytest.mark.rule("S3")
@pytest.mark.parametrize("field", [field for field in FIELDS if field != "promoted_from"])
def test_a_field_that_is_missing_or_of_another_type_is_refused(field: str) -> None:
    without = profile("mine")
    del without[field]
    assert set(refused(without)) == {field}
    values: tuple[object, ...] = (None, True, 1.5, [[]], {"a": {}})
    for value in values:
        assert any(name.startswith(field) for name in refused(profile("mine", **{field: value})))


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    "key",
    [
        *("router", "live", "mode", "threshold", "override", "router_version", "routerOverride"),
        *("overrides", "shadow", "routing", "THRESHOLD", "default-mode", "fallback_target"),
    ],
)
def test_whatever_would_steer_the_router_is_refused_and_says_why(key: str) -> None:
    for fields in (
        profile("mine", **{key: 1}),
        profile("mine", features={FIRST: 1, key: 5}),
        profile("mine", requires=[{key: "x"}]),
        profile("mine", promoted_from={"candidate": "c", "decision": "d", key: {}}),
    ):
        (what,) = [what for field, what in refused(fields).items() if field.endswith(key)]
        assert "set or override the router" in what
        assert "one central router" in what


@pytest.mark.rule("S3")
def test_unknown_keys_and_the_value_live_are_refused() -> None:
    assert refused(profile("mine", colour="red")) == {
        "colour": "there is no such field in a profile"
    }
    promoted = {"candidate": "c", "decision": "d", "by": "me"}
    assert set(refused(profile("mine", promoted_from=promoted))) == {"promoted_from.by"}
    assert "every suggestion is shadow" in refused(profile("mine", state="live"))["state"]


@pytest.mark.rule("S3")
@pytest.mark.parametrize("weight", [0, 1001, -1, 1.0, "5", True, None, 2**53, 2**64, 10**40])
def test_weights_are_whole_numbers_from_1_to_1000(weight: object) -> None:
    assert f"features.{FIRST}" in refused(profile("mine", features={FIRST: weight}))


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("changes", "field", "what", "hint"),
    [
        ({"profile_version": 0}, "profile_version", "greater", "whole number from 1 on"),
        ({"profile_version": "1"}, "profile_version", "no whole number", "whole number from 1 on"),
        ({"features": {FIRST: 0}}, f"features.{FIRST}", "greater", "from 1 to 1000"),
        ({"features": {FIRST: True}}, f"features.{FIRST}", "no whole number", "from 1 to 1000"),
        ({"features": {}}, "features", "it is empty", ""),
        ({"features": []}, "features", "it is no object", ""),
        ({"excludes": {}}, "excludes", "it is no list", ""),
        ({"skill": ""}, "skill", "it is an empty text", ""),
        ({"skill": 7}, "skill", "it is no text", ""),
        ({"requires": ["x" * 300]}, "requires.0", "more than 256 characters", ""),
        ({"promoted_from": "c1"}, "promoted_from", "it is no object", "candidate and decision"),
        (
            {"promoted_from": {"candidate": "c1"}},
            *("promoted_from.decision", "it is missing", "candidate and decision"),
        ),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_a_profile(
    changes: dict[str, Any], field: str, what: str, hint: str
) -> None:
    found = checked(profile("mine", **changes))
    assert isinstance(found, tuple)
    assert [one.field for one in found] == [field]
    assert what in found[0].what
    assert hint in found[0].hint
    assert "Promotion" not in found[0].what


@pytest.mark.rule("S3")
def test_features_are_ids_of_the_closed_vocabulary() -> None:
    near = FIRST[:-1]
    found = checked(profile("mine", features={near: 5}))
    assert isinstance(found, tuple)
    assert found[0].field == f"features.{near}"
    assert FIRST in found[0].hint
    assert f"excludes.{near}" in refused(profile("mine", excludes=[near]))
    assert set(refused(profile("mine", features={}))) == {"features"}
    many = dict.fromkeys(list(FEATURES)[:65], 1)
    assert set(refused(profile("mine", features=many))) == {"features"}
    assert set(refused(profile("mine", vocabulary="vocabulary-0"))) == {"vocabulary"}
    assert f"excludes.{FIRST}" in refused(profile("mine", excludes=[FIRST]))
    assert set(refused(profile("mine", excludes=[THIRD, THIRD]))) == {"excludes"}
    assert set(refused(profile("mine", platforms=["dos"]))) == {"platforms.0"}


@pytest.mark.rule("S3")
def test_a_profile_is_about_the_skill_beside_it() -> None:
    assert set(refused(profile("other"))) == {"skill"}
    assert isinstance(checked(profile("other"), None), Profile)


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "not one JSON object"),
        (b'"text"', "not one JSON object"),
        (b"{} {}", "not JSON"),
        (b"\xff{}", "not UTF-8 at offset 0"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8"),
        (b'{"x":' * 5 + b"1" + b"}" * 5, "nested deeper than 4 levels"),
        (b"[" * 60_000, "nested deeper than 4 levels"),
        (b'{"a":' * 10_000, "nested deeper than 4 levels"),
        (b" " * 65_537, "more than 65,536 bytes"),
        (b'{"x":NaN}', "NaN is no whole number"),
        (b'{"x":-Infinity}', "-Infinity is no whole number"),
        (b'{"x":1e400}', "1e400 is no whole number"),
        (b'{"x":' + b"9" * 60_000 + b"}", "no whole number"),
        (b'{"x":"\\ud800"}', "not valid Unicode"),
        (b'{"\\ud800":1}', "not valid Unicode"),
        (b'{"\\ud800router":1}', "not valid Unicode"),
        (b'{"\\ud800":1,"\\ud800":1}', "stands twice"),
    ],
)
def test_bytes_that_are_no_strict_json_are_refused(raw: bytes, said: str) -> None:
    found = checked(raw)
    assert isinstance(found, tuple)
    assert said in found[0].what
    for one in found:
        orjson.dumps(one)


@pytest.mark.rule("S3")
def test_a_key_may_stand_once() -> None:
    raw = orjson.dumps(profile("mine"))
    for key, again in (("skill", b'"skill":"mine",'), ("features", b'"features":{},')):
        assert key in refused(raw.replace(b"{", b"{" + again, 1))
    inner = raw.replace(b'"features":{', b'"features":{"%b":5,' % FIRST.encode())
    assert FIRST in refused(inner)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(FIELDS), anything)
def test_whatever_stands_in_a_field_the_answer_is_a_profile_or_reasons(
    field: str, value: object
) -> None:
    found = checked(profile("mine", **{field: value}))
    if isinstance(found, tuple):
        assert found
        orjson.dumps(found)
    else:
        assert found.skill == "mine"


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_with_a_reason(raw: bytes) -> None:
    assert isinstance(check(raw), tuple)


@pytest.mark.rule("S3")
def test_the_state_of_a_skill_follows_from_its_profile(tmp_path: Path) -> None:
    make(tmp_path, "plain")
    profiled(tmp_path, "fine")
    profiled(tmp_path, "steering", router={"threshold": 1})
    profiled(tmp_path, "broken")
    (tmp_path / "broken" / "SKILL.md").write_bytes(b"no front matter")
    profiled(tmp_path, "linked")
    aside = tmp_path.parent / f"{tmp_path.name}-aside.json"
    (tmp_path / "linked" / "routing.json").rename(aside)
    (tmp_path / "linked" / "routing.json").symlink_to(aside)
    (make(tmp_path, "folder") / "routing.json").mkdir()
    (make(tmp_path, "huge") / "routing.json").write_bytes(b" " * (1 << 20))
    found = by_folder(taken(tmp_path))
    assert {name: skill.status for name, skill in found.items()} == {
        "plain": "unclassified",
        "fine": "profiled",
        "steering": "refused",
        "broken": "broken",
        "linked": "refused",
        "folder": "refused",
        "huge": "refused",
    }
    for name, skill in found.items():
        assert (skill.profile is not None) is (name in ("fine", "broken"))
        assert bool(skill.profile_problems) is (skill.status == "refused")
    assert "follow" in found["linked"].profile_problems[0].what
    assert found["fine"].profile_sha256 is not None
    assert found["huge"].profile_sha256 is None


@pytest.mark.rule("S3")
def test_the_json_schema_says_what_the_check_does() -> None:
    schema = profile_shape.json_schema()
    assert set(schema["properties"]) == set(FIELDS) == set(profiles.FIELDS)
    assert set(schema["required"]) == set(FIELDS) - {"promoted_from"}
    assert schema["additionalProperties"] is False
    features = schema["properties"]["features"]
    assert set(features["properties"]) == set(FEATURES)
    assert features["additionalProperties"] is False
    assert schema["properties"]["vocabulary"]["const"] == VOCABULARY_VERSION
    assert schema["properties"]["schema"]["const"] == profiles.SCHEMA
