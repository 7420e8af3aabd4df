"""The panel's only way to the project's files and lock. To be called from thread workers alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from panel.words import states
from state.clock import Clock, Moment
from state.command import USER, Actor, Command
from state.errors import Busy, NoProject, Replaced, StateError
from state.index.view import View
from state.journal.lock import WAIT_SECONDS
from state.overview import Overview, overview
from state.paths import Paths
from state.project import Committed, Project

if TYPE_CHECKING:
    from state.health import Health
    from state.index.build import Progress
    from state.messages.listing import MessageRow

T = TypeVar("T")

SLICE_SECONDS = 0.25
WAY = "tui"
COPY = "copy"


class Seen(NamedTuple):
    """The last good state, how the project is, and the newest messages if they were asked for."""

    overview: Overview
    health: Health
    recent: tuple[MessageRow, ...]


class Bridge:
    """One project as the user sees and changes it, safe to be called from several threads.

    Making one opens the project, so that too belongs into a worker. `stopping` ends what waits.
    """

    def __init__(self, paths: Paths, clock: Clock, stopping: threading.Event) -> None:
        self.paths = paths
        self.clock = clock
        self._stopping = stopping
        # Writing is done by one thread after the other: a project that could not confirm a write
        # writes no more, so it has to stay the same one.
        self._writing = threading.Lock()
        self._writer = Project(paths, clock)
        self._inode = self._writer.journal.root_inode

    def project(self) -> Project:
        """The project for the calling thread alone; to be closed.

        Replaced when its folder is gone or is another one.
        """
        try:
            project = Project(self.paths, self.clock)
        except NoProject:
            gone = "nothing is created in its place; it is opened again when it is back"
            raise Replaced("the project's folder is gone", gone) from None
        if project.journal.root_inode != self._inode:
            project.close()
            raise Replaced("another folder stands in the project's place", "open it again")
        return project

    def ask(self, question: Callable[[View, Moment], T]) -> T:
        """What the question finds in the last good state, given the view and the time.

        The view is closed afterwards: give back plain values. Errors of `state.errors`.
        """
        with self.project() as project:
            view, _ = project.last_good(self._unless_stopping(None))
            with closing(view):
                return question(view, self.clock.moment())

    def look(self, newest: int = 0, progress: Progress | None = None) -> Seen:
        """What all screens show, with so many messages. Errors of `state.errors`.

        `progress` is told lines done and lines in all while an index is built for it.
        """
        from state.health import READ_ONLY, check

        with self.project() as project:
            view, trouble = project.last_good(self._unless_stopping(progress))
            with closing(view):
                seen = overview(view, self.clock.moment(), damaged=trouble is not None)
                recent = _newest(view, newest) if newest else ()
            found = check(project)
        if self._writer.journal.failed:
            # A write of this process was not confirmed by the disk: it writes no more.
            found = found._replace(state=READ_ONLY if found.trouble is None else found.state)
            return Seen(seen, found._replace(writable=False), recent)
        return Seen(seen, found, recent)

    def _unless_stopping(self, progress: Progress | None) -> Progress:
        """Progress of what may take long, which ends it when the panel ends."""

        def told(done: int, of: int) -> None:
            if self._stopping.is_set():
                raise StateError(states.ENDING)
            if progress is not None:
                progress(done, of)

        return told

    def check_index(self) -> bool:
        """Whether SQLite finds the index sound; one that isn't is dropped and built anew."""
        from state.index.store import quick_check

        with self.project() as project:
            return quick_check(project.journal, self.clock)

    def settle_place(self, answer: str) -> None:
        """Says that the project was `moved`, or that it is a `copy`. Errors of `state.errors`."""
        from state import moved

        with self._writing, self._writer as project:
            if answer == COPY:
                moved.copied(project, Actor(USER, WAY))
            else:
                moved.moved(project)

    def run(
        self,
        command: Command,
        key: str | None = None,
        waiting: Callable[[Busy], None] | None = None,
    ) -> Committed:
        """Carries out a command of the user. Busy after five seconds, or sooner when stopping.

        `waiting` is told several times a second who holds the lock, and for how long already.
        """
        started = time.monotonic()
        actor = Actor(USER, WAY)
        while not self._stopping.is_set():
            try:
                with self._writing, self._writer as project:
                    return project.run(command, actor, key=key, wait=SLICE_SECONDS)
            except Busy as error:
                waited = time.monotonic() - started
                busy = Busy(error.holder, waited)
            if waited >= WAIT_SECONDS:
                raise busy
            if waiting is not None:
                waiting(busy)
        raise StateError(states.ENDING)


def _newest(view: View, count: int) -> tuple[MessageRow, ...]:
    from state.messages import listing, openings
    from state.messages.filters import Filter

    return openings.with_openings(view, listing.page(view, Filter(), 0, count))


def make_project(folder: str, name: str, seats: Sequence[str], clock: Clock) -> Paths:
    """A new project with these agent seats. Errors of `state.errors`."""
    from state.create import create

    return create(folder, name=name, seats=[(seat, "") for seat in seats], clock=clock, via=WAY)
