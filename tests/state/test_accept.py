"""Going on from the last good line: numbers stay, what was there is kept, only the user may."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from state import files
from state.accept import accept
from state.command import Actor
from state.doctor import diagnose
from state.errors import NotCommitted, Refused, Replaced, Unsound
from state.journal import anchor as anchors
from state.journal.anchor import Anchor
from state.journal.follow import Follower
from state.journal.journal import Journal
from state.journal.verify import verify
from state.journal.writer import writing
from state.messages.commands import Post
from state.messages.operations import Acknowledged
from state.paths import Paths
from state.project import Project
from state.prospect import prospect
from tests.state.journal_support import CLOCK, author, made, written

USER = Actor("user", "tty")


def every_file(root: str) -> dict[str, bytes]:
    """Each file below a folder with its bytes; the index is a view and may come and go."""
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            if "index-" not in name and "write.mutex" not in name:
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
def test_going_on_keeps_numbers_and_the_damaged_folder(real_disk: Path, rev: int) -> None:
    paths = made(real_disk / "shop")
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


def test_a_cut_log_and_an_older_backup_are_gone_on_from(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
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


def test_a_sound_project_is_left_alone(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    before = every_file(paths.root)
    with pytest.raises(Refused):
        accept(paths, USER, CLOCK)
    assert every_file(paths.root) == before


def test_an_agent_can_not_go_on(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 3)
    flip(paths, 2)
    with pytest.raises(Refused):
        accept(paths, Actor("codex", "cli"), CLOCK)
    assert sorted(os.listdir(paths.project)) == [os.path.basename(paths.root)]


def test_nothing_to_believe_is_nothing_to_go_on_from(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    Path(paths.segment(1)).write_bytes(b"nothing\n")
    with pytest.raises(Unsound):
        accept(paths, USER, CLOCK)
    assert sorted(os.listdir(paths.project)) == [os.path.basename(paths.root)]


def test_who_had_the_old_folder_open_is_told(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 4)
    with Project(paths) as open_before:
        flip(paths, 3)
        accept(paths, USER, CLOCK)
        with pytest.raises(Replaced):
            open_before.run(Post(("codex",), "late"), USER)


def test_who_follows_goes_on_with_the_new_folder(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
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


def test_a_disk_that_refuses_leaves_everything(
    real_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = made(real_disk / "shop")
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


def test_folders_that_are_not_there_stand_against_nothing(real_disk: Path) -> None:
    paths = made(real_disk / "shop")
    written(paths, 3)
    flip(paths, 4)
    for folder in paths.carried():
        os.rmdir(folder)
    os.unlink(paths.gitignore)
    accept(paths, USER, CLOCK)
    assert Path(paths.gitignore).read_bytes() == b"*\n"
    with Project(paths) as project:
        project.run(Post(("codex",), "long", "x" * 20_000), USER)
    assert diagnose(paths).state == "ok"


def test_a_long_text_is_on_the_disk_before_the_folders_change_places(
    real_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = made(real_disk / "shop")
    with Project(paths) as project:
        project.run(Post(("codex",), "long", "x" * 20_000), USER)
        project.run(Post(("codex",), "other", "y" * 20_000), USER)
        project.run(Post(("codex",), "last", "its text"), USER)
    os.mkfifo(Path(paths.root, "blobs", "pipe"))
    flip(paths, 4)
    unread, lost = sorted(os.listdir(Path(paths.root, "blobs")))[:2]
    synced: list[int] = []
    sync, read = files.sync_data, files.read_whole

    def noting(fd: int) -> None:
        synced.append(os.fstat(fd).st_ino)
        sync(fd)

    def refusing(path: str, limit: int) -> bytes:
        if path.endswith(lost):
            raise PermissionError(13, "no")
        return read(path, limit)

    monkeypatch.setattr(files, "sync_data", noting)
    monkeypatch.setattr(files, "read_whole", refusing)
    accept(paths, USER, CLOCK)
    (kept,) = os.listdir(Path(paths.root, "blobs"))
    assert kept == unread
    assert os.stat(paths.blob(kept)).st_ino in synced


@pytest.mark.parametrize("what", ["its shape", "its meaning"])
def test_a_line_that_chains_and_says_what_cannot_be_is_gone_on_from(
    real_disk: Path, what: str
) -> None:
    paths = made(real_disk / "shop")
    written(paths, 3)
    journal = Journal(paths)
    with writing(journal, seat="user", now=CLOCK.now) as writer:
        seat = "codex" if what == "its shape" else "nobody"
        number: Any = "1" if what == "its shape" else 1
        said = Acknowledged(seat, number, 1, 1, 1)
        writer.append(author(), CLOCK.now(), [said])
    journal.close()
    first = diagnose(paths).findings[0]
    assert (first.code, first.rev) == ("damaged", 5)
    assert first.next.endswith("doctor --accept")
    found = prospect(Journal(paths))
    assert (found.last.rev, found.lost_revs) == (4, 1)
    assert "line 5" in found.reason
    accept(paths, USER, CLOCK)
    with Project(paths) as project:
        assert project.run(Post(("codex",), "goes on"), USER).rev == 6


def test_whoever_interrupts_it_still_has_a_project(
    real_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = made(real_disk / "shop")
    written(paths, 3)
    flip(paths, 4)
    before = every_file(paths.root)

    def interrupted(anchor: Anchor) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(anchors, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        accept(paths, USER, CLOCK)
    assert every_file(paths.root) == before
    assert os.listdir(paths.project) == [os.path.basename(paths.root)]
