"""What is found before an append, and what is done about it (faults 17-26, 39)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from state.errors import Damaged, MovedOrCopied, NewerFormat, NoProject, RolledBack, StateError
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.journal import Journal
from state.journal.line import seal
from state.journal.settle import examine
from state.journal.verify import verify
from state.journal.writer import writing
from state.paths import Paths
from tests.state.journal_support import CLOCK, Disk, append, author, made, note, written

SECTOR = 512


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """A project of six lines."""
    found = Disk(made(tmp_path / "project"))
    written(found.paths)
    return found


def next_line(disk: Disk, title: str = "unmarked") -> bytes:
    """The bytes of a line that would follow, from a copy of the project."""
    head, log = disk.head.read_bytes(), disk.log.read_bytes()
    journal = Journal(disk.paths)
    append(journal, title)
    journal.close()
    whole = disk.log.read_bytes()
    disk.head.write_bytes(head)
    disk.log.write_bytes(log)
    return whole[len(log) :]


def appended(paths: Paths) -> list[tuple[int, str, list[str]]]:
    """What stands in the log after one more append: rev, seat and operations of each new line."""
    journal = Journal(paths)
    with writing(journal, seat="user", now=CLOCK.now) as writer:
        writer.append(author(), CLOCK.now(), [note("after")])
        new = [(line.rev, line.seat, [op["op"] for op in line.ops]) for line in writer.appended]
    report = verify(journal, deep=True)
    assert (report.ok, report.findings) == (True, ())
    assert report.lines == new[-1][0]
    journal.close()
    return new


def refused(disk: Disk, kind: type[StateError], where: int | None = None) -> None:
    """An append is refused with that error, and no byte is touched; so is a check."""
    before = disk.everything()
    for attempt in (append, examine):
        journal = Journal(disk.paths)
        with pytest.raises(kind) as found:
            attempt(journal)
        journal.close()
        assert type(found.value) is kind
        if where is not None:
            assert getattr(found.value, "rev", None) == where
    assert disk.everything() == before


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


def test_a_flipped_bit_in_the_middle_is_found_by_the_check_with_its_place(disk: Disk) -> None:
    lines = disk.lines
    disk.log.write_bytes(b"".join([*lines[:2], _flip(lines[2]), *lines[3:]]))
    journal = Journal(disk.paths)
    report = verify(journal)
    assert not report.ok
    (found,) = report.findings
    assert (found.code, found.rev, found.segment) == ("damaged", 3, 1)
    assert found.offset == len(lines[0] + lines[1])


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


# HEAD.


def slot(disk: Disk, number: int, data: bytes) -> None:
    """Other bytes in one slot of HEAD."""
    with disk.head.open("r+b") as file:
        file.seek(heads.OFFSETS[number])
        file.write(data.ljust(heads.SLOT, b"\0")[: heads.SLOT])


def newest(disk: Disk) -> int:
    with disk.head.open("rb") as file:
        found = heads.read(file.fileno())
    assert found is not None
    return found.gen % 2


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
    for anchored in (True, False):
        disk.head.write_bytes(bytes(8192))
        if not anchored:
            disk.anchor().unlink()
        with writing(Journal(disk.paths), seat="user", now=CLOCK.now) as writer:
            assert writer.unanchored is not anchored


def test_a_blank_head_over_a_damaged_log_writes_nothing(disk: Disk) -> None:
    lines = disk.lines
    disk.log.write_bytes(b"".join([*lines[:2], _flip(lines[2]), *lines[3:]]))
    disk.head.write_bytes(bytes(8192))
    refused(disk, Damaged, where=3)


def test_a_blank_head_over_a_cut_log_is_a_rollback_by_the_anchor(disk: Disk) -> None:
    _anchor_now(disk)
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
    _anchor_now(disk)
    disk.head.write_bytes(old)
    assert appended(disk.paths) == [(10, "user", ["message_posted"])]


def test_a_head_of_another_project_is_damage(disk: Disk, tmp_path: Path) -> None:
    other = Disk(made(tmp_path / "other"))
    written(other.paths, 5)
    disk.head.write_bytes(other.head.read_bytes())
    refused(disk, Damaged)


# The anchor: rolled back, restored, moved, copied.


def _anchor_now(disk: Disk) -> None:
    journal = Journal(disk.paths)
    head = journal.head()
    made = anchors.Anchor(head.project, head.rev, head.hash, journal.root_inode, CLOCK.now())
    assert anchors.write(made)
    journal.close()


def _restore(disk: Disk, backup: tuple[bytes, bytes]) -> None:
    disk.log.write_bytes(backup[0])
    disk.head.write_bytes(backup[1])


def test_an_old_backup_is_a_rollback_by_the_anchor(disk: Disk) -> None:
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths)
    _anchor_now(disk)
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
    _anchor_now(disk)
    anchor = disk.anchor().read_bytes()
    _restore(disk, backup)
    disk.anchor().unlink()
    written(disk.paths, 2 + longer)
    disk.anchor().write_bytes(anchor)
    refused(disk, RolledBack, where=8)
    report = verify(Journal(disk.paths))
    assert [(found.code, found.rev) for found in report.findings] == [("rolled_back", 8)]


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


# Other versions.


def test_nothing_is_appended_to_a_line_of_a_newer_program(disk: Disk) -> None:
    line = next_line(disk)
    disk.add(seal(line[:-27].replace(b'"op":"message_posted"', b'"op":"message_sung"')))
    refused(disk, NewerFormat, where=7)


def test_a_newer_line_that_is_committed_is_not_appended_to(disk: Disk) -> None:
    raw = seal(next_line(disk)[:-27].replace(b'"v":1', b'"v":2'))
    _commit_raw(disk, raw)
    refused(disk, NewerFormat, where=7)


def _commit_raw(disk: Disk, raw: bytes) -> None:
    with disk.head.open("r+b") as file:
        head = heads.read(file.fileno())
        assert head is not None
        end = head.off + len(raw)
        digest = sha256(raw).hexdigest()
        heads.write(
            file.fileno(),
            replace(head, gen=head.gen + 1, rev=7, last=head.off, off=end, hash=digest),
        )
    disk.add(raw)


def test_a_head_of_a_newer_program_is_not_written(disk: Disk) -> None:
    raw = disk.head.read_bytes()[heads.OFFSETS[newest(disk)] :][: heads.SLOT]
    slot(disk, newest(disk), seal(raw.rstrip(b" ")[:-27].replace(b'"v":1', b'"v":2')).ljust(512))
    refused(disk, NewerFormat)


FORMATS = {
    b'"version":2': NewerFormat,
    b'"version":99': NewerFormat,
    b'"version":0': "older",
    b'"version":"1"': Damaged,
    b'"version":true': Damaged,
    b'"version":1.0': Damaged,
    b'"version":1,"version":1': Damaged,
    b'"version":1,"more":1': Damaged,
}


@pytest.mark.parametrize("said", FORMATS)
def test_a_format_that_says_something_else_is_not_opened(disk: Disk, said: bytes) -> None:
    path = Path(disk.paths.format)
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b'"version":1', said))
    before = disk.everything()
    with pytest.raises(StateError) as found:
        Journal(disk.paths)
    expected = FORMATS[said]
    if expected == "older":
        assert "older than any that this program can open" in found.value.message
    else:
        assert type(found.value) is expected
    assert disk.everything() == before


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"x", b"\xef\xbb\xbf{}", b"[" * 5000, b'{"format":"other"}\n']
)
def test_a_format_that_is_none_is_damage(disk: Disk, content: bytes) -> None:
    Path(disk.paths.format).write_bytes(content)
    with pytest.raises(Damaged, match="FORMAT is not as it was written"):
        Journal(disk.paths)
    Path(disk.paths.format).unlink()
    with pytest.raises(Damaged, match="FORMAT is missing"):
        Journal(disk.paths)


@pytest.mark.parametrize("project", ["..%2f..", "../../outside", "A" * 32, "a" * 31, "a" * 33, ""])
def test_a_project_id_is_no_path(disk: Disk, project: str) -> None:
    path = Path(disk.paths.format)
    whole = path.read_text()
    own = Journal(disk.paths).original
    path.write_text(whole.replace(own, project))
    with pytest.raises(Damaged):
        Journal(disk.paths)
