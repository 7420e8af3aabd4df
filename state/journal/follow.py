"""Following a journal without any lock: what was committed, in order, as soon as it stands."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from state.errors import Damaged, NoProject, Replaced, StateError
from state.journal import anchor as anchors
from state.journal.anchor import Anchor, check_anchor
from state.journal.doorbell import Doorbell
from state.journal.head import Head
from state.journal.heal import counted_in, last_whole
from state.journal.journal import Journal, two_histories
from state.journal.line import Line
from state.journal.place import open_plain, reading
from state.journal.reader import Position, check_last, holds, lines
from state.journal.untouched import check_untouched

BATCH = 5000
TICK_SECONDS = 1.0
# A change that a tick found may have come just before its ring; two in a row have not.
MISSED_RINGS = 2


@dataclass(frozen=True, slots=True)
class News:
    """What changed since the last news.

    `lines` are whole committed lines, at most 5,000, each given once; `head` is the last commit,
    up to which more may be on their way, None while it can't be read. `trouble` is what is wrong
    with the journal now. `watching`: a watcher tells of changes; else there is a look each second.
    `opened` counts how often the folder was found made anew: when it rises, whoever keeps the
    project open must open it again.
    """

    head: Head | None
    lines: tuple[Line, ...]
    watching: bool
    trouble: StateError | None
    opened: int


@dataclass(frozen=True, slots=True)
class Found:
    """What one look at the journal found; `more`: another look gives further lines at once."""

    head: Head | None
    lines: tuple[Line, ...]
    trouble: StateError | None
    more: bool = False


class Follower:
    """Where one reader stands; each `poll` takes it further. No lock, no watcher, no waiting.

    It begins after the line that is the last one at the first poll. It keeps a journal of its own;
    `journal` only says which folder is meant.
    """

    def __init__(self, journal: Journal) -> None:
        self.opened = 0
        self._paths = journal.paths
        self._known = _folder(journal)
        self._project = ""
        self._journal: Journal | None = None
        self._gone: StateError | None = None
        self._seen: Head | None = None
        self._position = journal.start()
        self._last: Line | Head | None = None
        self._tail: tuple[int, ...] = ()

    def poll(self) -> Found:
        """The lines since the last poll, none at the first one; what is wrong comes as trouble."""
        found: list[Line] = []
        try:
            journal = self._journal or self._open()
            journal.check_place()
            head = self._seen = self._head(journal)
            self._read(journal, head, found)
        except StateError as error:
            return Found(None, tuple(found), self._trouble(error))
        return Found(head, tuple(found), None, more=self._position.rev < head.rev)

    def close(self) -> None:
        """Lets the folder go; the next poll opens it again."""
        if self._journal is not None:
            self._journal.close()
        self._journal = None

    def _open(self) -> Journal:
        journal = Journal(self._paths)
        try:
            head = journal.head_or_none() or last_whole(journal)
            anchor = anchors.read(head.project)
            if anchor is not None:
                check_anchor(self._paths, counted_in(journal, head, anchor), anchor)
            known = journal.original == self._project and not self._went_on(journal, anchor)
            if known:
                journal.notice(head, self._seen)
            self._check_tail(journal, head)
        except StateError:
            journal.close()
            raise
        if not known:
            self._position, self._last = Position.at(head), head
        if _folder(journal) != self._known:
            self.opened += 1
        self._known, self._project = _folder(journal), journal.original
        self._journal, self._gone, self._seen = journal, None, head
        return journal

    def _head(self, journal: Journal) -> Head:
        """The last commit; a blank HEAD tells of no other one, and whoever writes next mends it."""
        before = journal.seen
        head = journal.head_or_none() or self._seen or last_whole(journal)
        journal.notice(head, before)
        return head

    def _went_on(self, journal: Journal, anchor: Anchor | None) -> bool:
        """Whether the user put another folder here and went on from an earlier line.

        Only the program itself anchors a folder, so a backup that was put back is none.
        """
        other = _folder(journal) != self._known
        return other and anchor is not None and anchor.root == journal.root_inode

    def _read(self, journal: Journal, head: Head, found: list[Line]) -> None:
        position = self._position
        if head.rev == position.rev:
            if head.hash != position.hash:
                raise two_histories(head.rev)
            self._check_tail(journal, head)
            return
        try:
            # What was read before an error is kept: it is good, and is given with the trouble.
            found.extend(islice(lines(self._paths, position, head), BATCH))
        except Damaged as error:
            last = found[-1] if found else self._last
            if last is not None and not holds(self._paths, last):
                raise two_histories(position.rev) from error
            raise
        finally:
            if found:
                self._last = found[-1]

    def _check_tail(self, journal: Journal, head: Head) -> None:
        """The last segment is as HEAD names it; looked at only when the file was touched since."""
        path = self._paths.segment(head.seg)
        with reading(path, segment=head.seg, offset=head.last):
            fd = open_plain(path)
            try:
                stat = os.fstat(fd)
                tail = (head.rev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
                if tail != self._tail:
                    check_last(fd, head, stat.st_size)
                    if stat.st_size == head.off and journal.is_touched(stat.st_mtime_ns):
                        check_untouched(journal, head, stat.st_mtime_ns)
                    self._tail = tail
            finally:
                os.close(fd)

    def _trouble(self, error: StateError) -> StateError:
        if isinstance(error, NoProject) and self._gone is not None:
            return self._gone
        if self._journal is not None and not isinstance(error, Replaced):
            # While a folder is being removed, its parts go before it does.
            try:
                self._journal.check_place()
            except Replaced as replaced:
                error = replaced
        if isinstance(error, Replaced):
            self.close()
            self._gone = error
        return error


def follow(journal: Journal, stop: threading.Event) -> Iterator[News]:
    """News at once, then with each commit, and whenever `watching` or `trouble` changes.

    Ends soon after `stop` is set. Waits in the thread that iterates; keeps a thread of its own for
    the watcher, which is only the doorbell: a tick each second looks too.
    """
    follower = Follower(journal)
    bell = Doorbell(journal.paths.head_dir, stop, journal.paths.head)
    shown: News | None = None
    rung, missed = True, 0
    try:
        while not stop.is_set():
            found = follower.poll()
            news = News(found.head, found.lines, bell.tend(), found.trouble, follower.opened)
            if shown is None or news.lines or _said(news) != _said(shown):
                yield news
                shown = news
            if found.more:
                continue
            missed = missed + 1 if found.lines and not rung else 0
            if missed == MISSED_RINGS:
                bell.missed()
                missed = 0
            rung = bell.wait(TICK_SECONDS)
    finally:
        bell.close()
        follower.close()


def _said(news: News) -> tuple[object, ...]:
    trouble = None if news.trouble is None else (news.trouble.code, news.trouble.message)
    return news.head, news.watching, trouble, news.opened


def _folder(journal: Journal) -> tuple[int, str]:
    return journal.root_inode, journal.format_hash
