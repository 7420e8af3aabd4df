"""What the tests of the journal share: small projects, one writer, and their bytes on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from state import files
from state.clock import SystemClock
from state.create import create
from state.errors import StateError
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.journal import Journal
from state.journal.line import Line
from state.journal.settle import examine
from state.journal.verify import verify
from state.journal.writer import Author, writing
from state.messages.operations import MessagePosted
from state.paths import Paths, anchor_file
from tests.support import environment

CLOCK = SystemClock()
AGENTS = ("codex", "hermes")


def made(folder: Path) -> Paths:
    """A project with two agent seats."""
    folder.mkdir(parents=True, exist_ok=True)
    seats = [(seat, "") for seat in AGENTS]
    return create(str(folder), name="shop", seats=seats, clock=CLOCK, via="cli")


def note(title: str = "a note", body: str = "its text") -> MessagePosted:
    """A message as an operation, as a command would make it."""
    return MessagePosted("user", ("codex",), "direct", "note", title, body, None, (), "normal", 0)


def author(seat: str = "user", req: str | None = None) -> Author:
    return Author(seat, "cli", req or os.urandom(16).hex(), {})


def append(journal: Journal, *titles: str, wait: float = 5.0) -> Line:
    """One line for each title, in one hold of the lock; the last line."""
    with writing(journal, seat="user", now=CLOCK.now, wait=wait) as writer:
        for title in titles or ("a note",):
            line = writer.append(author(), CLOCK.now(), [note(title)])
    return line


def written(paths: Paths, count: int = 5) -> None:
    """So many lines more."""
    journal = Journal(paths)
    append(journal, *(f"message {number}" for number in range(count)))
    journal.close()


@dataclass(frozen=True, slots=True)
class Disk:
    """The bytes of a project's journal, to look at and to put back."""

    paths: Paths

    @property
    def log(self) -> Path:
        return Path(self.paths.segment(1))

    @property
    def head(self) -> Path:
        return Path(self.paths.head)

    @property
    def quarantine(self) -> dict[str, bytes]:
        folder = Path(self.paths.quarantine)
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    @property
    def lines(self) -> list[bytes]:
        return self.log.read_bytes().splitlines(keepends=True)

    def add(self, data: bytes) -> None:
        with self.log.open("ab") as file:
            file.write(data)

    def anchor(self) -> Path:
        journal = Journal(self.paths)
        try:
            return Path(anchor_file(journal.original))
        finally:
            journal.close()

    def everything(self) -> dict[str, bytes]:
        """Every file of the folder but views and hints, with its bytes."""
        root = Path(self.paths.root)
        found = {}
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            if path.is_file() and not name.startswith(("cache", "mutex")):
                found[name] = path.read_bytes()
        return found


def python(code: str, *args: str | Path, **options: object) -> subprocess.Popen[str]:
    """A real process that runs this code of the tree under test."""
    command = [sys.executable, "-c", code, *(os.fspath(arg) for arg in args)]
    env = environment()
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        command,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def ran(code: str, *args: str | Path, **options: object) -> str:
    """What a process prints that ends well."""
    process = python(code, *args, **options)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return out


def as_root() -> bool:
    return os.geteuid() == 0


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


def anchored(disk: Disk) -> None:
    journal = Journal(disk.paths)
    head = journal.head()
    made = anchors.Anchor(head.project, head.rev, head.hash, journal.root_inode, CLOCK.now())
    assert anchors.write(made)
    journal.close()


def spoiled(disk: Disk, *numbers: int) -> None:
    lines = disk.lines
    for number in numbers:
        raw = bytearray(lines[number - 1])
        raw[90] ^= 1
        lines[number - 1] = bytes(raw)
    disk.log.write_bytes(b"".join(lines))


def broken(
    monkeypatch: pytest.MonkeyPatch, name: str, error: int, when: Callable[..., bool] | None = None
) -> list[str]:
    """From now on a call of the seam fails; gives the list of its failures."""
    original = getattr(files, name)
    failures: list[str] = []

    def fail(*given: Any) -> Any:
        if when is None or when(*given):
            failures.append(name)
            raise OSError(error, os.strerror(error))
        return original(*given)

    monkeypatch.setattr(files, name, fail)
    return failures
