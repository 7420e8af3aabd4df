"""S12, S13: roots, links and what can't be read; nothing in a skill folder is touched."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from state.command import Command
from state.errors import BadInput
from state.history.changes import Change, changes
from state.routing import inventory, roots, skill_file, walk
from state.routing.root_commands import AddSkillRoot, RemoveSkillRoot
from tests.state.journal_support import as_root
from tests.state.skills_made import by_folder, codes, damaged, make, profiled, snapshot, taken
from tests.state.world import World

NOBODY = 65534


@pytest.mark.rule("S13")
def test_links_are_listed_with_where_they_lead_and_not_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    make(outside, "secret")
    make(root, "inside")
    (root / "out").symlink_to(outside)
    (root / "in").symlink_to(root / "inside")
    (root / "up").symlink_to(root)
    (root / "self").symlink_to(root / "self")
    (root / "gone").symlink_to(root / "nowhere")
    linked = root / "linked"
    linked.mkdir()
    (linked / "SKILL.md").symlink_to(outside / "secret" / "SKILL.md")
    found = taken(root)
    assert {os.path.basename(one.path): one.why for one in found.left_out} == {
        "out": "link_outside",
        "in": "link_inside",
        "up": "link_loop",
        "self": "link_loop",
        "gone": "link_broken",
        "SKILL.md": "link_outside",
    }
    assert sum(found.skipped.values()) == 6
    skills = by_folder(found)
    assert set(skills) == {"inside", "linked"}
    assert (codes(skills["linked"]), skills["linked"].status) == ({"link"}, "broken")
    assert skills["linked"].sha256 is None
    assert skills["linked"].description == ""


@pytest.mark.rule("S13")
def test_a_root_may_be_a_link_and_is_read_once(tmp_path: Path) -> None:
    real = tmp_path / "real"
    make(real, "a/one")
    make(real, "b/two")
    (tmp_path / "link").symlink_to(real)
    found = taken(tmp_path / "link", real, real / "a")
    assert [(been.state, been.skills) for been in found.roots] == [
        ("read", 2),
        ("read_already", 0),
        ("read_already", 0),
    ]
    assert {skill.folder for skill in found.skills} == {str(real / "a/one"), str(real / "b/two")}
    again = taken(real / "a", real)
    assert [been.skills for been in again.roots] == [1, 1]
    assert again.skipped == {"read_already": 1}


@pytest.mark.rule("S13")
def test_with_the_list_stands_what_was_read_and_what_was_not(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make(root, "one")
    make(root, ".git/hooks")
    (root / "one" / ".svn").mkdir()
    make(root, "/".join("d" * 40))
    (tmp_path / "file").touch()
    found = taken(root, tmp_path / "nowhere", tmp_path / "file")
    assert [been.state for been in found.roots] == ["read", "missing", "not_a_folder"]
    assert [skill.name for skill in found.skills] == ["one"]
    assert found.skipped == {"version_control": 2, "too_deep": 1}
    assert {one.why for one in found.left_out} == set(found.skipped)
    assert found.folders == 2 + walk.DEPTH_LIMIT


@pytest.mark.rule("S13")
def test_what_cant_be_read_is_listed_and_nothing_ends() -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        root.chmod(0o755)
        make(root, "fine")
        make(root, "closed")
        make(root, "closed-folder")
        profiled(root, "closed-profile")
        os.mkfifo(make(root, "pipe", file="other") / "SKILL.md")
        (root / "folder" / "SKILL.md").mkdir(parents=True)
        (root / "closed" / "SKILL.md").chmod(0)
        (root / "closed-profile" / "routing.json").chmod(0)
        (root / "closed-folder").chmod(0)
        other = as_root()
        if other:
            os.seteuid(NOBODY)
        try:
            found = taken(root)
        finally:
            if other:
                os.seteuid(0)
        skills = by_folder(found)
        assert {name: codes(skill) for name, skill in skills.items()} == {
            "fine": set(),
            "closed": {"unreadable"},
            "closed-profile": set(),
            "pipe": {"not_a_file"},
            "folder": {"not_a_file"},
        }
        assert skills["closed-profile"].status == "refused"
        assert found.skipped == {"unreadable": 1}
        (root / "closed-folder").chmod(0o700)


def test_a_root_with_too_many_names_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "ENTRIES_LIMIT", 50)
    for number in range(60):
        make(tmp_path, f"s{number:02}")
    found = taken(tmp_path)
    assert found.skipped == {"too_many": 1}
    assert len(found.skills) < 60
    assert len(taken(tmp_path / "s01").skills) == 1


@pytest.mark.rule("S12")
def test_nothing_in_a_skill_folder_is_written_or_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = damaged(tmp_path / "root")
    profiled(root, "profiled")
    profiled(root, "refused", router="mine")
    (root / "link").symlink_to(tmp_path)
    before = snapshot(root)
    opened: list[tuple[str, int]] = []
    real = os.open

    def watched(path: str, flags: int, *rest: Any, **more: Any) -> int:
        opened.append((path, flags))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", watched)
    found = taken(root)
    for skill in found.skills:
        if skill.status != "broken":
            skill_file.body(skill.folder)
        inventory.one(skill.folder)
    monkeypatch.undo()
    assert snapshot(root) == before
    assert len(opened) > 3 * len(found.skills)
    for path, flags in opened:
        assert flags & os.O_ACCMODE == os.O_RDONLY, path
        assert not flags & (os.O_CREAT | os.O_TRUNC | os.O_APPEND), path
    below = [flags for path, flags in opened if not os.path.isabs(path)]
    assert below
    assert all(flags & os.O_NOFOLLOW for flags in below)


@pytest.mark.rule("S12")
def test_a_folder_put_behind_a_link_meanwhile_is_not_gone_into(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    make(outside, "secret")
    make(root, "changed")
    make(root, "before")
    with_links = walk.places(str(root), walk.Tally())
    assert next(with_links).path == str(root / "before")
    os.rename(root / "changed", tmp_path / "aside")
    (root / "changed").symlink_to(outside / "secret")
    assert list(with_links) == []


@pytest.mark.rule("S13")
def test_the_roots_are_those_of_hosts_and_those_of_the_user(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, project = os.environ["HOME"], str(world.folder)

    def read() -> list[tuple[str, str, str]]:
        with world.look() as view:
            return [(one.path, one.scope, one.reader) for one in roots.configured(view, project)]

    known = [
        (f"{home}/.claude/skills", "user", "claude-code"),
        (f"{home}/.codex/skills", "user", "codex"),
        (f"{home}/.agents/skills", "user", ""),
        (f"{home}/.hermes/skills", "user", "hermes"),
        (f"{project}/.claude/skills", "project", "claude-code"),
        (f"{project}/.agents/skills", "project", ""),
    ]
    defaults = tuple(path for path, _, _ in known)
    assert read() == known
    assert [one.path for one in roots.configured(None, None)] == list(defaults[:4])
    world.run(AddSkillRoot("/srv/skills/", defaults))
    removed = world.run(RemoveSkillRoot(defaults[1], defaults)).rev
    with world.look() as view:
        (change,) = changes(view, removed)
    assert change == Change(f"skill_root:{defaults[1]}", "read", True, False)
    assert read() == [known[0], *known[2:], ("/srv/skills", "added", "")]
    world.run(AddSkillRoot(defaults[1], defaults))
    world.run(RemoveSkillRoot("/srv/skills", defaults))
    assert sorted(read()) == sorted(known)
    monkeypatch.setenv("HOME", project)
    assert len(roots.defaults(project)) == 4


@pytest.mark.rule("S13")
def test_only_the_user_changes_the_roots_and_only_when_it_says_something(world: World) -> None:
    change: Command
    for change in (AddSkillRoot("/srv/a"), RemoveSkillRoot("/srv/a")):
        world.refused("S13", change, "codex")
    world.run(AddSkillRoot("/srv/a"), key="k")
    assert world.run(AddSkillRoot("/srv/a"), key="k").repeated
    for change in (
        AddSkillRoot("/srv/../srv/a"),
        AddSkillRoot("/home/x\ny", ("/home/x\ny",)),
        RemoveSkillRoot("/srv/b"),
    ):
        world.refused("S13", change)
    for path in ("relative", "", "/a\0b", "/" + "x" * 1000, "/\udce9"):
        with pytest.raises(BadInput):
            AddSkillRoot(path)
