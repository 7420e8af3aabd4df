"""A thread that follows a journal, for the tests of following."""

from __future__ import annotations

import threading

from state.journal.follow import News
from state.journal.follow import follow as followed
from state.journal.journal import Journal
from tests.state.journal_support import Disk
from tests.support import until


class Reader:
    """A thread that follows, as the panel's does; `stop` ends it."""

    def __init__(self, disk: Disk) -> None:
        self.news: list[News] = []
        self.stop = threading.Event()
        journal = Journal(disk.paths)
        self._thread = threading.Thread(target=self._run, args=(journal,))
        self._thread.start()

    def _run(self, journal: Journal) -> None:
        for news in followed(journal, self.stop):
            self.news.append(news)
        journal.close()

    @property
    def revs(self) -> list[int]:
        return [line.rev for news in list(self.news) for line in news.lines]

    @property
    def last(self) -> News:
        return self.news[-1]

    def sees(self, rev: int) -> None:
        until(lambda: rev in self.revs, f"line {rev}")

    def watches(self) -> None:
        until(lambda: self.news and self.last.watching, "watching")

    def is_told(self, code: str | None) -> None:
        def told() -> bool:
            trouble = self.last.trouble if self.news else None
            return (trouble.code if trouble else None) == code

        until(told, f"trouble {code}")

    def end(self) -> None:
        self.stop.set()
        self._thread.join(10.0)
        assert not self._thread.is_alive()
