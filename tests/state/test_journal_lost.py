"""What a backup or a clean-up leaves out, what is put back, and how exactly it is said (25, 28)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from state import doctor
from state.errors import Damaged, RolledBack
from state.health import check
from state.journal import anchor as anchors
from state.journal import writer as writers
from state.journal.follow import Follower
from state.journal.journal import Journal
from state.journal.settle import examine
from state.journal.verify import Report, verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from state.wake import consumers
from tests.state.journal_support import CLOCK, Disk, append, appended, made, refused, written
from tests.state.test_accept import USER

EMPTY_FOLDERS = ("tmp", "quarantine", "blobs", "spool", "consumers")


@pytest.fixture
def parted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A project of five segments or more."""
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 2000)
    found = Disk(made(tmp_path / "project"))
    written(found.paths, 20)
    return found


def remove_empty(paths: Paths) -> None:
    for name in EMPTY_FOLDERS:
        Path(paths.root, name).rmdir()


def test_folders_that_were_empty_are_made_anew_when_they_are_needed(disk: Disk) -> None:
    remove_empty(disk.paths)
    assert doctor.diagnose(disk.paths) == doctor.Diagnosis("ok", ())
    with Project(disk.paths) as project:
        project.run(Post(("codex",), "long", "x" * 20_000), USER)
    with consumers.holding(disk.paths, "codex", "me", CLOCK.now()):
        pass
    remaining = {name for name in EMPTY_FOLDERS if Path(disk.paths.root, name).is_dir()}
    assert remaining == set(EMPTY_FOLDERS) - {"spool"}


def test_a_torn_end_is_kept_in_a_quarantine_that_was_not_there(disk: Disk) -> None:
    remove_empty(disk.paths)
    disk.add(b"torn")
    assert [ops for _, _, ops in appended(disk.paths)] == [["recovered"], ["message_posted"]]
    assert list(disk.quarantine.values()) == [b"torn"]


def test_what_is_no_file_in_the_quarantine_stops_nobody(disk: Disk) -> None:
    Path(disk.paths.quarantined("torn-6-ab")).mkdir()
    os.mkfifo(disk.paths.quarantined("torn-6-cd"))
    assert [ops for _, _, ops in appended(disk.paths)] == [["message_posted"]]


@pytest.mark.parametrize("folder", ["head", "mutex"])
def test_a_folder_that_can_be_made_anew_is_said_with_the_command(disk: Disk, folder: str) -> None:
    lost = Path(disk.paths.root, folder)
    shutil.rmtree(lost)
    (one,) = doctor.diagnose(disk.paths).findings
    assert one.next.endswith(f"mkdir -m 700 {lost}")
    lost.mkdir(mode=0o700)
    if folder == "mutex":
        Path(disk.paths.mutex).touch(mode=0o600)
    assert appended(disk.paths)[0][0] == 7


def test_another_format_than_line_1_follows_is_noticed_before_anything_is_written(
    disk: Disk,
) -> None:
    written_once = Path(disk.paths.format)
    stated = written_once.read_bytes()
    at = stated.index(b'"project":"') + len(b'"project":"')
    other = stated[:at] + (b"1" if stated[at : at + 1] == b"0" else b"0") + stated[at + 1 :]
    written_once.write_bytes(other)
    refused(disk, Damaged, 1)
    with Project(disk.paths) as project:
        assert check(project).state == "damaged"
    diagnosis = doctor.diagnose(disk.paths)
    (one,) = diagnosis.findings
    assert (diagnosis.state, one.rev, one.segment, one.offset) == ("damaged", 1, 1, 0)
    assert "FORMAT" in one.what
    written_once.write_bytes(stated)
    append(Journal(disk.paths))


def lag(disk: Disk) -> bytes:
    """HEAD as it was before so many lines that the anchor is ahead of it; what it says by now."""
    old = disk.head.read_bytes()
    written(disk.paths, 101)
    new = disk.head.read_bytes()
    disk.head.write_bytes(old)
    return new


def test_a_head_older_than_the_anchor_is_no_rollback_while_the_lines_are_there(disk: Disk) -> None:
    new = lag(disk)
    report = verify(Journal(disk.paths))
    assert (report.ok, report.findings) == (True, ())
    assert [one.code for one in doctor.diagnose(disk.paths).findings] == ["unmarked"]
    follower = Follower(Journal(disk.paths))
    found = follower.poll()
    assert found.trouble is None
    follower.close()
    disk.head.write_bytes(new)
    assert doctor.diagnose(disk.paths).state == "ok"


def test_a_head_older_than_the_anchor_is_a_rollback_when_the_lines_are_gone(disk: Disk) -> None:
    size = disk.log.stat().st_size
    lag(disk)
    os.truncate(disk.log, size)
    assert [one.code for one in verify(Journal(disk.paths)).findings] == ["rolled_back"]
    follower = Follower(Journal(disk.paths))
    assert isinstance(follower.poll().trouble, RolledBack)
    follower.close()


def test_lines_and_anchor_that_come_while_they_are_read_are_no_rollback(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = anchors.read

    def written_meanwhile(project: str) -> anchors.Anchor | None:
        monkeypatch.setattr(anchors, "read", read)
        written(disk.paths, 101)
        return read(project)

    for look in (examine, verify):
        monkeypatch.setattr(anchors, "read", written_meanwhile)
        found = look(Journal(disk.paths))
        assert not isinstance(found, Report) or found.ok


def test_each_segment_is_checked_when_one_is_missing(parted: Disk) -> None:
    sound = verify(Journal(parted.paths)).lines
    second = Path(parted.paths.segment(2))
    first = first_line(second)
    lost = second.read_bytes().count(b"\n")
    second.rename(parted.paths.project + "/aside")
    for deep in (False, True):
        report = verify(Journal(parted.paths), deep=deep)
        places = [(one.rev, one.segment, one.offset) for one in report.findings]
        assert places == [(first, 2, 0), (first, 3, 0)]
        assert (report.complete, report.lines) == (True, sound - lost)


def test_an_empty_segment_is_said_where_it_is(parted: Disk) -> None:
    second = Path(parted.paths.segment(2))
    first = first_line(second)
    second.chmod(0o600)
    second.write_bytes(b"")
    place = verify(Journal(parted.paths)).findings[0]
    assert (place.rev, place.segment, place.offset) == (first, 2, 0)


def first_line(segment: Path) -> int:
    """The number of the line that a segment begins with."""
    return int(segment.read_bytes().split(b'"rev":')[1].split(b",")[0])


def test_a_second_name_of_a_segment_is_undone_by_what_the_doctor_says(parted: Disk) -> None:
    os.link(parted.paths.segment(2), parted.paths.project + "/second")
    first = doctor.diagnose(parted.paths).findings[0]
    assert "second name" in first.what
    command = first.next.partition(": ")[2]
    assert "--accept" not in command
    subprocess.run(["sh", "-c", command], check=True)
    assert doctor.diagnose(parted.paths).state == "ok"
