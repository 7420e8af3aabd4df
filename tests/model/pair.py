"""A project and the model beside it: one command for both, and what a test chooses from."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from state.command import Actor, Command
from state.create import create
from state.errors import BadInput, NotFound, Refused, RevisionConflict
from state.messages.commands import Post
from state.project import Project
from tests.model.answers import (
    Facts,
)
from tests.model.model import Model
from tests.model.records import USER
from tests.state.clocks import SetClock

AGENTS = ("codex", "gemini", "hermes")
LATER = ("pi", "zed")
KINDS = ("note", "question", "task", "result", "reply")
STATES = (None, "unread", "open", "accepted", "done", "declined", "cancelled")
TITLES = ("alpha", "beta Straße", 'quote " \\ slash', "漢字 🙂", "a\u0301e")
REFUSALS = (Refused, NotFound, RevisionConflict, BadInput)


class Pair(RuleBasedStateMachine):
    """Two handles on one project, and the model. `commands`: how many all machines have run."""

    commands = 0

    @initialize(data=st.data())
    def make(self, data: st.DataObject) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="model-"))
        self.clock = SetClock()
        self.paths = create(
            str(self.folder),
            name="shop",
            seats=[(seat, "") for seat in AGENTS],
            clock=self.clock,
            via="cli",
        )
        self.handles = [Project(self.paths, self.clock), Project(self.paths, self.clock)]
        self.handle = 0
        self.model = Model(AGENTS, self.clock.now())
        self.keyed: list[tuple[str, str, Post, int]] = []
        self.before: Facts | None = None
        for _ in range(6):
            self.post_something(data)

    def teardown(self) -> None:
        if hasattr(self, "handles"):
            for project in self.handles:
                project.close()
            shutil.rmtree(self.folder)

    @property
    def project(self) -> Project:
        return self.handles[self.handle]

    def post_something(self, data: st.DataObject) -> None:
        command, sender = self._a_post(data)
        self.both(self._posted(command, sender), command, sender)

    def both(
        self, expected: int | None, command: Command, seat: str, key: str | None = None
    ) -> None:
        """The project takes the command as the line that the model gave it, or refuses it too."""
        actor = Actor(seat, "cli")
        Pair.commands += 1
        if expected is None:
            with pytest.raises(REFUSALS):
                self.project.run(command, actor, key=key)
        else:
            done = self.project.run(command, actor, key=key)
            assert (done.rev, done.repeated) == (expected, False)

    # Choices.

    def _messages(self) -> list[Any]:
        return list(self.model.messages.values())

    def _seat(self, data: st.DataObject) -> str:
        return str(data.draw(st.sampled_from((USER, *AGENTS, *AGENTS, *LATER))))

    def _actor(self, data: st.DataObject) -> str:
        return str(data.draw(st.sampled_from((USER,) * 6 + (AGENTS[0],))))

    def _seen(self, data: st.DataObject) -> int:
        now = self.model.roster
        return int(data.draw(st.sampled_from((now,) * 6 + (max(now - 1, 0),))))

    def _a_post(self, data: st.DataObject) -> tuple[Post, str]:
        sender = data.draw(st.sampled_from((USER, *AGENTS)))
        others = st.sampled_from([seat for seat in (USER, *AGENTS) if seat != sender])
        anyone = st.sampled_from((USER, *AGENTS, *LATER))
        several = st.lists(others, min_size=1, max_size=3)
        kind = data.draw(st.sampled_from(KINDS))
        reply_to = None
        if self.model.messages and (kind == "reply" or data.draw(st.booleans())):
            reply_to = data.draw(st.sampled_from(sorted(self.model.messages)))
        elif kind == "reply":
            kind = "note"
        odd = st.lists(anyone, min_size=1, max_size=3)
        to = tuple(data.draw(st.just(["all"]) | several | several | several | odd))
        title = data.draw(st.sampled_from(TITLES))
        body = data.draw(st.sampled_from(("", "body", "some\nlines")))
        urgent = data.draw(st.booleans())
        return Post(to, title, body, kind, reply_to, (), urgent), sender

    def _posted(self, command: Post, sender: str) -> int | None:
        return self.model.post(
            self.clock.now(),
            sender,
            command.to,
            command.kind,
            command.title,
            command.body,
            command.reply_to,
            command.urgent,
        )

    def _again(self, entry: tuple[str, str, Post, int], command: Post) -> None:
        """M4: the same key gives the first answer, or is refused for anything else."""
        seat, key, first, rev = entry
        actor = Actor(seat, "cli")
        Pair.commands += 1
        if _as_written(command) == _as_written(first):
            again = self.project.run(command, actor, key=key)
            assert (again.rev, again.repeated) == (rev, True)
        else:
            with pytest.raises(Refused, match="key"):
                self.project.run(command, actor, key=key)


def _as_written(command: Post) -> tuple[object, ...]:
    to = tuple(dict.fromkeys(command.to))
    return (
        *(to, command.title, command.body, command.kind, command.reply_to),
        command.urgent,
    )
