"""Going on that was cut off, and in a folder that the anchor doesn't know: no way ends there."""

from __future__ import annotations

import os
import re
import shutil
import signal
from contextlib import closing
from pathlib import Path

import pytest

from state import files
from state.accept import accept, is_cut_off, resume
from state.command import Actor
from state.doctor import Diagnosis, diagnose
from state.errors import (
    CommitUnknown,
    Damaged,
    MovedOrCopied,
    NotCommitted,
    Refused,
    Replaced,
    RolledBack,
)
from state.journal import anchor as anchors
from state.journal.anchor import Anchor
from state.journal.journal import Journal
from state.messages.commands import Post
from state.moved import copied, moved
from state.paths import Paths
from state.project import Project, find
from tests.state.journal_support import CLOCK, Disk, made, python, written
from tests.state.test_accept import USER, every_file, flip


def anchored(paths: Paths) -> None:
    """The anchor names the last line."""
    with closing(Journal(paths)) as journal:
        head, root = journal.head(), journal.root_inode
    assert anchors.write(Anchor(head.project, head.rev, head.hash, root, CLOCK.now()))


DIES = """
import os, signal, sys
from state import files
from state.accept import accept
from state.clock import SystemClock
from state.command import Actor
from state.paths import Paths
rename = files.rename
def dies(source, target):
    if os.path.basename(target) == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    rename(source, target)
files.rename = dies
accept(Paths(sys.argv[1]), Actor("user", "tty"), SystemClock())
"""


def died(paths: Paths, target: str) -> None:
    """A process that goes on, killed where it is about to give something this name."""
    process = python(DIES, paths.root, target)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("target", ["anchor", ".sublation-panel"])
def test_killed_between_its_renames_it_is_told_and_finished(real_disk: Path, target: str) -> None:
    paths = made(real_disk / "shop")
    written(paths, 6)
    flip(paths, 3)
    before = every_file(paths.root)
    anchored(paths)
    died(paths, target)
    assert not os.path.lexists(paths.root)
    assert is_cut_off(paths)
    assert find(paths.project).root == paths.root
    with pytest.raises(Replaced, match="cut off") as told:
        Project(paths)
    assert told.value.hint.endswith("doctor --accept")
    assert os.path.basename(paths.successor.root) in told.value.message
    assert diagnose(paths).findings[0].next == told.value.hint
    with pytest.raises(Refused, match="a project already"):
        made(Path(paths.project))
    with pytest.raises(Refused, match="only the user"):
        resume(paths, Actor("codex", "cli"), CLOCK)
    line, aside = resume(paths, USER, CLOCK)
    assert (line.rev, line.ops[0]["op"]) == (3, "accepted")
    assert every_file(aside.root) == before
    assert diagnose(paths) == Diagnosis("ok", ())
    with Project(paths) as project:
        assert project.run(Post(("codex",), "goes on"), USER).rev == 4


def test_killed_before_the_first_rename_it_can_be_begun_again(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 6)
    flip(paths, 3)
    Path(paths.successor.root).mkdir()
    assert [one.code for one in diagnose(paths).findings] == ["damaged", "left_over"]
    assert not is_cut_off(paths)
    assert accept(paths, USER, CLOCK)[0].rev == 3
    assert diagnose(paths) == Diagnosis("ok", ())


