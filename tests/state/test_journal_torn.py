"""Torn ends and unmarked lines: what stands behind HEAD (faults 17-19)."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from state.errors import Damaged
from state.journal.journal import Journal
from state.journal.line import seal
from state.journal.settle import examine
from state.journal.verify import verify
from state.journal.writer import writing
from tests.state.journal_support import (
    CLOCK,
    Disk,
    append,
    appended,
    next_line,
    refused,
)

SECTOR = 512


ENDS: dict[str, Callable[[bytes], bytes]] = {
    "half a line": lambda line: line[: len(line) // 2],
    "a line that lacks its end": lambda line: line[:-1],
    "one byte": lambda line: line[:1],
    "zeros": lambda line: bytes(len(line)),
    "a lost sector": lambda line: line[:100] + bytes(SECTOR) + line[100 + SECTOR :],
    "hello": lambda line: b"hello\n",
    "JSON without a sum": lambda line: line[:-27] + b"}\n",
    "only a line feed": lambda line: b"\n",
    "another sum": lambda line: line[:-4] + b"!" + line[-3:],
    "bytes of any kind": lambda line: os.urandom(900),
    "several lines of text": lambda line: b"one\ntwo\r\nthree",
    "a line behind garbage": lambda line: b"x" + line,
    "more than a line may hold": lambda line: b"x" * 3_000_000,
}


@pytest.mark.parametrize("name", ENDS)
def test_a_torn_end_is_kept_byte_for_byte_and_work_goes_on(disk: Disk, name: str) -> None:
    rest = ENDS[name](next_line(disk, "x" * 600))
    kept = disk.log.read_bytes()
    disk.add(rest)
    new = appended(disk.paths)
    assert new == [(7, "system", ["recovered"]), (8, "user", ["message_posted"])]
    assert disk.log.read_bytes().startswith(kept)
    ((file, found),) = disk.quarantine.items()
    assert found == rest
    journal = Journal(disk.paths)
    assert verify(journal, deep=True).findings == ()
    journal.close()
    (disk.log.parents[1] / "quarantine" / file).write_bytes(b"changed")
    journal = Journal(disk.paths)
    report = verify(journal, deep=True)
    assert (report.ok, [found.code for found in report.findings]) == (True, ["quarantine"])


def test_a_torn_end_is_set_aside_by_a_change_only(disk: Disk) -> None:
    disk.add(b"hello\n")
    before = disk.everything()
    journal = Journal(disk.paths)
    examine(journal)
    assert journal.head().rev == 6
    assert verify(journal).ok
    assert disk.everything() == before


def test_a_refused_command_leaves_the_recovery_to_the_next(disk: Disk) -> None:
    disk.add(b"hello\n")
    journal = Journal(disk.paths)
    with writing(journal, seat="user", now=CLOCK.now) as writer:
        assert writer.head.rev == 6
    assert list(disk.quarantine.values()) == [b"hello\n"]
    assert appended(disk.paths)[0] == (7, "system", ["recovered"])
    assert appended(disk.paths) == [(9, "user", ["message_posted"])]


def test_many_torn_ends_are_all_told_of(disk: Disk) -> None:
    journal = Journal(disk.paths)
    for number in range(130):
        disk.add(b"torn %d" % number)
        with writing(journal, seat="user", now=CLOCK.now):
            pass
    assert len(disk.quarantine) == 130
    new = appended(disk.paths)
    assert [seat for _, seat, _ in new] == ["system", "system", "user"]
    assert sum(len(ops) for _, _, ops in new[:2]) == 130


def test_the_same_torn_end_twice_is_kept_once_another_of_its_name_beside_it(disk: Disk) -> None:
    journal = Journal(disk.paths)
    for _ in range(2):
        disk.add(b"hello\n")
        with writing(journal, seat="user", now=CLOCK.now):
            pass
    ((name, _),) = disk.quarantine.items()
    (disk.log.parents[1] / "quarantine" / name).write_bytes(b"changed since")
    disk.add(b"hello\n")
    appended(disk.paths)
    assert sorted(disk.quarantine.values()) == [b"changed since", b"hello\n"]


def test_a_whole_line_after_head_is_adopted(disk: Disk) -> None:
    disk.add(next_line(disk))
    assert appended(disk.paths) == [(8, "user", ["message_posted"])]
    assert disk.quarantine == {}


def test_whole_lines_and_then_a_torn_one(disk: Disk) -> None:
    disk.add(next_line(disk) + b'{"v":1,"rev":8')
    assert [rev for rev, _, _ in appended(disk.paths)] == [8, 9]
    assert list(disk.quarantine.values()) == [b'{"v":1,"rev":8']


def test_the_last_line_doubled_is_damage(disk: Disk) -> None:
    disk.add(disk.lines[-1])
    refused(disk, Damaged, where=7)


@pytest.mark.parametrize("torn", [b"torn\n", bytes(3_000_000) + b"\n"])
def test_a_whole_line_behind_a_torn_one_is_damage(disk: Disk, torn: bytes) -> None:
    disk.add(torn + next_line(disk))
    refused(disk, Damaged, where=7)


def test_a_whole_line_that_does_not_follow_is_damage(disk: Disk) -> None:
    line = next_line(disk)
    disk.add(seal(line[:-27].replace(b'"rev":7', b'"rev":8')))
    refused(disk, Damaged, where=7)


def test_a_flood_behind_head_is_not_read_into_memory(disk: Disk) -> None:
    os.truncate(disk.log, disk.log.stat().st_size + (1 << 33))
    size = disk.log.stat().st_size
    for attempt in (append, examine):
        with pytest.raises(Damaged, match="bytes of something else"):
            attempt(Journal(disk.paths))
    assert disk.log.stat().st_size == size
