"""The answers that only the user can give: it was moved, it is a copy (fault 26)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import orjson
import pytest

from state import doctor, moved
from state.command import Actor
from state.errors import MovedOrCopied, NotCommitted, Refused
from state.health import check
from state.journal import anchor as anchors
from state.journal.journal import Journal
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.state.journal_support import Disk, append, made, written

USER = Actor("user", "cli")


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths, 9)
    return found


def codes(paths: Paths) -> tuple[str, list[str]]:
    found = doctor.diagnose(paths)
    return found.state, [one.code for one in found.findings]


def blank(disk: Disk) -> None:
    disk.head.write_bytes(bytes(8192))


def copied(disk: Disk, folder: Path) -> Disk:
    shutil.copytree(disk.paths.project, folder, symlinks=True)
    return Disk(Paths(str(folder / Path(disk.paths.root).name)))


def test_a_copy_becomes_a_project_of_its_own(disk: Disk, tmp_path: Path) -> None:
    copy = copied(disk, tmp_path / "copy")
    with Project(copy.paths) as project:
        parent = project.journal.head()
        with pytest.raises(MovedOrCopied):
            project.run(Post(("codex",), "no"), USER)
        line = moved.copied(project, USER)
        assert (line.rev, line.seat) == (11, "user")
        (op,) = line.ops
        assert op == {
            "op": "project_forked",
            "project": op["project"],
            "parent": parent.project,
            "rev": parent.rev,
            "hash": parent.hash,
        }
        assert project.journal.head().project == op["project"] != parent.project
        assert project.journal.original == parent.project
        assert check(project).state == "ok"
        assert project.run(Post(("codex",), "mine"), USER).rev == 12
        anchor = anchors.read(op["project"])
        assert anchor is not None
        assert anchor.root == project.journal.root_inode
        with pytest.raises(Refused, match="stands where it always did"):
            moved.copied(project, USER)
        assert verify(project.journal, deep=True).findings == ()
    with Project(disk.paths) as project:
        assert check(project).state == "ok"
        assert project.run(Post(("codex",), "the first one"), USER).rev == 11


def test_a_copy_of_a_copy_is_one_too(disk: Disk, tmp_path: Path) -> None:
    ids = [Journal(disk.paths).head().project]
    last = disk
    for number in range(3):
        last = copied(last, tmp_path / f"copy-{number}")
        with Project(last.paths) as project:
            assert check(project).state == "moved_or_copied"
            moved.copied(project, USER)
            ids.append(project.journal.head().project)
    assert len(set(ids)) == 4
    blank(last)
    with Project(last.paths) as project:
        project.run(Post(("codex",), "the id is found again"), USER)
        assert project.journal.head().project == ids[-1]


def test_a_copy_is_one_however_far_the_first_has_got(disk: Disk, tmp_path: Path) -> None:
    copy = copied(disk, tmp_path / "copy")
    append(Journal(disk.paths), *map(str, range(100)))
    with Project(copy.paths) as project:
        with pytest.raises(MovedOrCopied, match="ends with line 10") as told:
            project.run(Post(("codex",), "no"), USER)
        assert "doctor --copy" in told.value.hint
        assert moved.copied(project, USER).rev == 11
        assert project.run(Post(("codex",), "mine"), USER).rev == 12
        assert verify(project.journal, deep=True).findings == ()
    assert codes(copy.paths) == codes(disk.paths) == ("ok", [])


def test_a_moved_project_gets_its_anchor_renewed(disk: Disk, tmp_path: Path) -> None:
    there = copied(disk, tmp_path / "moved")
    with Project(there.paths) as project:
        assert moved.moved(project).rev == 10
        assert check(project).state == "ok"
        assert project.run(Post(("codex",), "goes on"), USER).rev == 11
        assert project.journal.head().project == project.journal.original
    with Project(disk.paths) as project:
        assert check(project).state == "moved_or_copied"
        with pytest.raises(MovedOrCopied):
            project.run(Post(("codex",), "no"), USER)


def test_moving_needs_an_anchor_that_can_be_written(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = copied(disk, tmp_path / "moved")
    monkeypatch.setattr(anchors, "write", lambda anchor: False)
    with Project(there.paths) as project, pytest.raises(NotCommitted):
        moved.moved(project)


def test_only_the_user_says_that_it_is_a_copy(disk: Disk, tmp_path: Path) -> None:
    copy = copied(disk, tmp_path / "copy")
    before = copy.everything()
    with Project(copy.paths) as project, pytest.raises(Refused, match="only the user"):
        moved.copied(project, Actor("codex", "cli"))
    assert copy.everything() == before


def test_an_anchor_that_cannot_be_written_never_fails_a_command(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    journal = Journal(disk.paths)
    assert append(journal).rev == 11
    assert anchors.read(journal.original) is None
    assert codes(disk.paths) == ("ok", ["anchor"])


def test_a_relative_folder_for_anchors_is_ignored(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.chdir(tmp_path)
    append(Journal(disk.paths))
    assert not (tmp_path / "relative").exists()
    at_home = Path(os.environ["HOME"]) / ".local" / "state"
    (found,) = at_home.rglob("anchor")
    assert orjson.loads(found.read_bytes())["rev"] == 11
