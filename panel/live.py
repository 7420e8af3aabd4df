"""The app's workers that read: they follow the journal, take pictures of it and check its chain.

Each is a thread that is given plain values and answers with a message; none touches a widget.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import App
from textual.message import Message
from textual.worker import Worker, WorkerState

from panel import safe_text
from panel.bridge import Bridge
from panel.messages import ViewRefreshed
from panel.snapshot import Snapshot, Verified
from panel.widgets.gather import Gather
from panel.words import states
from state.clock import Clock, SystemClock
from state.errors import StateError
from state.paths import Paths

if TYPE_CHECKING:
    from state.journal.follow import News

TICK_SECONDS = 1.0
# What time alone changes (who is due) and hints that no commit announces (who looked).
RETAKE_SECONDS = 2.0
BETWEEN_PROGRESS_SECONDS = 0.1


class Followed(Message, bubble=False):
    """News of the journal, by the follower of the bridge that was open then."""

    def __init__(self, bridge: Bridge, news: News) -> None:
        super().__init__()
        self.bridge = bridge
        self.news = news


class SnapshotTaken(Message, bubble=False):
    """A picture was taken, or why it could not be."""

    def __init__(self, bridge: Bridge, snapshot: Snapshot | None, error: StateError | None) -> None:
        super().__init__()
        self.bridge = bridge
        self.snapshot = snapshot
        self.error = error


class ChainChecked(Message, bubble=False):
    """How far the check of the whole chain has come; `wrong` ends it."""

    def __init__(self, bridge: Bridge, upto: int, of: int, wrong: str | None) -> None:
        super().__init__()
        self.bridge = bridge
        self.upto = upto
        self.of = of
        self.wrong = wrong

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, ChainChecked)


class ProjectOpened(Message, bubble=False):
    """A project is open now, at the start or again after its folder was replaced."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge


