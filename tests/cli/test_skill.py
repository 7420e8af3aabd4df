"""`skill`: the real command lists, shows and checks skills, and changes no file of them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from panel.cli.main import main
from panel.words import skills as words
from state.routing.notes import PROBLEMS, SKIPS
from tests.cli.conftest import Shop
from tests.cli.test_hostile import is_harmless
from tests.panel import hostile
from tests.state.skills_made import DAMAGE, damaged, front, good, make, profiled, snapshot
from tests.support import run_cli

SKILL = ("name", "path", "sha256", "status", "problems", "duplicates")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with skills of every state, alike ones, and what is left out."""
    place = tmp_path / "skills"
    damaged(place)
    make(place, "more/crlf", good("crlf"))
    profiled(place, "profiled")
    profiled(place, "steering", router="mine")
    (place / "out").symlink_to(make(tmp_path / "elsewhere", "secret"))
    return place


def test_list_as_json_has_everything_and_as_text_the_same_figures(root: Path) -> None:
    before = snapshot(root)
    found = run_cli("skill", "list", "--root", root, "--json").json
    assert {"roots", "skipped", "skills"} <= set(found)
    assert [(one["path"], one["state"], one["skills"]) for one in found["roots"]] == [
        (str(root), "read", len(DAMAGE) + 3)
    ]
    assert found["skipped"] == {"link_outside": 1}
    assert [one["path"] for one in found["left_out"]] == [str(root / "out")]
    for skill in found["skills"]:
        assert set(SKILL) <= set(skill)
        assert skill["path"].endswith("/SKILL.md")
    by_name = {os.path.basename(os.path.dirname(one["path"])): one for one in found["skills"]}
    assert [note["code"] for note in by_name["bad-yaml"]["problems"]] == ["bad_yaml"]
    assert by_name["steering"]["status"] == "refused"
    assert "router" in by_name["steering"]["profile_problems"][0]["field"]
    assert (by_name["profiled"]["status"], by_name["profiled"]["promoted"]) == ("profiled", False)
    assert found["totals"]["profiled"] == 1
    (alike,) = [group for group in found["duplicates"] if group["value"] == "crlf"]
    assert (alike["by"], alike["same_bytes"], len(alike["paths"])) == ("name", False, 2)

    said = run_cli("skill", "list", "--root", root).out
    assert f"{len(DAMAGE) + 3} skills: 1 profiled" in said
    assert "profiled (not promoted)" in said
    assert "1 left out: 1 link outside" in said
    for code, count in found["problems"].items():
        assert re.search(rf"^ +{count}  {re.escape(words.PROBLEMS[code].sentence)}$", said, re.M)
    assert "the same name, other bytes" in said
    assert not re.search(r"\b(merge|delete|replace|remove)\b", said)
    assert snapshot(root) == before


def test_each_code_has_its_words() -> None:
    assert list(words.PROBLEMS) == list(PROBLEMS)
    assert list(words.SKIPS) == list(SKIPS)


def test_without_a_project_the_roots_of_hosts_are_read(tmp_path: Path) -> None:
    home = Path(os.environ["HOME"])
    make(home / ".claude" / "skills", "mine")
    found = run_cli("skill", "list", "--json", cwd=tmp_path).json
    assert [skill["name"] for skill in found["skills"]] == ["mine"]
    assert found["skills"][0]["loads"] == {"claude-code": "yes"}
    assert [one["state"] for one in found["roots"]] == ["read", "missing", "missing", "missing"]
    assert found["state"] is None
    assert "mine" in run_cli("skill", "show", "mine", cwd=tmp_path).out
    assert len(run_cli("skill", "roots", "--json", cwd=tmp_path).json["roots"]) == 4


def test_the_user_adds_and_removes_roots(shop: Shop, root: Path) -> None:
    assert shop.agent("skill", "roots", "add", str(root)).code == 3
    said = shop.agent("skill", "roots", "add", str(root), "--json", seat="user")
    assert said.error["code"] == "refused"
    said = shop.user("skill", "roots", "add", str(root), "--json")
    assert (said.code, set(said.json)) == (0, {"rev", "path", "repeated"})
    assert shop.user("skill", "roots", "add", str(root)).code == 3
    listed = shop.agent("skill", "roots", "--json", seat=None).json
    assert listed["roots"][-1] == {
        "path": str(root),
        "scope": "added",
        "host": None,
        "state": "read",
    }
    found = shop.agent("skill", "list", "--json", seat=None).json
    assert (len(found["skills"]), found["state"]) == (len(DAMAGE) + 3, "ok")
    log = shop.agent("journal", "log").out
    assert f"added the skill root {root}" in log
    assert shop.user("skill", "roots", "remove", str(root)).code == 0
    assert len(shop.agent("skill", "roots", "--json").json["roots"]) == 6
    for wrong in (["roots", "drop", "x"], ["roots", "add"]):
        assert shop.user("skill", *wrong).code == 2


