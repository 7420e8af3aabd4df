"""One picture of one project, opened and taken by workers, given to the screens that are seen.

A worker is a thread that is given plain values and answers with a message; none touches a widget.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from textual import events, on, work
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from panel import safe_text
from panel.bridge import Bridge, Seen
from panel.following import FollowingApp
from panel.messages import ViewRefreshed
from panel.news import IndexBuilt, ProjectOpened, ProjectRefused, SnapshotTaken
from panel.snapshot import RECENT, Snapshot
from panel.widgets.gather import Gather
from panel.widgets.later import later
from panel.words import states
from state.clock import Clock, SystemClock
from state.errors import StateError
from state.overview import in_doubt
from state.paths import Paths

T = TypeVar("T")

TICK_SECONDS = 1.0
# What time alone changes (who is due) and hints that no commit announces (who looked).
RETAKE_SECONDS = 2.0
# Longer than opening takes, shorter than one waits before an empty screen.
BLANK_SECONDS = 0.25
# Keys come first: for so long after one, pictures of what others do keep further apart.
KEYS_SECONDS = 0.15
BESIDE_KEYS_SECONDS = 0.2


class LiveApp(FollowingApp):
    """An app that keeps one picture of one project fresh, without ever waiting for it.

    `failure` is why the project can't be looked at now; `snapshot` stays what was seen last.
    `faults` are those of the program itself, as they were shown. While it is `blank` nothing is
    drawn: a frame without a picture would be seen for a twentieth of a second, and delay the next.
    """

    def __init__(self, paths: Paths, clock: Clock | None = None) -> None:
        super().__init__()
        self.paths = paths
        self.clock: Clock = clock or SystemClock()
        self.snapshot: Snapshot | None = None
        self.failure: StateError | None = None
        self.faults: list[str] = []
        self.blank = True
        self._opening = False
        self._begun = False
        self._building = False
        self._shown: Snapshot | None = None
        self._waiting: Seen | None = None
        self._gather = Gather(self, self._take_next)
        self._taking = False
        self._stale = False
        self._taken = 0.0
        self._pressed = float("-inf")

    def on_mount(self) -> None:
        self.set_interval(TICK_SECONDS, self.second_passed)
        later(self, BLANK_SECONDS, self.draw)

    def draw(self) -> None:
        """Ends being blank: from now on everything is drawn at once."""
        if self.blank and self.screen_stack:
            self.blank = False
            self.screen.refresh()

    def on_unmount(self) -> None:
        self.stop_working()

    def put(self, dialog: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        """Lays a dialog over what is seen; `then` gets what it is dismissed with."""
        _ = self.push_screen(dialog, then)

    # Opening.

    def open_project(self) -> None:
        """Opens the project in a worker, at the start or after its folder was made anew."""
        if not self._opening:
            self._opening = self._taking = True
            self._open(self.paths, self.clock)

    @work(thread=True, group="open", exit_on_error=False, description="open the project")
    def _open(self, paths: Paths, clock: Clock) -> None:
        try:
            bridge = Bridge(paths, clock, self.stopping)
        except StateError as error:
            self.post_message(ProjectRefused(error))
        else:
            self.post_message(ProjectOpened(bridge))
            self._look(bridge, 0)

    @on(ProjectOpened)
    def _project_opened(self, event: ProjectOpened) -> None:
        self._opening = False
        self.forget_checked()
        self.bridge, self.failure, self.alarm = event.bridge, None, None
        self._begun = False

    def begin(self) -> None:
        """The first picture is drawn: now there is time for all that takes longer."""
        if self.bridge is not None and not self._begun:
            self._begun = True
            self.follow_journal()
            self.check_chain()

    @on(ProjectRefused)
    def _project_refused(self, event: ProjectRefused) -> None:
        self._opening = self._taking = False
        self.lost_sight(event.error)

    def folder_made_anew(self) -> None:
        self.open_project()

    def news_came(self) -> None:
        self._take_waiting()
        self.retake()

    # Taking pictures.

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self._pressed = time.monotonic()
        await super().on_event(event)

    def retake(self) -> None:
        """Wishes for a newer picture: at once after a pause, else with others together."""
        typing = time.monotonic() - self._pressed < KEYS_SECONDS
        self._gather.ask(BESIDE_KEYS_SECONDS if typing else None)

    def _take_next(self) -> None:
        if self._taking:
            self._stale = True
        elif self.bridge is not None:
            self._taking, self._stale = True, False
            self._taken = time.monotonic()
            self._take(self.bridge)

    @work(thread=True, group="take", exit_on_error=False, description="take a picture")
    def _take(self, bridge: Bridge) -> None:
        self._look(bridge, RECENT)

    def _look(self, bridge: Bridge, newest: int) -> None:
        """What a worker does to take a picture."""

        def progress(done: int, of: int) -> None:
            self.post_message(IndexBuilt(done, of))

        try:
            self.post_message(SnapshotTaken(bridge, bridge.look(newest, progress), None))
        except StateError as error:
            self.post_message(SnapshotTaken(bridge, None, error))

    @on(IndexBuilt)
    def _index_built(self, event: IndexBuilt) -> None:
        self._building = True
        self.draw()
        self.say(states.building(event.done, event.of), lasting=True)

    @on(SnapshotTaken)
    def _snapshot_taken(self, event: SnapshotTaken) -> None:
        self._taking = False
        if self._building:
            self._building = False
            self.say("")
        if self._stale:
            self.retake()
        if event.bridge is not self.bridge:
            return
        if event.error is not None:
            self.lost_sight(event.error)
        else:
            self._waiting = event.seen
            self._take_waiting()

    def _take_waiting(self) -> None:
        """Shows what was taken, but nothing that the follower hasn't brought yet."""
        if self._waiting is None:
            return
        overview, health, recent = self._waiting
        ahead = self.followed is not None and overview.rev > self.followed
        if ahead and self.alarm is None and health.trouble is None:
            return
        self._waiting = self.failure = None
        if self.followed is None:
            self.seen_to(overview.rev)
        self.snapshot = Snapshot(overview, health, self.verified, self.watching, recent)
        self.show_snapshot()
        if not self._begun:
            self.call_after_refresh(self.begin)

    def lost_sight(self, error: StateError) -> None:
        """The project can't be looked at; what was seen last stays, and says so."""
        self.failure = error
        self.draw()
        self.show_snapshot()

    def show_snapshot(self) -> None:
        """Gives the present picture to the screens that are seen."""
        if self.snapshot is None or self.stopping.is_set():
            return
        seen = self.snapshot._replace(verified=self.verified, watching=self.watching)
        wrong = self.alarm or self.failure
        if wrong is not None:
            health = seen.health._replace(state=wrong.code, trouble=wrong)
            seen = seen._replace(health=health)
        if seen.verified.wrong is not None:
            seen = seen._replace(overview=in_doubt(seen.overview))
        self.snapshot = seen
        if self._shown is not None and seen.says_the_same(self._shown):
            return
        self._shown = seen
        self.draw()
        # Empty while the panel ends.
        stack = self.screen_stack
        for screen in {*stack[:1], *stack[-1:]}:
            screen.post_message(ViewRefreshed(seen))

    def verified_changed(self) -> None:
        self.show_snapshot()

    def second_passed(self) -> None:
        """What the clock alone changes."""
        self.notice_polling()
        if self._begun:
            self.follow_journal()
        if self.bridge is None and self.failure is not None:
            self.open_project()
        elif self._taken + RETAKE_SECONDS <= time.monotonic():
            self.retake()

    @on(Worker.StateChanged)
    def worker_ended(self, event: Worker.StateChanged) -> None:
        """A worker never fails in silence: what it did not expect is a fault of the program.

        Screens hand on what they hear of their own workers.
        """
        if event.state is WorkerState.ERROR:
            self.faults.append(states.bug(event.worker.error))
            safe_text.toast(self, self.faults[-1], "error", states.BUG)
