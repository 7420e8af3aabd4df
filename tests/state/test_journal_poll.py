"""Following without a watcher: each commit once and in order, each fault told (25, 28, 30, 31)."""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from state.errors import Damaged, NewerFormat, Replaced, RolledBack
from state.journal import follow
from state.journal import head as heads
from state.journal import writer as writers
from state.journal.follow import Follower
from state.journal.journal import Journal
from state.journal.line import seal
from tests.state.journal_support import Disk, append, made, written


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths)
    return found


def test_the_first_poll_gives_where_it_stands_and_no_lines(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    found = follower.poll()
    assert (found.head and found.head.rev, found.lines, found.trouble) == (6, (), None)
    assert follower.poll() == found
    follower.close()


def test_each_line_is_given_once_in_order_across_segments(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 3000)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    seen: list[int] = []
    journal = Journal(disk.paths)
    for number in range(30):
        append(journal, f"message {number}")
        if number % 3 == 0:
            seen += [line.rev for line in follower.poll().lines]
    seen += [line.rev for line in follower.poll().lines]
    assert journal.head().seg > 3
    assert seen == list(range(7, journal.head().rev + 1))


def test_lines_come_in_batches(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert follow.BATCH == 5000
    monkeypatch.setattr(follow, "BATCH", 4)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    written(disk.paths, 10)
    found = [follower.poll() for _ in range(4)]
    assert [len(one.lines) for one in found] == [4, 4, 2, 0]
    assert [one.more for one in found] == [True, True, False, False]
    assert {one.head.rev for one in found if one.head} == {16}


def test_what_is_not_marked_is_not_given(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    head = disk.head.read_bytes()
    written(disk.paths, 1)
    after = disk.head.read_bytes()
    disk.head.write_bytes(head)
    assert follower.poll().lines == ()
    assert follower.poll().trouble is None
    disk.head.write_bytes(after)
    assert [line.rev for line in follower.poll().lines] == [7]


def flip(disk: Disk, line: int) -> None:
    lines = disk.lines
    at = sum(map(len, lines[: line - 1])) + 90
    raw = bytearray(disk.log.read_bytes())
    raw[at] ^= 1
    disk.log.write_bytes(bytes(raw))


def test_damage_behind_good_lines_comes_with_them(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    whole = disk.log.read_bytes()
    written(disk.paths, 5)
    sound = disk.log.read_bytes()
    flip(disk, 9)
    found = follower.poll()
    assert [line.rev for line in found.lines] == [7, 8]
    assert isinstance(found.trouble, Damaged)
    assert (found.trouble.rev, found.head) == (9, None)
    assert follower.poll().lines == ()
    disk.log.write_bytes(sound)
    found = follower.poll()
    assert [line.rev for line in found.lines] == [9, 10, 11]
    assert found.trouble is None
    assert sound.startswith(whole)


@pytest.mark.parametrize("change", ["flipped", "cut", "emptied", "deleted", "linked"])
def test_a_touched_last_line_is_an_alarm_without_any_commit(
    disk: Disk, change: str, tmp_path: Path
) -> None:
    follower = Follower(Journal(disk.paths))
    assert follower.poll().trouble is None
    whole = disk.log.read_bytes()
    if change == "flipped":
        flip(disk, 6)
    elif change in ("cut", "emptied"):
        os.truncate(disk.log, len(whole) - 10 if change == "cut" else 0)
    else:
        disk.log.rename(tmp_path / "aside")
        if change == "linked":
            disk.log.symlink_to(tmp_path / "aside")
    trouble = follower.poll().trouble
    assert trouble is not None
    assert trouble.code == ("rolled_back" if change in ("cut", "emptied") else "damaged")
    disk.log.unlink(missing_ok=True)
    disk.log.write_bytes(whole)
    assert follower.poll().trouble is None


def test_a_head_that_went_back_is_an_alarm(disk: Disk) -> None:
    old = disk.head.read_bytes()
    written(disk.paths, 1)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    now = disk.head.read_bytes()
    disk.head.write_bytes(old)
    assert isinstance(follower.poll().trouble, RolledBack)
    disk.head.write_bytes(now)
    assert follower.poll().trouble is None


@pytest.mark.parametrize("gone", [True, False])
def test_a_blank_head_tells_of_nothing_and_is_no_alarm(disk: Disk, gone: bool) -> None:
    follower = Follower(Journal(disk.paths))
    before = follower.poll()
    if gone:
        disk.head.unlink()
    else:
        disk.head.write_bytes(bytes(8192))
    assert follower.poll() == before
    opened = Follower(Journal(disk.paths)).poll()
    assert (opened.head and opened.head.rev, opened.lines, opened.trouble) == (6, (), None)
    append(Journal(disk.paths))
    found = follower.poll()
    assert ([line.rev for line in found.lines], found.trouble) == ([7], None)


@pytest.mark.parametrize("longer", [0, 3])
def test_another_history_at_a_line_that_was_read_is_an_alarm(disk: Disk, longer: int) -> None:
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 2)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    disk.log.write_bytes(backup[0])
    disk.head.write_bytes(backup[1])
    written(disk.paths, 2 + longer)
    found = follower.poll()
    assert isinstance(found.trouble, RolledBack)
    assert "two histories" in found.trouble.message
    assert found.lines == ()


def test_a_newer_line_stops_the_reader_there(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    old = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 1)
    line = disk.lines[-1]
    changed = seal(line[:-27].replace(b'"op":"message_posted"', b'"op":"message_sung"'))
    disk.log.write_bytes(old[0] + changed)
    head = disk.head.read_bytes()
    with disk.head.open("r+b") as file:
        file.write(head)
        file.flush()
        found = heads.read(file.fileno())
        assert found is not None
        size = found.last + len(changed)
        digest = sha256(changed).hexdigest()
        heads.write(file.fileno(), found._replace(gen=found.gen + 1, off=size, hash=digest))
    assert isinstance(follower.poll().trouble, NewerFormat)


def test_an_anchor_ahead_is_an_alarm_at_opening(disk: Disk) -> None:
    old = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 120)
    disk.log.write_bytes(old[0])
    disk.head.write_bytes(old[1])
    follower = Follower(Journal(disk.paths))
    assert isinstance(follower.poll().trouble, RolledBack)
    assert isinstance(follower.poll().trouble, RolledBack)


def test_a_folder_that_is_gone_comes_back_with_its_lines(disk: Disk, tmp_path: Path) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    root = Path(disk.paths.root)
    root.rename(tmp_path / "aside")
    for _ in range(2):
        found = follower.poll()
        assert isinstance(found.trouble, Replaced)
        assert "gone" in found.trouble.message
    assert not root.exists()
    (tmp_path / "aside").rename(root)
    written(disk.paths, 2)
    found = follower.poll()
    assert [line.rev for line in found.lines] == [7, 8]
    assert (found.trouble, follower.opened) == (None, 0)


def test_another_folder_in_its_place_is_noticed_and_then_opened(disk: Disk, tmp_path: Path) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    Path(disk.paths.root).rename(tmp_path / "aside")
    made(tmp_path / "project")
    found = follower.poll()
    assert isinstance(found.trouble, Replaced)
    assert "another folder" in found.trouble.message
    found = follower.poll()
    assert (found.head and found.head.rev, found.lines, found.trouble) == (1, (), None)
    assert follower.opened == 1


def test_a_restored_backup_at_another_inode_is_an_alarm(disk: Disk, tmp_path: Path) -> None:
    root = Path(disk.paths.root)
    shutil.copytree(root, tmp_path / "backup")
    written(disk.paths, 3)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    shutil.rmtree(root)
    shutil.copytree(tmp_path / "backup", root)
    assert isinstance(follower.poll().trouble, Replaced)
    for _ in range(2):
        assert isinstance(follower.poll().trouble, RolledBack)


def test_a_head_that_names_another_line_than_stands_there_is_an_alarm(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    written(disk.paths, 2)
    with disk.head.open("r+b") as file:
        found = heads.read(file.fileno())
        assert found is not None
        wrong = found._replace(gen=found.gen + 1, hash=sha256(b"another").hexdigest())
        heads.write(file.fileno(), wrong)
    told = follower.poll()
    assert isinstance(told.trouble, Damaged)
    assert (told.trouble.rev, told.head) == (8, None)
