"""The projects of one run: none, a thousand, a hundred thousand, a million messages."""

import os

from benchmarks.generate import generate
from state.paths import Paths
from state.project import Project

STEPS = (1_000, 100_000, 1_000_000)


class Projects:
    """Projects of each size up to that of the run, made when they are first asked for."""

    def __init__(self, folder: str, messages: int) -> None:
        self.folder = folder
        self.sizes = tuple(sorted({*(step for step in STEPS if step < messages), messages}))
        self._made: dict[int, Paths] = {}

    @property
    def smallest(self) -> int:
        return self.sizes[0]

    @property
    def largest(self) -> int:
        return self.sizes[-1]

    @property
    def larger(self) -> tuple[int, ...]:
        """All sizes but the smallest; that one where it is the only one."""
        return self.sizes[1:] or self.sizes

    def of(self, messages: int) -> Paths:
        """The project with so many messages; its index is there and up to date."""
        if messages not in self._made:
            target = os.path.join(self.folder, f"project-{messages}")
            os.mkdir(target)
            paths = self._made[messages] = generate(target, messages)
            with Project(paths) as project, project.view():
                pass
        return self._made[messages]


def called(messages: int) -> str:
    """A size as the rows call it."""
    return f"{messages:,} messages" if messages else "empty project"
