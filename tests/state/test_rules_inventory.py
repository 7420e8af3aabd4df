"""S13: every skill is found and shown with what is odd about it and which are like it."""

from __future__ import annotations

import os
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml

from state.errors import NotFound
from state.routing import front_matter, inventory, roots, skill_file
from state.routing.notes import PROBLEMS
from state.routing.roots import Root
from tests.state.skills_made import (
    DAMAGE,
    by_folder,
    codes,
    damaged,
    front,
    good,
    make,
    profiled,
    taken,
)


@pytest.mark.rule("S13")
def test_every_kind_of_damage_is_a_note_on_its_row(tmp_path: Path) -> None:
    found = by_folder(taken(damaged(tmp_path)))
    assert set(found) == set(DAMAGE)
    for name, made in DAMAGE.items():
        skill = found[name]
        assert codes(skill) == set(made.notes), (name, skill.problems)
        assert (skill.status == "broken") is made.broken, name
        assert skill.status in ("broken", "unclassified")
        assert skill.sha256 == sha256(made.raw).hexdigest()
        assert skill.path == str(tmp_path / name / "SKILL.md")
    assert (found["no-name"].name, found["no-name"].named) == ("no-name", False)
    assert (found["42"].name, found["42"].named) == ("42", True)
    assert found["list-name"].name == "list-name"
    assert found["twice"].name == "twice"


def test_without_the_compiled_parser_the_notes_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = {name: front_matter.read(made.raw) for name, made in DAMAGE.items()}
    monkeypatch.setattr(front_matter, "_LOADER", yaml.SafeLoader)
    for name, made in DAMAGE.items():
        found, other = front_matter.read(made.raw), compiled[name]
        assert found[:2] == other[:2]
        if name != "deeper":  # each of the two has a limit of its own
            assert [one.code for one in found.problems] == [one.code for one in other.problems]


@pytest.mark.rule("S13")
def test_a_good_skill_has_no_note(tmp_path: Path) -> None:
    make(tmp_path, "good")
    (skill,) = taken(tmp_path).skills
    assert (skill.name, skill.description) == ("good", "Does one thing.")
    assert (skill.problems, skill.status, skill.duplicates) == ((), "unclassified", ())


@pytest.mark.rule("S13")
def test_names_of_the_file_and_of_folders_may_be_odd(tmp_path: Path) -> None:
    make(tmp_path, "lower", good("lower"), file="skill.md")
    make(tmp_path, "both")
    make(tmp_path, "both", b"other", file="skill.md")
    odd = os.fsdecode(b"caf\xe9")
    make(tmp_path, odd, good("cafe"))
    found = by_folder(taken(tmp_path))
    assert codes(found["lower"]) == {"file_name"}
    both = found["both"]
    # Where a file system tells the two apart, there are two.
    if len(os.listdir(both.folder)) == 2:
        assert codes(both) == {"two_files"}
        assert both.sha256 == sha256(good("both")).hexdigest()
    assert os.path.exists(found[odd].path)
    assert codes(found[odd]) == {"name_unlike_folder"}


@pytest.mark.rule("S13")
def test_skills_inside_skills_are_found_and_say_so(tmp_path: Path) -> None:
    make(tmp_path, "outer")
    make(tmp_path, "outer/deep/inner")
    make(tmp_path, "beside")
    found = by_folder(taken(tmp_path))
    assert {name: codes(skill) for name, skill in found.items()} == {
        "outer": set(),
        "inner": {"nested"},
        "beside": set(),
    }


