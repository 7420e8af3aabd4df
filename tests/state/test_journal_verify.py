"""The whole chain checked: sums, shapes, what the lines name; and exported (fault 20)."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from state.errors import Damaged, Replaced
from state.journal import anchor as anchors
from state.journal import verify as verifying
from state.journal import writer as writers
from state.journal.export import export
from state.journal.journal import Journal
from state.journal.line import seal
from state.journal.verify import verify
from tests.state.journal_support import Disk, made, spoiled, written


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths, 9)
    return found


def rewritten(disk: Disk, number: int, old: bytes, new: bytes) -> None:
    """Another text in one line, and from there on a chain and a HEAD that agree with it.

    What whoever may write the folder can do: sums and hashes are no signature.
    """
    lines = disk.lines
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    assert new in lines[number - 1]
    for at in range(number - 1, len(lines)):
        body = lines[at][:-27]
        if at >= number:
            start = body.index(b'"prev":"') + 8
            before = sha256(lines[at - 1]).hexdigest().encode()
            body = body[:start] + before + body[start + 64 :]
        lines[at] = seal(body)
    disk.log.write_bytes(b"".join(lines))
    disk.head.write_bytes(bytes(8192))
    disk.anchor().unlink(missing_ok=True)
    journal = Journal(disk.paths)
    with writers.writing(journal, seat="user", now=lambda: "2026-11-30T10:00:00.000000+00:00"):
        pass
    journal.close()


@pytest.mark.parametrize("deep", [False, True])
def test_a_sound_journal_is_checked_in_batches(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, deep: bool
) -> None:
    assert verifying.BATCH == 5000
    monkeypatch.setattr(verifying, "BATCH", 4)
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 2500)
    written(disk.paths, 10)
    journal = Journal(disk.paths)
    head = journal.head()
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    report = verify(journal, progress, deep=deep)
    assert (report.ok, report.complete, report.findings) == (True, True, ())
    assert (report.lines, report.head) == (head.rev, head)
    assert told == [(done, head.rev) for done in (*range(4, head.rev, 4), head.rev)]


@pytest.mark.parametrize("deep", [False, True])
def test_a_check_can_be_cancelled(disk: Disk, monkeypatch: pytest.MonkeyPatch, deep: bool) -> None:
    monkeypatch.setattr(verifying, "BATCH", 4)
    report = verify(Journal(disk.paths), None, lambda: True, deep=deep)
    assert (report.ok, report.complete, report.lines) == (True, False, 4)


def test_what_progress_raises_ends_the_check(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "BATCH", 4)

    def full(_done: int, _total: int) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        verify(Journal(disk.paths), full)


@pytest.mark.parametrize("deep", [False, True])
def test_every_damaged_line_is_found_and_the_rest_is_checked(disk: Disk, deep: bool) -> None:
    spoiled(disk, 2, 5, 6)
    lines = disk.lines
    report = verify(Journal(disk.paths), deep=deep)
    assert [found.rev for found in report.findings] == [2, 5, 6]
    assert [found.offset for found in report.findings] == [
        sum(map(len, lines[: number - 1])) for number in (2, 5, 6)
    ]
    assert (report.ok, report.complete, report.lines) == (False, True, 7)


def test_lines_that_are_missing_behind_a_damaged_one_are_named(disk: Disk) -> None:
    spoiled(disk, 3)
    lines = disk.lines
    pad = b"x" * (sum(map(len, lines[3:5])) - 1) + b"\n"
    disk.log.write_bytes(b"".join([*lines[:3], pad, *lines[5:]]))
    found = verify(Journal(disk.paths)).findings
    assert [one.rev for one in found] == [3, 4, 5]
    assert "line 5 is missing" in found[2].what


def test_a_check_ends_after_a_hundred_findings(disk: Disk) -> None:
    written(disk.paths, 200)
    disk.log.write_bytes(disk.log.read_bytes().replace(b"\n", b" \n"))
    report = verify(Journal(disk.paths))
    assert (len(report.findings), report.complete) == (100, False)


@pytest.mark.parametrize("anchored", [True, False])
def test_a_blank_head_is_no_damage_and_the_lines_are_checked(disk: Disk, anchored: bool) -> None:
    disk.head.write_bytes(bytes(8192))
    if not anchored:
        disk.anchor().unlink()
    report = verify(Journal(disk.paths))
    assert (report.ok, report.lines, report.head.rev) == (True, 10, 10)
    (found,) = report.findings
    assert (found.code, found.hint) == ("head_blank", "the next change writes it anew")
    assert ("nothing outside the project confirms" in found.what) == (not anchored)
    spoiled(disk, 4)
    with pytest.raises(Damaged, match="line 4"):
        verify(Journal(disk.paths))


def test_an_open_reader_sees_that_a_blank_head_ends_too_early(disk: Disk) -> None:
    journal = Journal(disk.paths)
    assert journal.head().rev == 10
    disk.head.write_bytes(bytes(8192))
    disk.log.write_bytes(b"".join(disk.lines[:7]))
    report = verify(journal)
    assert [one.code for one in report.findings] == ["head_blank", "rolled_back"]
    assert (report.ok, report.worst) == (False, report.findings[1])


def test_what_a_program_left_that_saved_the_file_is_named(disk: Disk) -> None:
    log, first = disk.log.read_bytes(), Path(disk.paths.format).read_bytes()
    disk.log.write_bytes(b"\xef\xbb\xbf" + log.replace(b"\n", b"\r\n"))
    found = [one.what for one in verify(Journal(disk.paths)).findings[:2]]
    assert found[0].endswith("its own sum: a byte order mark was put before it")
    assert found[1].endswith("its own sum: its line end was changed to CR LF")
    Path(disk.paths.format).write_bytes(first.replace(b"\n", b"\r\n"))
    with pytest.raises(Damaged, match="created: its line end was changed to CR LF"):
        Journal(disk.paths)


def test_the_anchored_line_is_compared_however_far_back_it_lies(disk: Disk) -> None:
    journal = Journal(disk.paths)
    anchor = anchors.read(journal.original)
    assert anchor is not None
    wrong = anchors.Anchor(anchor.project, 4, "0" * 64, anchor.root, anchor.at)
    anchors.write(wrong)
    assert [(one.code, one.rev) for one in verify(journal).findings] == [("rolled_back", 4)]
    ahead = anchors.Anchor(anchor.project, 99, "0" * 64, anchor.root, anchor.at)
    anchors.write(ahead)
    assert [(one.code, one.rev) for one in verify(journal).findings] == [("rolled_back", 10)]


SHAPES = [
    (b'"hops":0', b'"hops":"0"', "hops"),
    (b'"hops":0', b'"hops":true', "hops"),
    (b'"hops":0', b'"hops":0.0', "hops"),
    (b'"hops":0', b'"hops":9007199254740992', "hops"),
    (b'"hops":0', b'"hops":0,"more":1', "more"),
    (b'"urgency":"normal",', b"", "urgency"),
    (b'"to":["codex"]', b'"to":"codex"', "to"),
    (b'"to":["codex"]', b'"to":[1]', "to.0"),
    (b'"reply_to":null', b'"reply_to":[]', "reply_to"),
    (b'"body":"its text"', b'"body":{"sha256":"a"}', "body"),
    (b'"body":"its text"', b'"body":' + b"[" * 400 + b"]" * 400, "body"),
]


@pytest.mark.parametrize(("old", "new", "field"), SHAPES, ids=lambda value: str(value)[:40])
def test_an_operation_of_another_shape_chains_but_is_found(
    disk: Disk, old: bytes, new: bytes, field: str
) -> None:
    rewritten(disk, 5, old, new)
    journal = Journal(disk.paths)
    assert verify(journal).ok
    report = verify(journal, deep=True)
    (found,) = report.findings
    assert (report.ok, found.code, found.rev) == (False, "damaged", 5)
    assert f"'{field}" in found.what


def test_a_newer_operation_ends_the_check(disk: Disk) -> None:
    rewritten(disk, 5, b'"op":"message_posted"', b'"op":"message_posted"')
    lines = disk.lines
    lines[4] = seal(lines[4][:-27].replace(b"message_posted", b"message_folded"))
    disk.log.write_bytes(b"".join(lines))
    report = verify(Journal(disk.paths), deep=True)
    assert [found.code for found in report.findings] == ["newer_format"]
    assert (report.ok, report.complete, report.lines) == (False, False, 4)


def test_another_folder_is_not_checked_in_its_place(disk: Disk, tmp_path: Path) -> None:
    journal = Journal(disk.paths)
    Path(disk.paths.root).rename(tmp_path / "aside")
    with pytest.raises(Replaced):
        verify(journal)


def test_an_export_is_the_stored_bytes_up_to_head(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 2500)
    written(disk.paths, 10)
    segments = sorted(Path(disk.paths.log_dir).iterdir())
    assert len(segments) > 2
    stored = b"".join(path.read_bytes() for path in segments)
    with segments[-1].open("ab") as file:
        file.write(b"not committed")
    parts: list[bytes] = []
    assert export(Journal(disk.paths), parts.append) == len(stored)
    assert b"".join(parts) == stored

    def gone(_: bytes) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        export(Journal(disk.paths), gone)


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("inside", [0, 9])
def test_an_end_that_is_cut_is_one_finding(disk: Disk, inside: int, deep: bool) -> None:
    size = sum(map(len, disk.lines[:8])) + inside
    os.truncate(disk.log, size)
    report = verify(Journal(disk.paths), deep=deep)
    (found,) = report.findings
    assert (found.code, found.offset) == ("rolled_back", size)
    assert (report.ok, report.lines) == (False, 8)
