"""A line before the last one that was changed is found by the next change (fault 20)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from state.errors import Damaged
from state.health import check
from state.journal import untouched
from state.journal import writer as writers
from state.journal.follow import Follower
from state.journal.journal import Journal
from state.project import Project
from tests.state.journal_support import Disk, append, made, refused, written

LATER = 5 * 10**9


@pytest.fixture(params=[1, 2], ids=["one segment", "several"])
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Disk:
    found = Disk(made(tmp_path / "project"))
    if request.param == 2:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(writers, "SEGMENT_BYTES", 500)
            written(found.paths, 1)
    written(found.paths, 6)
    return found


def last_segment(disk: Disk) -> Path:
    return max(Path(disk.paths.log_dir).iterdir())


def change(path: Path, number: int, make: Callable[[bytes], bytes]) -> int:
    """One line becomes another of the same length, as an editor would; gives its revision."""
    lines = path.read_bytes().splitlines(keepends=True)
    rev = int(lines[number].split(b'"rev":')[1].split(b",")[0])
    lines[number] = make(lines[number])
    touch(path, b"".join(lines))
    return rev


def touch(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    now = path.stat().st_mtime_ns + LATER
    os.utime(path, ns=(now, now))


@pytest.mark.parametrize("number", [1, 2, -2])
def test_a_changed_line_is_found_also_by_the_process_that_wrote_the_last_one(
    disk: Disk, number: int
) -> None:
    journal = Journal(disk.paths)
    append(journal)
    path = last_segment(disk)
    before = path.read_bytes()
    rev = change(path, number, lambda raw: raw.replace(b"text", b"next"))
    refused(disk, Damaged, rev)
    with pytest.raises(Damaged) as found:
        append(journal)
    assert (found.value.rev, found.value.offset) == (rev, before.index(b'{"v":1,"rev":%d,' % rev))
    with Project(disk.paths) as project:
        assert check(project).state == "damaged"
    touch(path, before)
    append(journal)
    journal.close()


def test_two_lines_that_changed_places_are_found(disk: Disk) -> None:
    path = last_segment(disk)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1], lines[2] = lines[2], lines[1]
    touch(path, b"".join(lines))
    refused(disk, Damaged)


def test_a_file_that_was_only_touched_is_gone_through_once(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    go_through = untouched._check_lines

    def noting(*given: object) -> None:
        looked.append(1)
        go_through(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(untouched, "_check_lines", noting)
    path = last_segment(disk)
    with Project(disk.paths) as project:
        assert check(project).state == "ok"
        assert looked == []
        touch(path, path.read_bytes())
        for _ in range(2):
            assert check(project).state == "ok"
    assert looked == [1]


def test_who_only_reads_finds_it_too(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    assert follower.poll().trouble is None
    path = last_segment(disk)
    before = path.read_bytes()
    rev = change(path, 2, lambda raw: raw.replace(b"text", b"next"))
    trouble = follower.poll().trouble
    assert isinstance(trouble, Damaged)
    assert trouble.rev == rev
    touch(path, before)
    assert follower.poll().trouble is None
    follower.close()
