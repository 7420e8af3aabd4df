"""S4, S5, S6, S8: the index file, what drifted, and that only ids of closed lists are asked."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from state.errors import BadInput, NotCommitted, Refused
from state.routing import building, roots, skill_index
from state.routing.ask import FEATURES_LIMIT, check_features
from state.routing.commands import Suggest
from state.routing.drift import LIMIT, sha256_of
from state.routing.inventory import take
from state.routing.router import ROUTER_VERSION
from state.routing.samples import samples
from state.routing.skill_index import SkillIndex, Unusable
from state.routing.vocabulary import FEATURES, VOCABULARY_VERSION
from tests.state.routing_support import BUILD, DEBUG, DOCX, PYTHON, TEST, Desk, write_skill
from tests.state.world import World

PROMPT = "please look into ~/secrets and tell me the canary-4711"


@pytest.fixture
def desk(world: World, tmp_path: Path) -> Desk:
    """Six skills with profiles, and one without."""
    made = Desk(world, tmp_path)
    for skill, features in {
        "docx": {DOCX: 1000},
        "fix": {DEBUG: 900, PYTHON: 500},
        "probe": {TEST: 900},
        "draw": {"action.draw": 900},
        "plan": {"action.plan": 900},
        "ship": {"action.deploy": 900},
    }.items():
        write_skill(made.skills, skill, features)
    bare = made.skills / "bare"
    bare.mkdir()
    (bare / "SKILL.md").write_text("---\nname: bare\ndescription: no profile\n---\n")
    made.index()
    return made


def loaded(desk: Desk) -> SkillIndex:
    found = skill_index.load(desk.world.paths)
    assert isinstance(found, SkillIndex)
    return found


def fallback(desk: Desk, *features: str) -> str | None:
    return desk.ask(*features).answer.fallback


@pytest.mark.rule("S4")
def test_the_index_holds_valid_profiles_only_with_every_hash(desk: Desk) -> None:
    write_skill(desk.skills, "bossy", {BUILD: 900}, router="mine")
    desk.index()
    index = loaded(desk)
    assert [one.skill for one in index.entries] == ["docx", "draw", "fix", "plan", "probe", "ship"]
    assert (index.router, index.vocabulary) == (ROUTER_VERSION, VOCABULARY_VERSION)
    for one in index.entries:
        folder = desk.skills / one.skill
        for name, digest in (("SKILL.md", one.skill_sha256), ("routing.json", one.profile_sha256)):
            assert sha256((folder / name).read_bytes()).hexdigest() == digest
    stored = json.loads(Path(desk.world.paths.skill_index).read_bytes())
    assert set(stored) == {"schema", "mode", "router", "vocabulary", "entries", "sha256", "built"}
    # A picture of metadata: no field says that a skill could be used.
    assert set(stored["entries"][0]) == {
        *("skill", "features", "excludes", "platforms", "requires", "profile_version", "promoted"),
        *("path", "skill_sha256", "profile_sha256"),
    }


@pytest.mark.rule("S4")
def test_the_same_profiles_give_the_same_file(desk: Desk) -> None:
    before = Path(desk.world.paths.skill_index).read_bytes()
    built = desk.world.clock.now()
    desk.index()
    assert Path(desk.world.paths.skill_index).read_bytes() == before
    index = loaded(desk)
    desk.world.clock.move(minutes=1)
    desk.index()
    # Later it differs in the time alone, which is no part of what it is called by.
    assert loaded(desk) == index
    assert (index.built, loaded(desk).built) == (built, desk.world.clock.now())
    assert skill_index.make(index.entries[::-1]) == index
    twin = replace(index.entries[0], path="/elsewhere/SKILL.md")
    assert len(skill_index.make([*index.entries, twin]).entries) == len(index.entries)


@pytest.mark.rule("S4", "S8")
@pytest.mark.parametrize("name", ["SKILL.md", "routing.json"])
def test_an_entry_whose_file_changed_is_not_suggested(desk: Desk, name: str) -> None:
    assert desk.ask(DEBUG, PYTHON).answer.candidates[0].skill == "fix"
    path = desk.skills / "fix" / name
    before = path.read_bytes()
    path.write_bytes(before + b" ")
    answer = desk.ask(DEBUG, PYTHON).answer
    assert answer.drifted == ("fix",)
    assert answer.fallback == "low_confidence"
    path.unlink()
    assert desk.ask(DEBUG, PYTHON).answer.drifted == ("fix",)
    path.write_bytes(before)
    assert desk.ask(DEBUG, PYTHON).answer.drifted == ()


@pytest.mark.rule("S4")
@pytest.mark.parametrize("raw", [b"caf\xe9", b"back\\slash", "café".encode()])
def test_the_inventory_says_what_drifted_whatever_its_path(desk: Desk, raw: bytes) -> None:
    folder = write_skill(desk.skills, "odd", {BUILD: 1}).rename(desk.skills / os.fsdecode(raw))
    desk.index()

    def status() -> str:
        indexed = skill_index.hashes(desk.world.paths)
        found = take(roots.given([str(desk.skills)]), indexed=indexed).skills
        return next(one.status for one in found if one.name == "odd")

    assert status() == "profiled"
    with (folder / "SKILL.md").open("a") as file:
        file.write("more")
    assert status() == "drifted"


@pytest.mark.rule("S4")
def test_a_file_that_grew_too_large_has_drifted_and_is_not_read(desk: Desk) -> None:
    path = desk.skills / "fix" / "SKILL.md"
    os.truncate(path, LIMIT)
    assert sha256_of(str(path)) == sha256(path.read_bytes()).hexdigest()
    os.truncate(path, LIMIT + 1)
    assert sha256_of(str(path)) is None
    assert desk.ask(DEBUG, PYTHON).answer.drifted == ("fix",)


@pytest.mark.rule("S8")
def test_more_than_one_in_five_drifted_makes_the_index_outdated(desk: Desk) -> None:
    known = loaded(desk).sha256
    for skill in ("docx", "fix"):
        (desk.skills / skill / "SKILL.md").write_text("changed")
    asked = desk.ask(TEST)
    assert (asked.answer.fallback, asked.index) == ("index_outdated", known)
    desk.index()
    assert fallback(desk, TEST) is None


@pytest.mark.rule("S8")
def test_one_in_five_is_not_more_than_that(desk: Desk) -> None:
    (desk.skills / "ship" / "routing.json").unlink()
    desk.index()
    (desk.skills / "docx" / "SKILL.md").write_text("changed")
    assert len(loaded(desk).entries) == 5
    assert fallback(desk, TEST) is None


@pytest.mark.rule("S8")
def test_without_a_sound_index_the_answer_is_a_fallback(desk: Desk) -> None:
    path = Path(desk.world.paths.skill_index)
    whole = path.read_bytes()
    assert fallback(desk, TEST) is None
    for broken in (
        b"",
        b"{}",
        whole[:-1],
        whole[:-200],
        whole + b"x",
        whole.replace(b"fix", b"fox"),
        whole.replace(b'"built":"2', b'"built":"x'),
        whole.replace(b'+00:00"}', b'+01:00"}'),
    ):
        path.write_bytes(broken)
        asked = desk.ask(TEST)
        assert (asked.answer.fallback, asked.answer.candidates) == ("index_damaged", ())
    path.unlink()
    assert fallback(desk, TEST) == "index_missing"
    path.mkdir()
    assert fallback(desk, TEST) == "index_damaged"
    with pytest.raises(NotCommitted):
        desk.index()


@pytest.mark.rule("S5", "S8")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (ROUTER_VERSION, "router-0", "index_outdated"),
        (VOCABULARY_VERSION, "vocabulary-0", "index_outdated"),
        ('"mode":"shadow"', '"mode":"live"', "index_damaged"),
        ('"action.debug":900', '"action.debug":1001', "index_damaged"),
        ('"action.debug":900', '"action.debug":9.5', "index_damaged"),
        ('"action.debug":900', '"my.own":900', "index_damaged"),
        ('"promoted":false', '"promoted":0', "index_damaged"),
        ('"excludes":[]', '"excludes":[1]', "index_damaged"),
        ('"skill":"fix"', '"skill":7', "index_damaged"),
        ('"skill":"fix"', '"name":"fix"', "index_damaged"),
        ('"entries":[', '"entries":["docx",', "index_damaged"),
    ],
)
def test_a_sealed_index_of_another_kind_is_told_apart(
    desk: Desk, old: str, new: str, reason: str
) -> None:
    path = Path(desk.world.paths.skill_index)
    fields, _, tail = path.read_bytes().rpartition(b',"sha256":"')
    fields = fields.replace(old.encode(), new.encode(), 1)
    path.write_bytes(fields + b',"sha256":"' + sha256(fields).hexdigest().encode() + tail[64:])
    found = skill_index.load(desk.world.paths)
    assert isinstance(found, Unusable)
    assert found.reason == reason
    assert fallback(desk, TEST) == reason


@pytest.mark.rule("S5")
def test_live_is_refused(desk: Desk) -> None:
    asked = desk.ask(DEBUG)
    desk.world.refused("S5", Suggest("r1", asked, mode="live"), "codex")
    assert desk.suggest("r1", DEBUG)["mode"] == "shadow"


@pytest.mark.rule("S6")
@pytest.mark.parametrize("given", [PROMPT, "action.build ", "Action.Build", "action.invented", ""])
def test_only_ids_of_the_vocabulary_are_taken(desk: Desk, given: str) -> None:
    before = desk.world.log()
    with pytest.raises(Refused) as caught:
        desk.suggest("r1", BUILD, given)
    assert caught.value.rule == "S6"
    assert not given.strip() or given not in caught.value.message + caught.value.hint
    with pytest.raises(Refused):
        desk.suggest("r1", sample=given or "s-00")
    # A command that was made past the question is looked at again.
    asked = replace(desk.ask(BUILD), features=(BUILD, given))
    with pytest.raises(Refused):
        Suggest("r1", asked)
    assert desk.world.log() == before


@pytest.mark.rule("S6")
def test_a_prompt_is_no_request(desk: Desk) -> None:
    asked = desk.ask(BUILD)
    for given in (PROMPT, "", "a" * 201, "-r", "r\n"):
        with pytest.raises(BadInput) as caught:
            Suggest(given, asked)
        assert "canary" not in caught.value.message


@pytest.mark.rule("S6")
def test_a_sample_stands_for_its_features(desk: Desk) -> None:
    sample = samples()[0]
    asked = desk.ask(sample=sample.id)
    assert asked.features == tuple(sorted(sample.features))
    op = desk.suggest("r1", sample=sample.id)
    assert (op["sample"], op["features"]) == (sample.id, sorted(sample.features))
    assert sample.text.encode() not in desk.world.log()


def test_features_or_a_sample_and_not_too_many(desk: Desk) -> None:
    with pytest.raises(BadInput):
        desk.ask()
    with pytest.raises(BadInput):
        desk.ask(BUILD, sample="s-01")
    with pytest.raises(BadInput):
        check_features(tuple(FEATURES)[: FEATURES_LIMIT + 1])
    assert check_features((TEST, BUILD, TEST)) == (BUILD, TEST)


def test_the_longest_explanation_fits_into_a_line(desk: Desk) -> None:
    longest = sorted(FEATURES, key=len, reverse=True)
    asked, others = longest[:FEATURES_LIMIT], longest[FEATURES_LIMIT : FEATURES_LIMIT + 63]
    for number in range(12):
        folder = f"{'x' * 60}{number}"
        offered = dict.fromkeys((asked[number], *others), 1000)
        excludes = [asked[number + 1]] if number % 2 else []
        write_skill(desk.skills, folder, offered, excludes=excludes)
    desk.index()
    op = desk.suggest("r1", *asked)
    assert (len(op["candidates"]), len(op["excluded"])) == (5, 2)
    assert max(len(one["lowered"]) for one in op["candidates"]) == 63 + FEATURES_LIMIT - 1


def test_a_folder_of_profiles_needs_no_skills(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    with pytest.raises(BadInput):
        building.of_folder(str(folder))
    (folder / "docx.json").write_bytes((desk.skills / "docx" / "routing.json").read_bytes())
    (one,) = building.of_folder(str(folder))
    assert (one.skill, one.skill_sha256) == ("docx", "")
    (folder / "odd.json").write_text('{"router": 1}')
    with pytest.raises(BadInput) as caught:
        building.of_folder(str(folder))
    assert "odd.json" in caught.value.message
    with pytest.raises(BadInput):
        building.of_folder(str(tmp_path / "nowhere"))