@pytest.mark.rule("S3")
def test_check_says_each_reason_and_ends_with_3(root: Path) -> None:
    said = run_cli("skill", "check", root / "steering")
    assert said.code == 3
    assert "one central router" in said.out
    assert "[S3]" in said.err
    assert run_cli("skill", "check", root / "profiled").code == 0
    assert run_cli("skill", "check", root / "unlike").code == 0
    said = run_cli("skill", "check", root / "bad-yaml")
    assert (said.code, "the front matter is no YAML: line 3" in said.out) == (3, True)
    said = run_cli("skill", "check", root, "--json")
    assert said.code == 3
    assert said.json["unfit"] == 1 + sum(made.broken for made in DAMAGE.values())
    for nothing in ("nowhere", "../skills/fields/SKILL.md"):
        assert run_cli("skill", "check", root / nothing).code == 2
    schema = run_cli("skill", "check", "--schema").json
    assert schema["additionalProperties"] is False
    assert run_cli("skill", "check", "--schema", "--draft").code == 2


@pytest.mark.rule("S12")
def test_a_draft_goes_to_standard_output_only(root: Path) -> None:
    skill = make(root, "tests", front("name: tests", "description: Write unit tests in Python."))
    before = snapshot(root)
    said = run_cli("skill", "check", "--draft", skill)
    assert said.code == 0
    drafted = said.json
    assert (drafted["skill"], drafted["promoted_from"]) == ("tests", None)
    assert run_cli("skill", "check", "--draft", root / "profiled").code == 2
    assert run_cli("skill", "check", "--draft", root).code == 2
    assert snapshot(root) == before
    (skill / "routing.json").write_text(said.out)
    assert run_cli("skill", "check", skill).code == 0


def test_a_draft_without_features_says_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = make(tmp_path, "vague", front("name: vague", "description: zzz"))
    assert main(["skill", "check", "--draft", str(skill)]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["features"] == {}
    assert "no feature was found" in said.err


def test_a_skill_is_shown_by_its_name_or_by_any_path_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    skill = make(tmp_path, "roots/one", good("one"))
    monkeypatch.chdir(tmp_path / "roots")
    for wanted in ("one", "./one", "one/", "../roots/one/SKILL.md", str(skill)):
        assert main(["skill", "show", wanted, "--root", ".", "--json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["skills"]
        assert found["path"] == str(skill / "SKILL.md")
    monkeypatch.chdir(skill)
    assert main(["skill", "show", ".", "--root", ".."]) == 0
    assert main(["skill", "show", "one/two", "--root", ".."]) == 2


@pytest.mark.rule("M9")
def test_hostile_names_reach_the_terminal_as_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = tmp_path / "skills"
    for number, text in enumerate(hostile.STRINGS.values()):
        quoted = json.dumps(text.replace("\ud800", "")[:500])
        make(root, f"s{number}", front(f"name: {quoted}", f"description: {quoted}", f"{quoted}: 1"))
        folder = text.replace("/", "").replace("\0", "").replace("\ud800", "")[:60]
        if folder.strip("."):
            make(root, f"d{number}/{folder}", good("x"))
    (root / "\x1b[31mlink").symlink_to("\x1b]0;owned\x07")
    for form in ([], ["--json"]):
        assert main([*form, "skill", "list", "--root", str(root)]) == 0
        said = capsys.readouterr().out
        assert is_harmless(said)
        assert main([*form, "skill", "check", str(root)]) in (0, 3)
        assert is_harmless(capsys.readouterr().out)
    found = {
        one["name"]
        for one in json.loads(run_cli("skill", "list", "--root", root, "--json").out)["skills"]
    }
    for name in list(found)[:200]:
        assert main(["skill", "show", "--root", str(root), "--", name]) == 0
        assert is_harmless(capsys.readouterr().out)


def test_a_list_fits_80_columns(root: Path) -> None:
    said = run_cli("skill", "list", "--root", root, tty=True, screen=True)
    assert said.code == 0
    shown = re.sub(r"\x1b\[[012]m", "", said.out).replace("\r\n", "\n")
    from panel.neutral import cells

    assert [line for line in shown.split("\n") if cells(line) > 80] == []
