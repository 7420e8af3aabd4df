"""Going on from the last good line: numbers stay, what was there is kept, only the user may."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from state.accept import accept, prospect
from state.command import Actor
from state.doctor import diagnose
from state.errors import NotCommitted, Refused, Replaced, Unsound
from state.journal.follow import Follower
from state.journal.journal import Journal
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.state.journal_support import CLOCK, made, written

USER = Actor("user", "tty")


def every_file(root: str) -> dict[str, bytes]:
    """Each file below a folder with its bytes; the index is a view and may come and go."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if "index.sqlite3" not in name and "write.mutex" not in name:
                found[os.path.relpath(path, root)] = path.read_bytes()
    return found


def flip(paths: Paths, rev: int) -> None:
    """One line says something else than it did."""
    log = Path(paths.segment(1))
    lines = log.read_bytes().splitlines(keepends=True)
    lines[rev - 1] = lines[rev - 1].replace(b"its text", b"its next")
    log.write_bytes(b"".join(lines))


def last_good(paths: Paths) -> int:
    return prospect(Journal(paths)).last.rev


@pytest.mark.parametrize("rev", [3, 8])
def test_going_on_keeps_numbers_and_the_damaged_folder(disk: Path, rev: int) -> None:
    paths = made(disk / "shop")
    written(paths, 7)
    flip(paths, rev)
    before = every_file(paths.root)
    line, aside = accept(paths, USER, CLOCK)
    assert every_file(aside.root) == before
    (operation,) = line.ops
    assert (line.rev, operation["op"], operation["rev"]) == (rev, "accepted", rev - 1)
    assert operation["lost_revs"] == 8 - (rev - 1)
    assert operation["folder"] == os.path.basename(aside.root)
    assert f"line {rev}" in operation["reason"]
    with Project(paths) as project:
        done = project.run(Post(("codex",), "goes on"), USER)
        assert done.rev == rev + 1
        report = verify(project.journal, deep=True)
        assert report.ok
        with project.view() as view:
            titles = [row[0] for row in view.rows("SELECT title FROM message ORDER BY id")]
    assert (len(titles), titles[-1]) == (rev - 1, "goes on")
    assert diagnose(paths).state == "ok"


def test_a_cut_log_and_an_older_backup_are_gone_on_from(disk: Path) -> None:
    paths = made(disk / "shop")
    written(paths, 5)
    log = Path(paths.segment(1))
    kept = b"".join(log.read_bytes().splitlines(keepends=True)[:4])
    log.write_bytes(kept)
    assert diagnose(paths).state == "rolled_back"
    assert last_good(paths) == 4
    line, _ = accept(paths, USER, CLOCK)
    assert (line.rev, line.ops[0]["lost_revs"]) == (5, 2)
    with Project(paths) as project:
        assert project.run(Post(("codex",), "on"), USER).rev == 6


def test_a_sound_project_is_left_alone(disk: Path) -> None:
    paths = made(disk / "shop")
    before = every_file(paths.root)
    with pytest.raises(Refused):
        accept(paths, USER, CLOCK)
    assert every_file(paths.root) == before


def test_an_agent_can_not_go_on(disk: Path) -> None:
    paths = made(disk / "shop")
    written(paths, 3)
    flip(paths, 2)
    with pytest.raises(Refused):
        accept(paths, Actor("codex", "cli"), CLOCK)
    assert sorted(os.listdir(paths.project)) == [os.path.basename(paths.root)]


def test_nothing_to_believe_is_nothing_to_go_on_from(disk: Path) -> None:
    paths = made(disk / "shop")
    Path(paths.segment(1)).write_bytes(b"nothing\n")
    with pytest.raises(Unsound):
        accept(paths, USER, CLOCK)
    assert sorted(os.listdir(paths.project)) == [os.path.basename(paths.root)]


def test_who_had_the_old_folder_open_is_told(disk: Path) -> None:
    paths = made(disk / "shop")
    written(paths, 4)
    with Project(paths) as open_before:
        flip(paths, 3)
        accept(paths, USER, CLOCK)
        with pytest.raises(Replaced):
            open_before.run(Post(("codex",), "late"), USER)


def test_who_follows_goes_on_with_the_new_folder(disk: Path) -> None:
    paths = made(disk / "shop")
    written(paths, 6)
    follower = Follower(Journal(paths))
    assert follower.poll().trouble is None
    flip(paths, 3)
    accept(paths, USER, CLOCK)
    assert isinstance(follower.poll().trouble, Replaced)
    found = follower.poll()
    assert (found.trouble, follower.opened) == (None, 1)
    assert found.head is not None
    assert found.head.rev == 3
    with Project(paths) as project:
        project.run(Post(("codex",), "goes on"), USER)
    assert [line.rev for line in follower.poll().lines] == [4]
    follower.close()


def test_a_disk_that_refuses_leaves_everything(disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = made(disk / "shop")
    written(paths, 4)
    flip(paths, 3)
    before = every_file(paths.root)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("state.files.write_new", full)
    with pytest.raises(NotCommitted):
        accept(paths, USER, CLOCK)
    assert every_file(paths.root) == before
    assert sorted(os.listdir(paths.project)) == [os.path.basename(paths.root)]
