"""A profile proposed from the text of a skill."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.routing.draft import MOST_FEATURES, READ, draft
from state.routing.profiles import Profile, check
from state.routing.shipped import shipped
from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION

PGTUNE = """# Tuning

Find slow queries in a PostgreSQL database and look at their plans.
Run `pip install slowlog`.

```sql
-- kubernetes kubernetes kubernetes
```

## Do not use this skill when

- Redis or caching is meant. Caching is another matter; so is a cache.

## Steps

Look at every index of the PostgreSQL table.
"""


def features(name: str = "", description: str = "", body: str = "") -> dict[str, int]:
    weights: dict[str, int] = draft(name, description, body)["features"]
    return weights


def test_a_draft_is_a_right_profile() -> None:
    profile = check(orjson.dumps(draft("slow-queries", "Optimization for PostgreSQL.", PGTUNE)))
    assert isinstance(profile, Profile)
    assert (profile.skill, profile.vocabulary) == ("slow-queries", VOCABULARY_VERSION)
    assert {"domain.database", "action.optimize"} <= dict(profile.features).keys()
    assert profile.requires == ("python",)
    assert (profile.excludes, profile.platforms, profile.promoted_from) == ((), (), None)


def test_a_name_says_more_than_a_description_and_that_more_than_a_body() -> None:
    named = features("docker", "Reviews code.", "About databases: a database.")
    assert named["platform.docker"] > named["action.review"] > named["domain.database"]


def test_what_is_said_of_other_things_and_code_does_not_count() -> None:
    found = features("slow-queries", "Query optimization for PostgreSQL databases.", PGTUNE)
    assert "topic.caching" not in found
    assert "platform.kubernetes" not in found
    assert "topic.caching" in features(body="Caching comes first. A cache is near.")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Clear the storage of a vessel", "topic.rag"),
        ("Dependency injection in large programs", "topic.injection"),
        ("Dependency injection in large programs", "topic.dependency"),
        ("Integration tests for payment", "action.integrate"),
        ("Something new for you", "topic.lookup"),
        ("The rest of the work", "topic.rest-api"),
        ("Let the go of it", "lang.go"),
    ],
)
def test_a_word_inside_another_word_or_phrase_is_not_meant(text: str, wrong: str) -> None:
    assert wrong not in features(description=text, body=text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Writes C# for ASP.NET.", {"lang.csharp", "framework.dotnet"}),
        ("Unit-Testing mit PYTEST", {"topic.unit-test", "tool.pytest"}),
        ("Databases and smart contracts", {"domain.database", "domain.blockchain"}),
        ("检查登录和限流，防止注入攻击", {"topic.auth", "topic.rate-limit", "topic.injection"}),
    ],
)
def test_plurals_signs_cases_and_chinese_are_read(text: str, meant: set[str]) -> None:
    assert meant <= set(features(description=text))


def test_at_most_twelve_and_the_weightiest_first() -> None:
    everything = " ".join(phrase for phrases in shipped("keywords").values() for phrase in phrases)
    found = list(features("python-tests", everything, everything).values())
    assert len(found) == MOST_FEATURES
    assert found == sorted(found, reverse=True)


def test_only_the_first_64_kib_are_read() -> None:
    late = "x" * READ + " kubernetes kubernetes kubernetes"
    assert features(body=late) == {}
    assert "platform.kubernetes" in features(body=late[-READ:])


def test_each_feature_has_keywords_and_each_keyword_a_feature() -> None:
    table: dict[str, list[str]] = shipped("keywords")
    assert list(table) == list(FEATURES)
    for phrases in table.values():
        assert phrases
        assert all(phrase == phrase.strip().casefold() and phrase for phrase in phrases)


@settings(max_examples=40)
@given(st.text(), st.text(), st.text())
def test_any_text_gives_a_draft_and_always_the_same(name: str, told: str, body: str) -> None:
    proposed = draft(name, told, body)
    assert proposed == draft(name, told, body)
    assert set(proposed["features"]) <= set(FEATURES)
    assert all(1 <= weight <= 1000 for weight in proposed["features"].values())


def test_odd_text_is_no_trouble() -> None:
    odd = "\0\ud800 ``` ~~~ **" + "#" * 1000 + "\r\u2028" + " " * 70_000
    proposed = draft(odd, odd, odd)
    assert proposed["features"] == {}
    assert orjson.loads(orjson.dumps(proposed)) == proposed
