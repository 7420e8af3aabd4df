"""Segments: how one follows another, and damage in and between them (faults 18 and 20)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from state import files
from state.errors import Damaged, NotCommitted, StateError
from state.journal import writer as writers
from state.journal.journal import Journal
from state.journal.verify import verify
from state.paths import Paths
from tests.state.journal_support import Disk, append, made, written


@dataclass(frozen=True, slots=True)
class Start:
    """Bytes to begin with, put into place again for each death."""

    disk: Disk
    log: bytes
    head: bytes
    anchor: bytes

    def put(self) -> None:
        for path in Path(self.disk.paths.log_dir).iterdir():
            path.unlink()
        self.disk.log.write_bytes(self.log)
        self.disk.head.write_bytes(self.head)
        self.disk.anchor().write_bytes(self.anchor)
        for folder in (self.disk.paths.quarantine, self.disk.paths.tmp):
            for path in Path(folder).iterdir():
                path.unlink()


@pytest.fixture
def start(tmp_path: Path) -> Start:
    disk = Disk(made(tmp_path / "project"))
    written(disk.paths, 3)
    return Start(disk, disk.log.read_bytes(), disk.head.read_bytes(), disk.anchor().read_bytes())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Disk:
    """A project of several segments, each of a few lines."""
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 2000)
    disk = Disk(made(tmp_path / "project"))
    written(disk.paths, 20)
    return disk


def segments(paths: Paths) -> list[Path]:
    return sorted(Path(paths.log_dir).iterdir())


def test_a_segment_opens_with_what_it_follows(small: Disk) -> None:
    found = segments(small.paths)
    assert [path.name for path in found][:2] == ["00000001.jsonl", "00000002.jsonl"]
    assert len(found) >= 4
    modes = [path.stat().st_mode & 0o777 for path in found]
    assert modes == [0o400] * (len(found) - 1) + [0o600]
    for number, path in enumerate(found[1:], 2):
        first = path.read_bytes().split(b"\n")[0]
        assert b'"seat":"system"' in first
        assert b'"ops":[{"op":"segment","number":%d,"size":' % number in first
    journal = Journal(small.paths)
    report = verify(journal, deep=True)
    assert (report.ok, report.findings) == (True, ())
    assert journal.head().seg == len(found)
    # Every line but the last of a segment starts below the limit.
    for path in found[:-1]:
        lines = path.read_bytes().splitlines(keepends=True)
        assert sum(map(len, lines[:-1])) < 2000 <= sum(map(len, lines))


@pytest.mark.parametrize("change", ["longer", "shorter", "missing", "changed", "linked"])
def test_damage_in_a_finished_segment_is_found_with_its_place(
    small: Disk, change: str, tmp_path: Path
) -> None:
    path = segments(small.paths)[1]
    path.chmod(0o600)
    raw = path.read_bytes()
    if change == "missing":
        path.unlink()
    elif change == "linked":
        path.rename(tmp_path / "aside")
        path.symlink_to(tmp_path / "aside")
    else:
        changed = {"longer": raw + b"x\n", "shorter": raw[:-40], "changed": raw.replace(b"5", b"6")}
        path.write_bytes(changed[change])
    report = verify(Journal(small.paths), deep=True)
    assert not report.ok
    assert report.findings[0].code == "damaged"
    assert report.findings[0].segment == 2


@pytest.mark.parametrize("content", [b"", b"hello\n", bytes(4000)])
def test_a_next_segment_of_somebody_else_is_damage(small: Disk, content: bytes) -> None:
    found = segments(small.paths)
    beyond = Path(small.paths.segment(len(found) + 1))
    beyond.write_bytes(content)
    with pytest.raises(Damaged) as refused:
        append(Journal(small.paths))
    assert refused.value.segment == len(found) + 1
    assert beyond.read_bytes() == content


def test_a_next_segment_that_follows_is_adopted(small: Disk) -> None:
    head = small.head.read_bytes()
    before = len(segments(small.paths))
    journal = Journal(small.paths)
    while len(segments(small.paths)) == before:
        last = append(journal)
    small.head.write_bytes(head)
    Path(small.paths.segment(before)).chmod(0o600)
    other = Journal(small.paths)
    assert append(other).rev == last.rev + 1
    assert verify(other, deep=True).findings == ()
    assert Path(small.paths.segment(before)).stat().st_mode & 0o777 == 0o400


def test_a_rest_before_a_next_segment_is_damage(small: Disk) -> None:
    head = small.head.read_bytes()
    before = len(segments(small.paths))
    journal = Journal(small.paths)
    while len(segments(small.paths)) == before:
        append(journal)
    small.head.write_bytes(head)
    finished = Path(small.paths.segment(before))
    finished.chmod(0o600)
    with finished.open("ab") as file:
        file.write(b"rest")
    with pytest.raises(Damaged, match="missing or changed"):
        append(Journal(small.paths))


def test_a_segment_that_cannot_be_made_leaves_the_journal_as_it_was(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", len(start.log))
    before = start.disk.everything()
    with monkeypatch.context() as patch:
        patch.setattr(files, "rename", _full)
        with pytest.raises(NotCommitted, match="new segment"):
            append(Journal(start.disk.paths))
    assert start.disk.everything() == before
    assert append(Journal(start.disk.paths)).segment == 2


def _full(*_: object) -> None:
    raise OSError(28, os.strerror(28))


def test_a_finished_segment_needs_no_right_to_write(small: Disk) -> None:
    journal = Journal(small.paths)
    for path in segments(small.paths):
        path.chmod(0o400)
    try:
        assert verify(journal, deep=True).ok
        assert journal.head().seg > 1
    except StateError as error:
        raise AssertionError("reading needs no more than reading") from error


@pytest.mark.parametrize("content", [b"", b"hello\n", bytes(4000)])
def test_a_next_segment_of_somebody_else_is_damage_long_before_it_is_due(
    tmp_path: Path, content: bytes
) -> None:
    disk = Disk(made(tmp_path / "project"))
    before = disk.everything()
    beyond = Path(disk.paths.segment(2))
    beyond.write_bytes(content)
    with pytest.raises(Damaged) as refused:
        append(Journal(disk.paths))
    assert (refused.value.segment, refused.value.offset) == (2, 0)
    beyond.unlink()
    assert disk.everything() == before
