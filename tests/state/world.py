"""A real project on disk with the user and some agents, and short words for what tests do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from state.command import USER, Actor, Command
from state.create import create
from state.errors import Refused, StateError
from state.index.view import View
from state.messages import queries as messages
from state.messages.commands import Acknowledge, Post
from state.overview import Overview, overview
from state.paths import Paths
from state.project import Committed, Project
from state.roster import queries as roster
from state.roster.queries import Seat
from tests.state.clocks import SetClock

E = TypeVar("E", bound=StateError)


class World:
    """The project `paths` under a clock that tests move. `close` it."""

    def __init__(self, folder: Path, *seats: str) -> None:
        self.clock = SetClock()
        named = [(seat, "") for seat in seats]
        self.paths: Paths = create(
            str(folder), name="shop", seats=named, clock=self.clock, via="cli"
        )
        self.folder = folder
        self.project = Project(self.paths, self.clock)

    def close(self) -> None:
        self.project.close()

    def run(self, command: Command, seat: str = USER, key: str | None = None) -> Committed:
        """Carries out a command of a seat."""
        return self.project.run(command, Actor(seat, "cli"), key=key)

    def post(self, seat: str, *to: str, title: str = "hello", **more: Any) -> int:
        """Posts a message and gives its number."""
        return self.run(Post(to, title, **more), seat).rev

    def acknowledge(self, seat: str, number: int, *, through: bool = False) -> Committed:
        return self.run(Acknowledge(number, through), seat)

    @contextmanager
    def look(self) -> Iterator[View]:
        """The state as it stands now."""
        view = self.project.view()
        try:
            yield view
        finally:
            view.close()

    def seat(self, seat: str) -> Seat:
        with self.look() as view:
            return roster.get(view, seat)

    def queue(self, seat: str) -> tuple[int, ...]:
        """Numbers of what is unread, oldest first."""
        with self.look() as view:
            return messages.queue(view, seat, 1000)

    def message(self, number: int) -> messages.Message:
        with self.look() as view:
            return messages.get(view, number, {})

    def overview(self) -> Overview:
        with self.look() as view:
            return overview(view, self.clock.moment())

    @property
    def roster(self) -> int:
        """The roster's revision now."""
        with self.look() as view:
            return roster.revision(view)

    def log(self) -> bytes:
        """All bytes of the journal."""
        log = Path(self.paths.log_dir)
        return b"".join(path.read_bytes() for path in sorted(log.glob("*.jsonl")))

    def lines(self) -> list[dict[str, Any]]:
        """All lines of the journal, parsed by another library than the program's."""
        return [json.loads(line) for line in self.log().splitlines()]

    def fails(self, error: type[E], command: Command, seat: str = USER) -> E:
        """The error with which a command ends; nothing is written by that."""
        before = self.log()
        with pytest.raises(error) as caught:
            self.run(command, seat)
        assert self.log() == before
        assert caught.value.message
        assert "\n" not in caught.value.message + caught.value.hint
        return caught.value

    def refused(self, rule: str, command: Command, seat: str = USER) -> Refused:
        """The refusal by that rule, with something to do about it; nothing is written."""
        refusal = self.fails(Refused, command, seat)
        assert (refusal.rule, refusal.exit, refusal.code) == (rule, 3, "refused")
        assert refusal.hint
        return refusal
