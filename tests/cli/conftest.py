"""A small project, and the real command on it: as the user at a terminal, as an agent without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from state.clock import SystemClock
from state.command import Actor, Command
from state.create import create
from state.messages.commands import Post
from state.project import Committed, Project, open_project
from tests.cli.wake_support import Desk
from tests.support import Result, run_cli


class Shop:
    """A project in a folder. `agent` and `user` run the command; `post` writes without it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        seats = [("codex", "codex-cli"), ("hermes", "")]
        paths = create(str(folder), name="shop", seats=seats, clock=SystemClock(), via="cli")
        self.root = Path(paths.root)
        with Project(paths) as project, project.view():
            pass

    def agent(self, *words: str | Path, seat: str | None = "codex", **more: Any) -> Result:
        """As a seat, without any terminal."""
        return run_cli(*words, project=self.folder, seat=seat, **more)

    def user(self, *words: str | Path, **more: Any) -> Result:
        """As the person at a terminal."""
        return run_cli(*words, project=self.folder, tty=True, **more)

    def run(self, command: Command, seat: str = "user") -> Committed:
        """A command of the state itself, without a process."""
        with open_project(str(self.folder)) as project:
            return project.run(command, Actor(seat, "cli"))

    def post(self, *to: str, seat: str = "user", **fields: Any) -> int:
        """A message; its number."""
        return self.run(Post(to, **{"title": "hello", **fields}), seat).rev

    def log(self) -> bytes:
        """Every byte of the journal."""
        return b"".join(path.read_bytes() for path in sorted((self.root / "log").iterdir()))

    def everything(self) -> dict[str, bytes]:
        """Every file that must not change by reading: all but the cache and the lock's hint."""
        kept = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_file() and not name.startswith(("cache/", "mutex/")):
                kept[name] = path.read_bytes()
        return kept


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    folder = tmp_path / "shop"
    folder.mkdir()
    return Shop(folder)


@pytest.fixture
def desk(shop: Shop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The command on the shop in this process, at the time of a clock of its own."""
    found = Desk(shop.folder, capsys)
    monkeypatch.setattr("state.project.SystemClock", lambda: found.clock)
    return found
