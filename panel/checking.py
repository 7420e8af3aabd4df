"""The check of the whole chain in the background, and how many lines this process has checked."""

from __future__ import annotations

import threading
import time

from textual import on, work
from textual.app import App

from panel.bridge import Bridge
from panel.news import ChainChecked
from panel.snapshot import Verified
from state.errors import StateError

BETWEEN_PROGRESS_SECONDS = 0.1


class CheckingApp(App[int]):
    """An app that counts the lines of one project as checked, by check and follower together.

    `followed` is the line up to which the follower has come, None before its first news.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stopping = threading.Event()
        self.bridge: Bridge | None = None
        self.verified = Verified()
        self._cancelled = threading.Event()
        self._followed_from: int | None = None
        self.followed: int | None = None

    def stop_working(self) -> None:
        """Tells every worker to end; each does within a fraction of a second."""
        self.stopping.set()
        self._cancelled.set()

    def check_chain(self) -> None:
        """Begins the check of every line anew."""
        if self.bridge is not None:
            self._cancelled.set()
            self._cancelled = threading.Event()
            self.verified = Verified(0, self.verified.of)
            self._check(self.bridge, self._cancelled)

    def followed_to(self, rev: int) -> None:
        """The follower has checked whatever came since its first news, up to this line."""
        if self._followed_from is None:
            self._followed_from = rev
        self.followed = rev
        self._count(self.verified.upto, rev)

    def seen_to(self, rev: int) -> None:
        """There are lines up to this one, of which the follower has said nothing yet."""
        self._count(self.verified.upto, rev)

    def forget_checked(self) -> None:
        """Another journal stands there now, of which nothing was checked yet."""
        self.verified = Verified()
        self._followed_from = self.followed = None

    def verified_changed(self) -> None:
        """More lines were checked, or one was found that is wrong."""

    @work(thread=True, group="check", exit_on_error=False, description="check the chain")
    def _check(self, bridge: Bridge, cancelled: threading.Event) -> None:
        from state import health
        from state.journal.verify import verify

        told = 0.0

        def progress(upto: int, of: int) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= BETWEEN_PROGRESS_SECONDS:
                told = now
                self.post_message(ChainChecked(bridge, upto, of))

        try:
            bridge.check_index()
            with bridge.project() as project:
                report = verify(project.journal, progress, cancelled.is_set)
                health.remember(project, report)
        except StateError as error:
            self.post_message(ChainChecked(bridge, 0, 0, error.message))
            return
        if not cancelled.is_set():
            worst = report.worst
            wrong = (None, None) if worst is None else (worst.what, worst.rev)
            upto = report.head.rev if report.ok and report.complete else report.lines
            self.post_message(ChainChecked(bridge, upto, report.head.rev, *wrong))

    @on(ChainChecked)
    def _chain_checked(self, event: ChainChecked) -> None:
        if event.bridge is self.bridge:
            wrong = event.wrong, event.wrong_rev
            self.verified = Verified(self.verified.upto, self.verified.of, *wrong)
            self._count(event.upto, event.of)
            self.verified_changed()

    def _count(self, checked: int, newest: int) -> None:
        """Lines from the first one on, and with them all that the follower checked after them."""
        of = max(newest, self.verified.of)
        upto = max(checked, self.verified.upto)
        if self._followed_from is not None and upto >= self._followed_from:
            upto = of
        self.verified = self.verified._replace(upto=upto, of=of)
