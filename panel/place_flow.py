"""Whether there is a project, and whether this is its place: what only the person can answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual import on

from panel.bridge import Bridge
from panel.news import ProjectOpened
from panel.submitting import SubmittingApp
from panel.words import moved
from state.clock import Clock
from state.errors import NoProject, StateError
from state.paths import Paths

if TYPE_CHECKING:
    from panel.screens.first_start import FirstStart

MOVED_OR_COPIED = "moved_or_copied"


class PlaceFlowApp(SubmittingApp):
    """An app that offers to make a project where there is none, and asks about one that moved."""

    def __init__(self, paths: Paths, clock: Clock | None = None) -> None:
        super().__init__(paths, clock)
        self._first_start: FirstStart | None = None
        self._asked: Bridge | None = None

    def lost_sight(self, error: StateError) -> None:
        super().lost_sight(error)
        if self.bridge is None and isinstance(error, NoProject):
            self._offer_to_create()

    def show_snapshot(self) -> None:
        super().show_snapshot()
        if self.is_unsettled and self._asked is not self.bridge:
            self._asked = self.bridge
            self.ask_whether_moved()

    @property
    def is_unsettled(self) -> bool:
        """Whether the project stands where this machine doesn't know it."""
        return self.snapshot is not None and self.snapshot.health.state == MOVED_OR_COPIED

    def ask_whether_moved(self) -> None:
        """Asks whether the project was moved or is a copy, and tells it the answer."""
        from panel.screens.moved import Moved

        def then(answer: str | None) -> None:
            if answer is not None:
                self.say(moved.SAID[answer])
                if self.verified.wrong is not None:
                    # The answer may have settled it, as for a copy of an older state.
                    self.check_chain()

        if self.bridge is not None:
            self.put(Moved(self.bridge), then)

    def _offer_to_create(self) -> None:
        from panel.screens.first_start import FirstStart

        if self._first_start is None:
            folder = self.paths.project
            self._first_start = FirstStart(folder, os.path.basename(folder), self.clock)
            self.put(self._first_start, self._created)

    def _created(self, paths: Paths | None) -> None:
        if paths is not None:
            self.open_project()

    @on(ProjectOpened)
    def _there_is_one(self) -> None:
        """Somebody may have made the project meanwhile: then there is nothing left to ask."""
        if self._first_start is not None:
            self._first_start.leave(None)
            self._first_start = None