def test_a_disk_that_does_not_confirm_the_names_is_said(
    real_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = made(real_disk / "shop")
    written(paths, 6)
    flip(paths, 3)
    sync = files.sync_folder

    def refusing(path: str) -> None:
        if path == paths.project:
            raise OSError(5, "Input/output error")
        sync(path)

    monkeypatch.setattr(files, "sync_folder", refusing)
    with pytest.raises(CommitUnknown):
        accept(paths, USER, CLOCK)
    assert diagnose(paths) == Diagnosis("ok", ())


def test_what_stands_in_the_way_is_named(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 6)
    flip(paths, 3)
    before = every_file(paths.root)
    os.symlink("nowhere", paths.successor.root)
    with pytest.raises(NotCommitted, match=re.escape(paths.successor.root)):
        accept(paths, USER, CLOCK)
    assert every_file(paths.root) == before
    assert os.readlink(paths.successor.root) == "nowhere"


@pytest.mark.parametrize("what", ["empty", "another project"])
def test_a_folder_that_accept_did_not_make_takes_no_place(real_disk: Path, what: str) -> None:
    paths = made(real_disk / "shop")
    os.rename(paths.root, paths.successor.root)
    if what == "empty":
        shutil.rmtree(paths.successor.head_dir)
    before = every_file(paths.successor.root)
    with pytest.raises(Damaged, match="can't take its place"):
        resume(paths, USER, CLOCK)
    assert every_file(paths.successor.root) == before
    assert not os.path.lexists(paths.root)


@pytest.mark.parametrize("there", [True, False])
def test_an_anchor_that_is_there_must_be_renewed(
    real_disk: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    paths = made(real_disk / "shop")
    written(paths, 3)
    anchored(paths)
    flip(paths, 4)
    if not there:
        os.unlink(Disk(paths).anchor())
    monkeypatch.setattr(anchors, "write", lambda anchor: False)
    if there:
        before = every_file(paths.root)
        with pytest.raises(NotCommitted, match="anchor"):
            accept(paths, USER, CLOCK)
        assert every_file(paths.root) == before
        assert os.listdir(paths.project) == [os.path.basename(paths.root)]
    else:
        accept(paths, USER, CLOCK)
        assert diagnose(paths).state == "ok"


def test_an_older_state_in_another_folder_is_gone_on_from(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 3)
    backup = Path(f"{paths.root}.backup")
    shutil.copytree(paths.root, backup)
    written(paths, 3)
    anchored(paths)
    os.rename(paths.root, f"{paths.root}.broken")
    backup.rename(paths.root)
    found = diagnose(paths)
    assert found.state == "moved_or_copied"
    assert "ends with line 4" in found.findings[0].what
    assert {one.next for one in found.findings} == {found.findings[0].next}
    assert "doctor --accept` goes on from line 4" in found.findings[0].next
    with Project(paths) as project, pytest.raises(RolledBack):
        moved(project)
    line, _ = accept(paths, USER, CLOCK)
    assert (line.rev, line.ops[0]["lost_revs"]) == (5, 3)
    assert diagnose(paths).state == "ok"


@pytest.mark.parametrize("answer", ["accept", "copy"])
def test_another_history_in_another_folder_has_a_way_on(real_disk: Path, answer: str) -> None:
    paths = made(real_disk / "shop")
    written(paths, 2)
    backup = Path(f"{paths.root}.backup")
    shutil.copytree(paths.root, backup)
    written(paths, 2)
    anchored(paths)
    kept = Disk(paths).anchor()
    anchor = kept.read_bytes()
    os.rename(paths.root, f"{paths.root}.first")
    backup.rename(paths.root)
    # Written on where nobody knew of the other one.
    kept.unlink()
    written(paths, 4)
    kept.write_bytes(anchor)
    found = diagnose(paths)
    assert found.state == "moved_or_copied"
    assert "two histories" in found.findings[0].what
    assert f"doctor --{answer}" in found.findings[0].next
    if answer == "accept":
        assert accept(paths, USER, CLOCK)[0].rev == 8
    else:
        with Project(paths) as project:
            assert copied(project, USER).rev == 8
    assert diagnose(paths).state == "ok"


def test_where_a_damaged_folder_stands_is_asked_first(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 6)
    shutil.copytree(paths.root, f"{paths.root}.copy")
    os.rename(paths.root, f"{paths.root}.first")
    os.rename(f"{paths.root}.copy", paths.root)
    flip(paths, 3)
    # As after a copy that keeps times: nothing but the check of the whole chain finds the line.
    os.utime(paths.segment(1), (1, 1))
    with pytest.raises(MovedOrCopied):
        accept(paths, USER, CLOCK)
    with Project(paths) as project:
        copied(project, USER)
    assert accept(paths, USER, CLOCK)[0].rev == 3
