"""The whole chain checked, how a project is, what the doctor says, moved and copied projects."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import orjson
import pytest

from state import doctor, files
from state.command import Actor
from state.errors import MovedOrCopied, NoProject, NotCommitted, Refused, Replaced
from state.health import check, last_verified, remember
from state.journal import anchor as anchors
from state.journal import verify as verifying
from state.journal import writer as writers
from state.journal.export import export
from state.journal.journal import Journal
from state.journal.line import seal
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.state.journal_support import Disk, append, made, written

USER = Actor("user", "cli")


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


# The chain.


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


def spoiled(disk: Disk, *numbers: int) -> None:
    lines = disk.lines
    for number in numbers:
        raw = bytearray(lines[number - 1])
        raw[90] ^= 1
        lines[number - 1] = bytes(raw)
    disk.log.write_bytes(b"".join(lines))


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


def test_a_blank_head_is_a_finding_and_the_lines_are_checked(disk: Disk) -> None:
    disk.head.write_bytes(bytes(8192))
    report = verify(Journal(disk.paths))
    assert (report.ok, report.lines, report.head.rev) == (False, 10, 10)
    assert "HEAD can't be read" in report.findings[0].what


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


# Export.


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


# Health.


def cut(disk: Disk) -> None:
    os.truncate(disk.log, disk.log.stat().st_size - 5)


def spoil_last(disk: Disk) -> None:
    spoiled(disk, 10)


def newer(disk: Disk) -> None:
    raw = disk.lines[-1]
    changed = seal(raw[:-27].replace(b'"op":"message_posted"', b'"op":"message_pinned"'))
    assert len(changed) == len(raw)
    head = disk.head.read_bytes()
    old, new = sha256(raw).hexdigest().encode(), sha256(changed).hexdigest().encode()
    at = head.index(old) // 4096 * 4096
    slot = seal(head[at:].split(b',"sum"')[0].replace(old, new)).ljust(512)
    disk.log.write_bytes(b"".join([*disk.lines[:-1], changed]))
    disk.head.write_bytes(head[:at] + slot + head[at + 512 :])


def elsewhere(disk: Disk) -> None:
    aside = Path(disk.paths.root + ".aside")
    shutil.copytree(disk.paths.root, aside)
    shutil.rmtree(disk.paths.root)
    # The old inode must not be given to the copy.
    (aside.parent / "taken").mkdir()
    aside.rename(disk.paths.root)


STATES: dict[str, tuple[Callable[[Disk], object], bool]] = {
    "ok": (lambda disk: None, True),
    "damaged": (spoil_last, True),
    "rolled_back": (cut, True),
    "newer_format": (newer, True),
    "moved_or_copied": (elsewhere, True),
}


@pytest.mark.parametrize("state", STATES)
def test_health_says_how_the_project_is(disk: Disk, state: str) -> None:
    change, writable = STATES[state]
    change(disk)
    before = disk.everything()
    with Project(disk.paths) as project:
        health = check(project)
    assert (health.state, health.writable) == (state, writable)
    assert (health.trouble is None) == (state == "ok")
    assert health.trouble is None or health.trouble.code == state
    assert disk.everything() == before


def test_health_says_that_the_folder_was_replaced(disk: Disk, tmp_path: Path) -> None:
    with Project(disk.paths) as project:
        Path(disk.paths.root).rename(tmp_path / "aside")
        assert check(project).state == "replaced"


def test_the_last_whole_check_is_a_hint(disk: Disk) -> None:
    with Project(disk.paths) as project:
        assert check(project).last_verified is None
        remember(project, verify(project.journal))
        hint = check(project).last_verified
        assert hint is not None
        assert (hint.to, hint.whole) == (10, True)
        append(Journal(disk.paths))
        assert check(project).last_verified == hint
        spoiled(disk, 3)
        remember(project, verify(project.journal))
        assert check(project).last_verified == hint
    for bad in (b"", b"{}", b"[]", b'{"to":true,"at":"x","whole":1}', b"\xff"):
        Path(disk.paths.verified).write_bytes(bad)
        assert last_verified(disk.paths) is None


def test_a_hint_that_cannot_be_left_is_no_fault(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "full")

    with Project(disk.paths) as project:
        report = verify(project.journal)
        monkeypatch.setattr(files, "write_new", full)
        remember(project, report)
        assert check(project).last_verified is None


# The doctor.


def codes(paths: Paths) -> tuple[str, list[str]]:
    found = doctor.diagnose(paths)
    return found.state, [one.code for one in found.findings]


def test_the_doctor_finds_nothing_wrong_with_a_sound_project(disk: Disk) -> None:
    before = disk.everything()
    assert codes(disk.paths) == ("ok", [])
    assert disk.everything() == before
    with pytest.raises(NoProject):
        doctor.diagnose(Paths(disk.paths.project + "/nothing"))


def test_the_doctor_says_what_is_wrong_and_where(disk: Disk) -> None:
    spoiled(disk, 4)
    found = doctor.diagnose(disk.paths)
    (one,) = found.findings
    assert (found.state, one.code, one.rev, one.segment) == ("damaged", "damaged", 4, 1)
    assert one.offset == sum(map(len, disk.lines[:3]))
    cut(disk)
    assert codes(disk.paths) == ("damaged", ["damaged"])


def torn(disk: Disk) -> None:
    disk.add(b"hello")


def unmarked(disk: Disk) -> None:
    head = disk.head.read_bytes()
    written(disk.paths, 2)
    disk.head.write_bytes(head)


def blank(disk: Disk) -> None:
    disk.head.write_bytes(bytes(8192))


def left_over(disk: Disk) -> None:
    Path(disk.paths.new("123.abc").root).mkdir()


def kept(disk: Disk) -> None:
    torn(disk)
    append(Journal(disk.paths))


def no_format(disk: Disk) -> None:
    Path(disk.paths.format).unlink()


DOCTORED: dict[str, tuple[Callable[[Disk], object], tuple[str, list[str]]]] = {
    "torn": (torn, ("ok", ["torn"])),
    "unmarked": (unmarked, ("ok", ["unmarked"])),
    "blank": (blank, ("damaged", ["damaged", "head_blank"])),
    "left over": (left_over, ("ok", ["left_over"])),
    "kept": (kept, ("ok", ["quarantine"])),
    "no format": (no_format, ("damaged", ["damaged"])),
    "newer": (newer, ("newer_format", ["newer_format"])),
    "elsewhere": (elsewhere, ("moved_or_copied", ["moved_or_copied"])),
}


@pytest.mark.parametrize("name", DOCTORED)
def test_the_doctor_names_each_thing(disk: Disk, name: str) -> None:
    change, expected = DOCTORED[name]
    change(disk)
    before = disk.everything()
    assert codes(disk.paths) == expected
    for one in doctor.diagnose(disk.paths).findings:
        assert one.what
        assert "\n" not in one.what
    assert disk.everything() == before


def test_a_damaged_index_is_dropped(disk: Disk) -> None:
    with Project(disk.paths) as project:
        project.run(Post(("codex",), "indexed"), USER)
    index = Path(disk.paths.index)
    for side in index.parent.glob(f"{index.name}-*"):
        side.unlink()
    index.write_bytes(b"no database" * 1000)
    assert codes(disk.paths) == ("ok", ["index"])
    with Project(disk.paths) as project, project.view() as view:
        assert view.number("SELECT count(*) FROM message") == 10


# Moved, copied.


def copied(disk: Disk, folder: Path) -> Disk:
    shutil.copytree(disk.paths.project, folder, symlinks=True)
    return Disk(Paths(str(folder / Path(disk.paths.root).name)))


def test_a_copy_becomes_a_project_of_its_own(disk: Disk, tmp_path: Path) -> None:
    copy = copied(disk, tmp_path / "copy")
    with Project(copy.paths) as project:
        parent = project.journal.head()
        with pytest.raises(MovedOrCopied):
            project.run(Post(("codex",), "no"), USER)
        line = doctor.copied(project, USER)
        assert (line.rev, line.seat) == (11, "user")
        (op,) = line.ops
        assert op == {
            "op": "project_forked",
            "project": op["project"],
            "parent": parent.project,
            "rev": parent.rev,
            "hash": parent.hash,
        }
        assert project.journal.head().project == op["project"] != parent.project
        assert project.journal.original == parent.project
        assert check(project).state == "ok"
        assert project.run(Post(("codex",), "mine"), USER).rev == 12
        anchor = anchors.read(op["project"])
        assert anchor is not None
        assert anchor.root == project.journal.root_inode
        with pytest.raises(Refused, match="stands where it always did"):
            doctor.copied(project, USER)
        assert verify(project.journal, deep=True).findings == ()
    with Project(disk.paths) as project:
        assert check(project).state == "ok"
        assert project.run(Post(("codex",), "the first one"), USER).rev == 11


def test_a_copy_of_a_copy_is_one_too(disk: Disk, tmp_path: Path) -> None:
    ids = [Journal(disk.paths).head().project]
    last = disk
    for number in range(3):
        last = copied(last, tmp_path / f"copy-{number}")
        with Project(last.paths) as project:
            assert check(project).state == "moved_or_copied"
            doctor.copied(project, USER)
            ids.append(project.journal.head().project)
    assert len(set(ids)) == 4
    blank(last)
    with Project(last.paths) as project:
        project.run(Post(("codex",), "the id is found again"), USER)
        assert project.journal.head().project == ids[-1]


def test_a_moved_project_gets_its_anchor_renewed(disk: Disk, tmp_path: Path) -> None:
    moved = copied(disk, tmp_path / "moved")
    with Project(moved.paths) as project:
        assert doctor.moved(project).rev == 10
        assert check(project).state == "ok"
        assert project.run(Post(("codex",), "goes on"), USER).rev == 11
        assert project.journal.head().project == project.journal.original
    with Project(disk.paths) as project:
        assert check(project).state == "moved_or_copied"
        with pytest.raises(MovedOrCopied):
            project.run(Post(("codex",), "no"), USER)


def test_moving_needs_an_anchor_that_can_be_written(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = copied(disk, tmp_path / "moved")
    monkeypatch.setattr(anchors, "write", lambda anchor: False)
    with Project(moved.paths) as project, pytest.raises(NotCommitted):
        doctor.moved(project)


def test_only_the_user_says_that_it_is_a_copy(disk: Disk, tmp_path: Path) -> None:
    copy = copied(disk, tmp_path / "copy")
    before = copy.everything()
    with Project(copy.paths) as project, pytest.raises(Refused, match="only the user"):
        doctor.copied(project, Actor("codex", "cli"))
    assert copy.everything() == before


def test_an_anchor_that_cannot_be_written_never_fails_a_command(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    journal = Journal(disk.paths)
    assert append(journal).rev == 11
    assert anchors.read(journal.original) is None
    assert codes(disk.paths) == ("ok", ["anchor"])


def test_a_relative_folder_for_anchors_is_ignored(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.chdir(tmp_path)
    append(Journal(disk.paths))
    assert not (tmp_path / "relative").exists()
    at_home = Path(os.environ["HOME"]) / ".local" / "state"
    (found,) = at_home.rglob("anchor")
    assert orjson.loads(found.read_bytes())["rev"] == 11
