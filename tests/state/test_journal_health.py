"""How a project is, and what the doctor says of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from state import doctor, files
from state.command import Actor
from state.errors import NoProject, Unsound
from state.health import check, last_verified, remember
from state.index.names import CODE
from state.journal import writer as writers
from state.journal.journal import Journal
from state.journal.line import seal
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.state.journal_support import Disk, append, made, spoiled, written

USER = Actor("user", "cli")


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths, 9)
    return found


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


def test_the_doctor_says_where_the_check_of_the_chain_ended(disk: Disk) -> None:
    written(disk.paths, 200)
    log = disk.log.read_bytes()
    disk.log.write_bytes(log.replace(b"\n", b" \n"))
    found = [one.what for one in doctor.diagnose(disk.paths).findings]
    ends = [what for what in found if what.endswith("behind it was not checked")]
    assert ends == found[-1:]
    disk.log.write_bytes(log)
    spoiled(disk, 4)
    assert "not checked" not in str(doctor.diagnose(disk.paths).findings)


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


def trackable(disk: Disk) -> None:
    Path(disk.paths.gitignore).unlink()


def no_format(disk: Disk) -> None:
    Path(disk.paths.format).unlink()


def no_lock(disk: Disk) -> None:
    Path(disk.paths.mutex).unlink()


def linked_lock(disk: Disk) -> None:
    mutex = Path(disk.paths.mutex)
    mutex.rename(mutex.with_name("elsewhere"))
    mutex.symlink_to(mutex.with_name("elsewhere"))


def no_log(disk: Disk) -> None:
    disk.log.unlink()


DOCTORED: dict[str, tuple[Callable[[Disk], object], tuple[str, list[str]]]] = {
    "torn": (torn, ("ok", ["torn"])),
    "unmarked": (unmarked, ("ok", ["unmarked"])),
    "blank": (blank, ("ok", ["head_blank"])),
    "no lock": (no_lock, ("replaced", ["replaced"])),
    "linked lock": (linked_lock, ("damaged", ["damaged"])),
    "no log": (no_log, ("damaged", ["damaged"])),
    "trackable": (trackable, ("ok", ["gitignore"])),
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


def test_the_doctor_says_that_the_disk_is_full(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    for blocks, told in ((16, []), (15, ["no_room"])):
        found = SimpleNamespace(f_bavail=blocks, f_frsize=4096)
        monkeypatch.setattr(os, "statvfs", lambda _, found=found: found)
        assert codes(disk.paths) == ("ok", told)


def spoil_finished(disk: Disk) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writers, "SEGMENT_BYTES", 1000)
        written(disk.paths, 1)
    disk.log.chmod(0o600)
    spoiled(disk, 4)


WAYS: dict[str, tuple[Callable[[Disk], object], str, str]] = {
    "no line 1": (no_log, doctor.LASTING, doctor.RESTORE),
    "no format": (no_format, doctor.LASTING, doctor.RESTORE),
    "the last line": (spoil_last, doctor.LASTING, doctor.GO_ON),
    "a line of the last segment": (lambda disk: spoiled(disk, 4), doctor.LASTING, doctor.GO_ON),
    "a line of a finished segment": (spoil_finished, doctor.INSIDE, doctor.GO_ON),
    "a linked lock": (linked_lock, doctor.LASTING, "put a plain file back in place of {}"),
}


@pytest.mark.parametrize("name", WAYS)
def test_the_doctor_says_whether_writing_goes_on_and_what_can_be_done(
    disk: Disk, name: str
) -> None:
    change, done, then = WAYS[name]
    with Project(disk.paths) as project:
        with project.view():
            pass
        change(disk)
        worst = doctor.diagnose(disk.paths).findings[0]
        assert (worst.done, worst.next) == (done, then.format(disk.paths.mutex))
        if done == doctor.INSIDE:
            rev = project.journal.head().rev
            assert project.run(Post(("codex",), "written"), USER).rev == rev + 1
        else:
            with pytest.raises(Unsound):
                Project(disk.paths).run(Post(("codex",), "not written"), USER)


def test_a_damaged_index_is_dropped(disk: Disk) -> None:
    with Project(disk.paths) as project:
        project.run(Post(("codex",), "indexed"), USER)
    index = Path(disk.paths.index(CODE))
    for side in index.parent.glob(f"{index.name}-*"):
        side.unlink()
    index.write_bytes(b"no database" * 1000)
    assert codes(disk.paths) == ("ok", ["index"])
    with Project(disk.paths) as project, project.view() as view:
        assert view.number("SELECT count(*) FROM message") == 10
