"""Rolled back, restored, moved and copied folders (faults 25, 26)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from state.errors import MovedOrCopied, NoProject, RolledBack
from state.journal import anchor as anchors
from state.journal.journal import Journal
from state.journal.verify import verify
from state.paths import Paths
from tests.state.journal_support import Disk, anchored, append, appended, refused, written


def _restore(disk: Disk, backup: tuple[bytes, bytes]) -> None:
    disk.log.write_bytes(backup[0])
    disk.head.write_bytes(backup[1])


def test_an_old_backup_is_a_rollback_by_the_anchor(disk: Disk) -> None:
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths)
    anchored(disk)
    _restore(disk, backup)
    refused(disk, RolledBack, where=6)


def test_an_old_backup_is_a_rollback_for_a_process_that_lives(disk: Disk) -> None:
    disk.anchor().unlink()
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    living = Journal(disk.paths)
    append(living)
    _restore(disk, backup)
    disk.anchor().unlink()
    with pytest.raises(RolledBack, match="had been read already"):
        living.head()
    with pytest.raises(RolledBack):
        append(living)
    # Another history at the very line that was seen.
    written(disk.paths, 1)
    with pytest.raises(RolledBack, match="two histories"):
        living.head()


@pytest.mark.parametrize("longer", [0, 1, 40])
def test_another_history_at_the_anchored_line_is_a_rollback(disk: Disk, longer: int) -> None:
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 2)
    anchored(disk)
    anchor = disk.anchor().read_bytes()
    _restore(disk, backup)
    disk.anchor().unlink()
    written(disk.paths, 2 + longer)
    disk.anchor().write_bytes(anchor)
    refused(disk, RolledBack, where=8)
    report = verify(Journal(disk.paths))
    assert [(found.code, found.rev) for found in report.findings] == [("rolled_back", 8)]


def test_another_history_is_a_rollback_for_a_writer_that_lives(disk: Disk) -> None:
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    living = Journal(disk.paths)
    append(living, "line 7", "line 8")
    anchored(disk)
    append(living, "line 9")
    append(living, "line 10")
    anchor = disk.anchor().read_bytes()
    _restore(disk, backup)
    disk.anchor().unlink()
    written(disk.paths, 6)
    disk.anchor().write_bytes(anchor)
    with pytest.raises(RolledBack, match="line 8"):
        append(living)


def test_the_anchor_moves_forward_only_and_by_its_own_content(disk: Disk) -> None:
    found = anchors.read(Journal(disk.paths).original)
    assert found is not None
    assert found.rev == 1
    written(disk.paths, 92)
    assert anchors.read(found.project) == found
    written(disk.paths, 3)
    moved = anchors.read(found.project)
    assert moved is not None
    assert moved.rev == 101
    assert anchors.advance(found)
    assert anchors.read(found.project) == moved


@pytest.mark.parametrize(
    ("at", "due"),
    [
        ("2026-11-30T10:00:00.000000+00:00", True),
        ("2026-11-30T10:00:59.900000+00:00", False),
        ("2026-11-30T10:01:05.000000+00:00", True),
    ],
)
def test_the_anchor_is_due_after_a_minute_and_when_its_time_lies_ahead(at: str, due: bool) -> None:
    anchor = anchors.Anchor("a" * 32, 5, "0" * 64, 1, at)
    assert anchors.is_due(anchor, 6, "2026-11-30T10:01:00.000000+00:00") is due


@pytest.mark.parametrize(
    "changed",
    [b"", b"{}", b"[]", b"\xff", b'"rev":true', b'"rev":"6"', b'"root":1.5', b'"v":2', b'"at":1'],
)
def test_an_anchor_that_says_something_else_is_none(disk: Disk, changed: bytes) -> None:
    path = disk.anchor()
    project = Journal(disk.paths).original
    whole = path.read_bytes()
    key = changed.split(b":")[0]
    if b":" in changed:
        start = whole.index(key)
        end = min(at for at in (whole.find(b",", start), whole.find(b"}", start)) if at > 0)
        changed = whole[:start] + changed + whole[end:]
    path.write_bytes(changed)
    assert anchors.read(project) is None
    path.write_bytes(whole)
    assert anchors.read(project) is not None


@pytest.mark.parametrize("index", ["with its cache", "without"])
def test_a_copied_project_is_not_written(disk: Disk, tmp_path: Path, index: str) -> None:
    copy = Disk(Paths(str(tmp_path / "copy" / Path(disk.paths.root).name)))
    shutil.copytree(Path(disk.paths.project), tmp_path / "copy")
    if index == "without":
        shutil.rmtree(copy.paths.cache)
    refused(copy, MovedOrCopied)
    assert [rev for rev, _, _ in appended(disk.paths)] == [7]


def test_a_project_moved_within_its_file_system_goes_on(disk: Disk, tmp_path: Path) -> None:
    Path(disk.paths.project).rename(tmp_path / "moved")
    moved = Paths(str(tmp_path / "moved" / Path(disk.paths.root).name))
    assert appended(moved) == [(7, "user", ["message_posted"])]
    with pytest.raises(NoProject):
        Journal(disk.paths)


def test_an_anchor_in_another_folder_is_never_moved_by_itself(disk: Disk) -> None:
    found = anchors.read(Journal(disk.paths).original)
    assert found is not None
    assert not anchors.advance(found._replace(rev=50, root=found.root + 1))
    assert anchors.read(found.project) == found
    assert anchors.advance(found._replace(rev=50))
    assert anchors.read(found.project) == found._replace(rev=50)