@pytest.mark.rule("S13")
def test_duplicates_are_told_apart_by_name_bytes_and_form(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    make(one, "same")
    make(two, "same")
    make(one, "other")
    make(two, "other", good("other") + b"more")
    make(one, "copy", good("copy"))
    make(two, "copied", good("copy"))
    make(one, "fi", good("fi"))
    make(two, "ligature", good("ﬁ"))
    make(one, "Groß", good("Groß"))
    make(two, "gross", good("GROSS"))
    make(one, "no-name-1", front("description: x"))
    make(two, "no-name-1", front("description: y"))
    found = taken(one, two)
    said = {
        (group.by, group.same_bytes, tuple(sorted({found.skills[row].name for row in group.rows})))
        for group in found.groups
    }
    assert said == {
        ("name", True, ("same",)),
        ("bytes", True, ("same",)),
        ("name", False, ("other",)),
        ("name", True, ("copy",)),
        ("bytes", True, ("copy",)),
        ("folded", False, ("fi", "ﬁ")),
        ("folded", False, ("GROSS", "Groß")),
    }
    for place, skill in enumerate(found.skills):
        assert skill.duplicates == tuple(group for group in found.groups if place in group.rows)


@pytest.mark.rule("S13")
def test_a_large_file_is_hashed_up_to_a_limit_and_noted_above(tmp_path: Path) -> None:
    make(tmp_path, "five", good("five") + b"x" * (5 << 20))
    huge = make(tmp_path, "huge")
    with open(huge / "SKILL.md", "r+b") as file:
        file.truncate(200 << 20)
    found = by_folder(taken(tmp_path))
    assert (codes(found["five"]), found["five"].status) == (set(), "unclassified")
    assert found["five"].sha256 == sha256((tmp_path / "five/SKILL.md").read_bytes()).hexdigest()
    assert codes(found["huge"]) == {"too_large"}
    assert (found["huge"].sha256, found["huge"].size) == (None, 200 << 20)
    assert (found["huge"].name, found["huge"].status) == ("huge", "broken")


@pytest.mark.rule("S13")
def test_many_files_and_skills_of_one_name(tmp_path: Path) -> None:
    for number in range(300):
        make(tmp_path, f"s{number}", good("same"))
    crowd = tmp_path / "s0" / "files"
    crowd.mkdir()
    for number in range(2_000):
        (crowd / str(number)).touch()
    found = taken(tmp_path)
    assert len(found.skills) == 300
    assert [(group.by, len(group.rows)) for group in found.groups] == [
        ("name", 300),
        ("bytes", 300),
    ]


@pytest.mark.rule("S13")
def test_whether_its_host_would_load_it_is_said_where_known(tmp_path: Path) -> None:
    make(tmp_path, "good")
    make(tmp_path, "category/below")
    make(tmp_path, "odd", front("name: other", "description: x"))
    (tmp_path / "folder" / "SKILL.md").mkdir(parents=True)

    def loads(host: str) -> dict[str, object]:
        found = inventory.take([Root(str(tmp_path), "user", host)])
        return {name: skill.loads for name, skill in by_folder(found).items()}

    def answers(good: str, below: str) -> dict[str, Any]:
        return {"good": good, "below": below, "odd": "not known", "folder": "no"}

    for host, said in (
        ("claude-code", answers("yes", "not known")),
        ("hermes", answers("not known", "yes")),
    ):
        assert loads(host) == {name: {host: answer} for name, answer in said.items()}
    assert set(map(str, loads("").values())) == {"{}"}


def test_one_folder_alone(tmp_path: Path) -> None:
    make(tmp_path, "outer")
    make(tmp_path, "outer/inner", b"broken")
    skill = inventory.one(str(tmp_path / "outer"))
    assert skill is not None
    assert (skill.name, skill.is_unfit) == ("outer", False)
    broken = inventory.one(str(tmp_path / "outer" / "inner"))
    assert broken is not None
    assert broken.is_unfit
    assert inventory.one(str(tmp_path)) is None
    for missing in (tmp_path / "nowhere", tmp_path / "outer" / "SKILL.md", "a\0b"):
        with pytest.raises(NotFound):
            inventory.one(str(missing))
    name, description, body = skill_file.body(str(tmp_path / "outer"))
    assert (name, description, body.strip()) == ("outer", "Does one thing.", "# Body")
    with pytest.raises(NotFound):
        skill_file.body(str(tmp_path))


def test_each_code_of_a_note_is_met_in_these_tests(tmp_path: Path) -> None:
    met = Counter(code for made in DAMAGE.values() for code in made.notes)
    elsewhere = {
        "unreadable",
        "link",
        "not_a_file",
        "too_large",
        "file_name",
        "two_files",
        "nested",
    }
    assert set(met) | elsewhere == set(PROBLEMS)
    for made in DAMAGE.values():
        assert made.broken is any(PROBLEMS[code] for code in made.notes)


def test_what_changed_since_the_index_was_built_has_drifted(tmp_path: Path) -> None:
    for name in ("same", "other", "refused"):
        profiled(tmp_path, name, **({"x": 1} if name == "refused" else {}))
    make(tmp_path, "no-more")
    make(tmp_path, "never")
    now = by_folder(taken(tmp_path))
    indexed = {
        now["same"].path: (now["same"].sha256 or "", now["same"].profile_sha256 or ""),
        **{now[name].path: ("0" * 64, "0" * 64) for name in ("other", "refused", "no-more")},
    }
    found = by_folder(inventory.take(roots.given([str(tmp_path)]), indexed=indexed))
    assert {name: skill.status for name, skill in found.items()} == {
        "same": "profiled",
        "other": "drifted",
        "refused": "refused",
        "no-more": "drifted",
        "never": "unclassified",
    }
