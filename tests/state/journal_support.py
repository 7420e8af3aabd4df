"""What the tests of the journal share: small projects, one writer, and their bytes on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from state.clock import SystemClock
from state.create import create
from state.journal.journal import Journal
from state.journal.line import Line
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


Change = Callable[[Disk], None]
