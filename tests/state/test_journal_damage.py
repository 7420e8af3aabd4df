"""Committed bytes that changed, and a HEAD that is lost (faults 20-22)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from state.errors import Damaged, RolledBack
from state.journal.journal import Journal
from state.journal.settle import examine
from state.journal.verify import verify
from state.journal.writer import writing
from tests.state.journal_support import (
    CLOCK,
    Disk,
    anchored,
    append,
    appended,
    made,
    newest,
    refused,
    slot,
    written,
)

CHANGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a flipped bit in the last line": (lambda ls: [*ls[:-1], _flip(ls[-1])], 6),
    "two lines swapped, the last one too": (lambda ls: [*ls[:4], ls[5], ls[4]], 6),
    "a line deleted": (lambda ls: [*ls[:3], *ls[4:]], 4),
    "the first line deleted": (lambda ls: ls[1:], 1),
    "line ends changed": (lambda ls: [line.replace(b"\n", b"\r\n") for line in ls], 6),
    "a byte order mark": (lambda ls: [b"\xef\xbb\xbf", *ls], 6),
}


def _flip(line: bytes) -> bytes:
    return line[:80] + bytes([line[80] ^ 1]) + line[81:]


@pytest.mark.parametrize("name", CHANGES)
def test_changed_bytes_that_were_committed_are_damage(disk: Disk, name: str) -> None:
    change, rev = CHANGES[name]
    disk.log.write_bytes(b"".join(change(disk.lines)))
    anchor = disk.anchor()
    anchor.unlink()
    refused(disk, Damaged, where=rev)


INSIDE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a flipped bit": (lambda ls: [*ls[:2], _flip(ls[2]), *ls[3:]], 3),
    "two lines swapped": (lambda ls: [*ls[:2], ls[3], ls[2], *ls[4:]], 3),
    "one line twice": (lambda ls: [*ls[:3], *ls[2:]], 4),
    "one line gone": (lambda ls: [*ls[:2], *ls[3:]], 3),
    "a line end changed": (lambda ls: [*ls[:2], ls[2][:-1] + b"\r\n", *ls[3:]], 3),
    "a byte order mark": (lambda ls: [b"\xef\xbb\xbf" + ls[0], *ls[1:]], 1),
}


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("name", INSIDE)
def test_what_changed_inside_is_found_by_the_check_with_its_place(
    disk: Disk, name: str, deep: bool
) -> None:
    change, rev = INSIDE[name]
    lines = disk.lines
    disk.log.write_bytes(b"".join(change(lines)))
    report = verify(Journal(disk.paths), deep=deep)
    assert not report.ok
    first = report.findings[0]
    assert (first.code, first.rev, first.segment) == ("damaged", rev, 1)
    assert first.offset == sum(map(len, lines[: rev - 1]))


@pytest.mark.parametrize("cut", ["at a line", "inside a line", "inside an earlier line", "all"])
def test_a_cut_tail_is_a_rollback(disk: Disk, cut: str) -> None:
    lines = disk.lines
    sizes = {
        "at a line": sum(map(len, lines[:-1])),
        "inside a line": sum(map(len, lines)) - 9,
        "inside an earlier line": sum(map(len, lines[:3])) + 30,
        "all": 0,
    }
    os.truncate(disk.log, sizes[cut])
    refused(disk, RolledBack, where=6)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 512, b'{"v":1}' + b" " * 505])
@pytest.mark.parametrize("which", ["newer", "older", "both"])
def test_bad_slots_heal(disk: Disk, which: str, content: bytes) -> None:
    number = newest(disk)
    for one in {"newer": [number], "older": [1 - number], "both": [0, 1]}[which]:
        slot(disk, one, content)
    assert appended(disk.paths) == [(7, "user", ["message_posted"])]


@pytest.mark.parametrize("state", ["deleted", "empty", "short"])
def test_a_head_that_is_gone_is_found_again_from_the_log(disk: Disk, state: str) -> None:
    if state == "deleted":
        disk.head.unlink()
    else:
        os.truncate(disk.head, 0 if state == "empty" else 300)
    journal = Journal(disk.paths)
    with pytest.raises(Damaged, match="HEAD can't be read"):
        journal.head()
    assert examine(journal).head.rev == 6
    assert appended(disk.paths) == [(7, "user", ["message_posted"])]
    assert disk.head.stat().st_size == 8192 or state != "deleted"


def test_a_head_deleted_while_it_is_open_heals(disk: Disk) -> None:
    journal = Journal(disk.paths)
    append(journal)
    disk.head.unlink()
    append(journal)
    assert journal.head().rev == 8
    assert Journal(disk.paths).head().rev == 8


def test_a_rebuilt_head_without_an_anchor_is_marked(disk: Disk) -> None:
    for there in (True, False):
        disk.head.write_bytes(bytes(8192))
        if not there:
            disk.anchor().unlink()
        with writing(Journal(disk.paths), seat="user", now=CLOCK.now) as writer:
            assert writer.unanchored is not there


def test_a_blank_head_over_a_damaged_log_writes_nothing(disk: Disk) -> None:
    lines = disk.lines
    disk.log.write_bytes(b"".join([*lines[:2], _flip(lines[2]), *lines[3:]]))
    disk.head.write_bytes(bytes(8192))
    refused(disk, Damaged, where=3)


def test_a_blank_head_over_a_cut_log_is_a_rollback_by_the_anchor(disk: Disk) -> None:
    anchored(disk)
    os.truncate(disk.log, sum(map(len, disk.lines[:4])))
    disk.head.write_bytes(bytes(8192))
    refused(disk, RolledBack, where=4)


def test_a_blank_head_over_an_empty_log_is_damage(disk: Disk) -> None:
    disk.anchor().unlink()
    disk.log.write_bytes(b"")
    disk.head.write_bytes(bytes(8192))
    refused(disk, Damaged)


def test_an_old_head_heals_even_when_the_anchor_is_ahead_of_it(disk: Disk) -> None:
    old = disk.head.read_bytes()
    written(disk.paths, 3)
    anchored(disk)
    disk.head.write_bytes(old)
    assert appended(disk.paths) == [(10, "user", ["message_posted"])]


def test_a_head_of_another_project_is_damage(disk: Disk, tmp_path: Path) -> None:
    other = Disk(made(tmp_path / "other"))
    written(other.paths, 5)
    disk.head.write_bytes(other.head.read_bytes())
    refused(disk, Damaged)
