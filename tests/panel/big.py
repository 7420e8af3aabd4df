"""A project of 10,000 messages, written once for all tests of a run."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from benchmarks.generate import generate
from state.project import Project
from tests.state.clocks import SetClock
from tests.state.world import World

MESSAGES = 10_000


class Big(World):
    """Three agents and the user have written to each other for a day; nothing is added to it."""

    def __init__(self, folder: Path) -> None:
        self.clock = SetClock(datetime.now(UTC))
        self.folder = folder
        self.paths = generate(str(folder), MESSAGES)
        self.project = Project(self.paths, self.clock)
