"""Writers and recoveries that end anywhere; a disk that loses what isn't synced (faults 23, 24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from state import files
from state.journal import head as heads
from state.journal import writer as writers
from state.journal.journal import Journal
from state.journal.line import is_sealed
from state.journal.verify import verify
from state.paths import Paths
from tests.state.journal_support import CLOCK, Disk, append, made, written

CALLS = ("write", "pwrite", "truncate", "sync_data", "sync_folder", "rename", "chmod", "unlink")


class Died(BaseException):
    """A process that ends at this very call; the lock goes as it does then."""


def dying(monkeypatch: pytest.MonkeyPatch, at: int, where: str) -> None:
    """The call of that number, of all that change the disk, is the last one."""
    made_calls = 0

    def wrapped(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            nonlocal made_calls
            made_calls += 1
            if made_calls < at:
                return original(*given)
            if made_calls == at and where == "after":
                original(*given)
            if made_calls == at and where == "inside" and name in ("write", "pwrite"):
                target, data, *rest = given
                original(target, data[: len(data) // 2], *rest)
            raise Died

        return call

    for name in CALLS:
        monkeypatch.setattr(files, name, wrapped(name, getattr(files, name)))


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


def whole(disk: Disk) -> bytes:
    """The log across its segments."""
    return b"".join(path.read_bytes() for path in sorted(Path(disk.paths.log_dir).iterdir()))


def survived(start: Start, torn: bytes = b"") -> None:
    """After one more append everything acknowledged is there, and nothing else is lost."""
    disk = start.disk
    journal = Journal(disk.paths)
    last = append(journal, "after")
    report = verify(journal, deep=True)
    journal.close()
    assert (report.ok, report.findings) == (True, ())
    assert report.lines == last.rev
    assert whole(disk).startswith(start.log[: len(start.log) - len(torn)])
    if torn:
        assert torn in disk.quarantine.values()
    assert list(Path(disk.paths.tmp).iterdir()) == []


def deaths(start: Start, monkeypatch: pytest.MonkeyPatch, torn: bytes = b"") -> int:
    """Dies at each call of one append, before, inside and after it; how many there were."""
    for at in range(1, 60):
        for where in ("before", "inside", "after"):
            start.put()
            journal = Journal(start.disk.paths)
            with monkeypatch.context() as patch:
                dying(patch, at, where)
                try:
                    append(journal, "dying")
                except Died:
                    pass
                else:
                    return at
            journal.close()
            survived(start, torn)
    raise AssertionError("it never came through")


@pytest.fixture
def start(tmp_path: Path) -> Start:
    disk = Disk(made(tmp_path / "project"))
    written(disk.paths, 3)
    return Start(disk, disk.log.read_bytes(), disk.head.read_bytes(), disk.anchor().read_bytes())


def test_an_append_may_end_anywhere(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    assert deaths(start, monkeypatch) > 4


def test_a_rotation_may_end_anywhere(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", len(start.log))
    assert deaths(start, monkeypatch) > 9


def test_a_recovery_may_end_anywhere(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    torn = b'{"v":1,"rev":5,"prev":"'
    dirty = replace(start, log=start.log + torn)
    assert deaths(dirty, monkeypatch, torn) > 9


def test_an_adoption_may_end_anywhere(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    written(start.disk.paths, 2)
    behind = replace(start, log=start.disk.log.read_bytes())
    assert deaths(behind, monkeypatch) > 6


def test_a_new_head_may_end_anywhere(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    blank = replace(start, head=bytes(8192))
    assert deaths(blank, monkeypatch) > 6


def test_a_recovery_run_twice_gives_the_same(start: Start) -> None:
    torn = b"half a line"
    outcomes = []
    for times in (1, 2, 3):
        start.put()
        start.disk.add(torn)
        for _ in range(times):
            journal = Journal(start.disk.paths)
            with writers.writing(journal, seat="user", now=CLOCK.now):
                pass
            journal.close()
        kept = start.disk.quarantine
        survived(start)
        lines = start.disk.lines
        outcomes.append((kept, lines[:-2], b'"op":"recovered"' in lines[-2], len(lines)))
    assert outcomes[0] == outcomes[1] == outcomes[2]


SECTOR = 512


def cuts(line: bytes) -> Iterator[bytes]:
    """The line cut at each byte, and with each of its sectors lost."""
    yield from (line[:size] for size in range(len(line) + 1))
    for at in range(0, len(line), SECTOR):
        gap = min(SECTOR, len(line) - at)
        yield line[:at] + bytes(gap) + line[at + gap :]


def test_a_power_cut_at_any_byte_loses_nothing_acknowledged(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The syncs themselves are left out here: what they would keep is what is put in place."""
    disk = start.disk
    append(Journal(disk.paths), "cut " * 60)
    line = disk.log.read_bytes()[len(start.log) :]
    after = disk.head.read_bytes()
    new = next(at for at in heads.OFFSETS if after[at : at + 512] != start.head[at : at + 512])
    half = start.head[:new] + after[new : new + 120] + start.head[new + 120 :]
    for call in ("sync_data", "sync_folder"):
        monkeypatch.setattr(files, call, lambda target: None)
    count = 0
    for rest in cuts(line):
        # With a HEAD that was not written, half written, and lost.
        for head in (start.head, half, bytes(len(start.head)))[: 1 + 2 * (len(rest) % 4 == 0)]:
            state = replace(start, log=start.log + rest, head=head)
            state.put()
            survived(state, b"" if is_sealed(rest) else rest)
            assert disk.log.read_bytes().startswith(start.log)
            count += 1
    assert count > 900


def segments(paths: Paths) -> list[Path]:
    return sorted(Path(paths.log_dir).iterdir())
