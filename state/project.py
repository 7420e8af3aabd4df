"""A project as everyone uses it: find it, open it, ask it (`view`), change it (`run`).

Whoever only reads passes here too: what a change needs is imported by the change.
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from state.clock import Clock, SystemClock
from state.errors import Damaged, NoProject, StateError
from state.index import store
from state.journal.journal import Journal
from state.journal.lock import WAIT_SECONDS
from state.paths import FOLDER, Paths

if TYPE_CHECKING:
    from state.command import Actor, Command
    from state.index.build import Progress
    from state.index.view import View
    from state.running import Runner


class Committed(NamedTuple):
    """What became of a command: its line's revision and operations as they are stored.

    `repeated`: an earlier line had the same request id and content; nothing was written now.
    """

    rev: int
    ops: Sequence[Mapping[str, Any]]
    repeated: bool
    unanchored: bool = False


class Project:
    """One opened project, for one thread at a time and not for a forked process."""

    def __init__(
        self, paths: Paths, clock: Clock | None = None, *, force_filesystem: bool = False
    ) -> None:
        self.paths = paths
        self.clock = clock or SystemClock()
        self.journal = Journal(paths, force_filesystem=force_filesystem)
        self._runner: Runner | None = None

    def view(self, progress: "Progress | None" = None) -> "View":
        """The project as it stands now; close it after use. Needs no lock and changes nothing.

        Damaged and its kin where the journal can't be read as it should be: see `last_good`.
        """
        self.journal.check_place()
        try:
            return store.open_view(self.journal, self.clock, progress)
        except Damaged:
            if self.journal.head_or_none() is not None:
                raise
        # Whoever writes next marks the last whole line again.
        from state.journal.heal import last_whole

        return store.open_view(self.journal, self.clock, progress, last_whole(self.journal))

    def last_good(self, progress: "Progress | None" = None) -> "tuple[View, StateError | None]":
        """The project as it stands, or its last good state and what is wrong with the journal.

        The trouble itself is raised where no line can be read, and Replaced where another folder
        stands in the project's place.
        """
        from state.index.last_good import last_good

        return last_good(self.journal, self.clock, progress)

    def run(
        self,
        command: "Command",
        actor: "Actor",
        *,
        key: str | None = None,
        wait: float = WAIT_SECONDS,
        progress: "Progress | None" = None,
    ) -> Committed:
        """Decides and commits one command: lock, settle, catch up, decide, append.

        With a key a retry is safe: the same key and content of the same seat gives the first
        answer. `progress` is told how far the index is where one must be built first. Every error
        of `state.errors` may come; unless it is CommitUnknown, nothing was written.
        """
        if self._runner is None:
            from state.running import Runner

            self._runner = Runner(self.journal, self.clock)
        return self._runner.run(command, actor, key, wait, progress)

    def close(self) -> None:
        """Lets files go; the project can be used again afterwards."""
        if self._runner is not None:
            self._runner.close()
        self.journal.close()

    def __enter__(self) -> "Project":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def find(start: str | None = None) -> Paths:
    """The project of a folder: the nearest one upward that holds `.sublation-panel`. NoProject."""
    folder = os.path.realpath(start or os.getcwd())
    while True:
        paths = Paths(os.path.join(folder, FOLDER))
        if paths.is_there():
            return paths
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NoProject(
                "no project here or in a folder above",
                "create one with `sublation-panel init`, or name one with --project DIR",
            )
        folder = parent


def open_project(folder: str | None = None, clock: Clock | None = None) -> Project:
    """The project of a folder given by name: exactly that one, or else the nearest upward."""
    if folder is None:
        return Project(find(), clock)
    return Project(Paths(os.path.join(os.path.realpath(folder), FOLDER)), clock)
