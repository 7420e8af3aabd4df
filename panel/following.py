"""The worker that follows the journal, and what the app learns from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on, work

from panel.bridge import Bridge
from panel.checking import CheckingApp
from panel.news import Followed, FollowingEnded
from panel.safe_text import Severity
from panel.words import states
from state.errors import StateError

if TYPE_CHECKING:
    from state.journal.follow import News

# A watcher that is only being started is no news.
UNWATCHED_SECONDS = 3


class FollowingApp(CheckingApp):
    """An app that hears of each commit. `watching`: at once; else a look is taken each second.

    `alarm` is what the follower finds wrong with the journal now.
    """

    def __init__(self) -> None:
        super().__init__()
        self.watching = False
        self.alarm: StateError | None = None
        self._following = False
        self._folder = 0
        self._unwatched = 0

    def follow_journal(self) -> None:
        """Begins to follow the project that is open; nothing while that is done already."""
        if self.bridge is not None and not self._following:
            self._following, self._folder = True, 0
            self._follow(self.bridge)

    def folder_made_anew(self) -> None:
        """The project stands in another folder now: whoever keeps one open must open it again."""

    def news_came(self) -> None:
        """The journal went on, or something about it is otherwise than before."""

    def say(self, text: str, severity: Severity = "information", *, lasting: bool = False) -> None:
        """One line at the bottom of the screen, for some seconds or until the next; "" ends it."""

    def notice_polling(self) -> None:
        """To be called each second: says once, each time anew, that there is no watcher."""
        without = self._following and not self.watching and self.alarm is None
        self._unwatched = self._unwatched + 1 if without else 0
        if self._unwatched == UNWATCHED_SECONDS:
            self.say(states.POLLING, "warning")

    @work(thread=True, group="follow", exit_on_error=False, description="follow the journal")
    def _follow(self, bridge: Bridge) -> None:
        # The watcher's library is loaded where it is needed.
        from state.journal.follow import follow

        error: StateError | None = None
        try:
            with bridge.project() as project:
                for news in follow(project.journal, self.stopping):
                    self.post_message(Followed(news))
        except StateError as raised:
            error = raised
        finally:
            self.post_message(FollowingEnded(error))

    @on(Followed)
    def _followed(self, event: Followed) -> None:
        news: News = event.news
        self.watching, self.alarm = news.watching, news.trouble
        if news.opened > self._folder:
            self._folder = news.opened
            self.folder_made_anew()
        if news.lines:
            self.followed_to(news.lines[-1].rev)
        elif news.head is not None and self.followed is None:
            self.followed_to(news.head.rev)
        self.news_came()

    @on(FollowingEnded)
    def _following_ended(self, event: FollowingEnded) -> None:
        self._following, self.watching = False, False
        if event.error is not None:
            self.alarm = event.error
            self.news_came()