class LiveApp(App[int]):
    """An app that keeps one picture of one project fresh, without ever waiting for it."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__()
        self.clock: Clock = clock or SystemClock()
        self.stopping = threading.Event()
        self.bridge: Bridge | None = None
        self.snapshot: Snapshot | None = None
        self.verified = Verified()
        self.watching = False
        self._first_followed: int | None = None
        self._gather = Gather(self, self._take_next)
        self._taking = False
        self._stale = False
        self._taken = 0.0
        self._checking = threading.Event()

    # Opening and closing.

    @work(thread=True, group="open", exit_on_error=False)
    def open_project(self, paths: Paths) -> None:
        """Opens the project in a worker; `ProjectOpened` or `failed_to_open` follows."""
        try:
            bridge = Bridge(paths, self.clock, self.stopping)
        except StateError as error:
            self.call_from_thread(self.failed_to_open, error)
        else:
            self.post_message(ProjectOpened(bridge))

    def failed_to_open(self, error: StateError) -> None:
        """What to do when there is nothing that could be shown."""
        raise error

    @on(ProjectOpened)
    def _project_opened(self, event: ProjectOpened) -> None:
        self.bridge = event.bridge
        self.verified = Verified()
        self._first_followed = None
        self._follow(event.bridge)
        self.check_chain()
        self.retake()

    def on_mount(self) -> None:
        self.set_interval(TICK_SECONDS, self.second_passed)

    def on_unmount(self) -> None:
        self.stop_working()

    def stop_working(self) -> None:
        """Tells every worker to end; each does within a fraction of a second."""
        self.stopping.set()
        self._checking.set()

    # Following.

    @work(thread=True, group="follow", exit_on_error=False, exclusive=True)
    def _follow(self, bridge: Bridge) -> None:
        # The watcher's library is loaded after the first frame.
        from state.journal.follow import follow

        try:
            with bridge.project() as project:
                for news in follow(project.journal, self.stopping):
                    self.post_message(Followed(bridge, news))
        except StateError as error:
            self.post_message(SnapshotTaken(bridge, None, error))

    @on(Followed)
    def _followed(self, event: Followed) -> None:
        if event.bridge is not self.bridge:
            return
        news = event.news
        self.watching = news.watching
        if news.head is not None:
            if self._first_followed is None:
                self._first_followed = news.head.rev
            self._count(self.verified.upto, news.head.rev)
        self.retake()

    # Checking the whole chain.

    def check_chain(self) -> None:
        """Begins the check of every line anew, in the background."""
        if self.bridge is not None:
            self._checking.set()
            self._checking = threading.Event()
            self.verified = Verified(0, self.verified.of)
            self._check(self.bridge, self._checking)

    @work(thread=True, group="check", exit_on_error=False)
    def _check(self, bridge: Bridge, cancelled: threading.Event) -> None:
        from state.journal.verify import verify

        told = 0.0

        def progress(upto: int, of: int) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= BETWEEN_PROGRESS_SECONDS:
                told = now
                self.post_message(ChainChecked(bridge, upto, of, None))

        try:
            with bridge.project() as project:
                report = verify(project.journal, progress, cancelled.is_set)
        except StateError as error:
            self.post_message(ChainChecked(bridge, 0, 0, error.message))
            return
        if not cancelled.is_set():
            wrong = None if report.ok else report.findings[0].what
            self.post_message(ChainChecked(bridge, report.lines, report.head.rev, wrong))

    @on(ChainChecked)
    def _chain_checked(self, event: ChainChecked) -> None:
        if event.bridge is self.bridge:
            self.verified = replace(self.verified, wrong=event.wrong)
            self._count(event.upto, event.of)
            self.show_snapshot()

    def _count(self, checked: int, newest: int) -> None:
        """Lines checked from the first one on, and those that the follower checked after them."""
        of = max(newest, self.verified.of)
        upto = max(checked, self.verified.upto)
        if self._first_followed is not None and upto >= self._first_followed:
            upto = of
        self.verified = Verified(upto, of, self.verified.wrong)

    # Taking pictures.

    def retake(self) -> None:
        """Wishes for a newer picture: at once after a pause, else with others together."""
        self._gather.ask()

    def _take_next(self) -> None:
        if self._taking:
            self._stale = True
        elif self.bridge is not None:
            self._taking, self._stale = True, False
            self._taken = time.monotonic()
            self._take(self.bridge, self.verified, self.watching)

    @work(thread=True, group="take", exit_on_error=False)
    def _take(self, bridge: Bridge, verified: Verified, watching: bool) -> None:
        try:
            snapshot = bridge.look(verified, watching)
        except StateError as error:
            self.post_message(SnapshotTaken(bridge, None, error))
        else:
            self.post_message(SnapshotTaken(bridge, snapshot, None))

    @on(SnapshotTaken)
    def _snapshot_taken(self, event: SnapshotTaken) -> None:
        self._taking = False
        if self._stale:
            self.retake()
        if event.bridge is not self.bridge:
            return
        if event.snapshot is not None:
            self.snapshot = event.snapshot
            self.show_snapshot()
        if event.error is not None:
            self.lost_sight(event.error)

    def lost_sight(self, error: StateError) -> None:
        """The project can't be looked at any more; what was shown last stays."""

    def show_snapshot(self) -> None:
        """Gives the present picture to the screens that are seen."""
        if self.snapshot is None:
            return
        self.snapshot = replace(self.snapshot, verified=self.verified, watching=self.watching)
        for screen in {self.screen_stack[0], self.screen_stack[-1]}:
            screen.post_message(ViewRefreshed(self.snapshot))

    def second_passed(self) -> None:
        """What the clock alone changes."""
        if self._taken + RETAKE_SECONDS <= time.monotonic():
            self.retake()

    @on(Worker.StateChanged)
    def _worker_ended(self, event: Worker.StateChanged) -> None:
        """A worker never fails in silence: what it did not expect is a fault of the program."""
        if event.state is WorkerState.ERROR:
            safe_text.toast(self, states.bug(event.worker.error), "error", states.BUG)
