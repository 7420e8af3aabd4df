"""S7, S8, S9: the router's answers, explained, the same everywhere, and its fallbacks."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace
from hashlib import sha256

import orjson
import pytest

from state.routing import router
from state.routing.router import Answer, Candidate, Entry, Lowered, Matched, suggest
from state.routing.vocabulary import FEATURES
from tests.state.routing_support import BUILD, DEBUG, DOCX, PYTHON, TEST, entry
from tests.support import ROOT, environment

ENTRIES = (
    entry("docx", artifact_word_document=1000, action_edit=600),
    entry("fix", action_debug=900, lang_python=700),
    entry("probe", action_test=900, lang_python=700),
    entry("no-tests", (TEST,), action_debug=950, lang_python=800),
)

PRINT = """
import sys
import orjson
from tests.state.test_rules_routing_router import ENTRIES
from state.routing.router import suggest
answers = [suggest(ENTRIES, set(sys.argv[1:])), suggest(ENTRIES[::-1], sys.argv[1:])]
sys.stdout.buffer.write(orjson.dumps(answers))
"""


def names(answer: Answer) -> list[str]:
    return [one.skill for one in answer.candidates]


@pytest.mark.rule("S7")
def test_an_answer_explains_itself_to_the_last_point() -> None:
    answer = suggest(ENTRIES, (DEBUG, PYTHON))
    assert names(answer)[:2] == ["no-tests", "fix"]
    for one in answer.candidates:
        assert one.score == sum(part.points for part in one.matched) - sum(
            part.points for part in one.lowered
        )
        for matched in one.matched:
            assert matched.points == matched.weight * matched.share // 1000
            weights = next(entry.features for entry in ENTRIES if entry.skill == one.skill)
            assert weights[matched.feature] == matched.weight
    fix = answer.candidates[1]
    assert [part.feature for part in fix.matched] == [DEBUG, PYTHON]
    probe = next(one for one in answer.candidates if one.skill == "probe")
    lowered = {(part.what, part.feature) for part in probe.lowered}
    assert lowered == {("not_offered", DEBUG), ("not_asked", TEST)}


@pytest.mark.rule("S7")
def test_what_a_profile_excludes_is_no_candidate_and_is_named() -> None:
    answer = suggest(ENTRIES, (DEBUG, PYTHON, TEST))
    assert "no-tests" not in names(answer)
    (excluded,) = answer.excluded
    assert (excluded.skill, excluded.excluded_by) == ("no-tests", (TEST,))
    assert excluded.matched


@pytest.mark.rule("S7")
def test_ties_are_broken_by_name_whatever_the_order() -> None:
    same = [entry(name, action_build=800) for name in ("b", "c", "a")]
    for order in (same, same[::-1], sorted(same, key=lambda one: one.skill)):
        assert names(suggest(order, (BUILD,))) == ["a", "b", "c"]
    twins = [replace(entry("a", action_build=800), skill_sha256=letter) for letter in "zyx"]
    found = suggest(twins, (BUILD,)).candidates
    assert [one.skill_sha256 for one in found] == ["x", "y", "z"]


@pytest.mark.rule("S7")
def test_the_same_index_and_input_give_the_same_bytes_in_every_process() -> None:
    said = set()
    for seed in ("0", "1", "4242"):
        for features in ((DEBUG, PYTHON, DOCX), (PYTHON, DOCX, DEBUG, DEBUG)):
            done = subprocess.run(
                [sys.executable, "-c", PRINT, *features],
                env=environment({"PYTHONHASHSEED": seed}),
                cwd=ROOT,
                capture_output=True,
                check=True,
            )
            said.add(done.stdout)
    assert len(said) == 1
    first, second = orjson.loads(said.pop())
    assert first == second


@pytest.mark.rule("S4", "S7")
def test_another_answer_is_another_version() -> None:
    """Whoever changes what the router says gives it another version, and then this number."""
    asked = ((DEBUG, PYTHON), (TEST, PYTHON), (DEBUG, PYTHON, TEST), (BUILD,), (DOCX, DEBUG))
    said = orjson.dumps([suggest(ENTRIES, features) for features in asked])
    known = {"router-1": "34a3b6e6c8c2f542a79e38e3f804202024a4711876d528e60e3b59b779dc3374"}
    assert known[router.ROUTER_VERSION] == sha256(said).hexdigest()


@pytest.mark.rule("S7")
def test_every_number_is_whole() -> None:
    answer = suggest(ENTRIES, tuple(FEATURES)[:16])
    for one in (*answer.candidates, *answer.excluded):
        parts: tuple[Matched | Lowered, ...] = (*one.matched, *one.lowered)
        numbers = [number for part in parts for number in (part.weight, part.share, part.points)]
        assert all(type(number) is int for number in (one.score, *numbers))
    assert type(router.THRESHOLD) is int


@pytest.mark.rule("S8")
def test_below_the_threshold_nothing_is_suggested() -> None:
    at = router.THRESHOLD
    exactly, below = entry("a", action_build=at), entry("a", action_build=at - 1)
    assert suggest([exactly], (BUILD,)).fallback is None
    answer = suggest([below], (BUILD,))
    assert answer.fallback == "low_confidence"
    assert [(one.skill, one.score) for one in answer.candidates] == [("a", at - 1)]
    assert suggest([], (BUILD,)).fallback == "low_confidence"


@pytest.mark.rule("S8")
def test_an_answer_costs_no_more_than_its_budget() -> None:
    answer = suggest(ENTRIES, (DEBUG,), budget=5)
    assert (answer.fallback, answer.candidates) == ("timeout", ())
    cost = sum(2 + len(one.features) + len(one.excludes) for one in ENTRIES)
    assert suggest(ENTRIES, (DEBUG,), budget=cost).fallback is None
    assert suggest(ENTRIES, (DEBUG,), budget=cost - 1).fallback == "timeout"


@pytest.mark.rule("S8")
@pytest.mark.parametrize("weight", ["heavy", None, [1]])
def test_an_index_that_can_not_be_reckoned_with_is_a_fallback(weight: object) -> None:
    broken = Entry("odd", {BUILD: weight})  # type: ignore[dict-item]
    answer = suggest([*ENTRIES, broken], (BUILD,))
    assert (answer.fallback, answer.candidates, answer.excluded) == ("crashed", (), ())


@pytest.mark.rule("S4", "S8")
def test_what_drifted_is_left_out_and_named() -> None:
    drifted = frozenset({"/skills/fix/SKILL.md"})
    answer = suggest(ENTRIES, (DEBUG, PYTHON), drifted=drifted)
    assert "fix" not in names(answer)
    assert (answer.drifted, answer.considered) == (("fix",), 3)
    assert answer.fallback is None


@pytest.mark.rule("S9")
def test_an_answer_holds_nothing_but_names_and_numbers() -> None:
    """Nothing that could be run, opened or granted: what a skill requires is not even in it."""
    risky = replace(
        ENTRIES[1], requires=("a-tool",), platforms=("linux",), path="/skills/fix/SKILL.md"
    )
    answer = suggest([risky], (DEBUG, PYTHON))
    assert {field.name for field in fields(Candidate)} == {
        *("skill", "skill_sha256", "profile_sha256", "score", "matched", "excluded_by", "lowered")
    }
    assert b"/skills" not in orjson.dumps(answer)
    assert b"a-tool" not in orjson.dumps(answer)
