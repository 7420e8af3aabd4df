"""The commit: one write, one fdatasync, then the mark. Steps as in `docs/format.md`."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EACCES, EPERM, EROFS
from hashlib import sha256

from state import files
from state.errors import CommitUnknown, Damaged, NotCommitted, ReadOnly
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import Line, check, encode
from state.journal.lock import WAIT_SECONDS, exclusive, read_only
from state.journal.operations import SegmentStarted
from state.journal.settle import Settled, settle

SEGMENT_BYTES = 8 * 1024 * 1024
SYSTEM = "system"
SAME_KEY = "repeat the command with the same --key: it is written at most once"


@dataclass(frozen=True, slots=True)
class Author:
    """Who writes, by which way (`via`), and the request id that makes a retry safe."""

    seat: str
    via: str
    req: str
    guards: Mapping[str, int]


class Writer:
    """The journal under the lock, settled. `head` moves along with what is appended."""

    def __init__(self, journal: Journal, settled: Settled) -> None:
        self._journal = journal
        self._recovered = settled.recovered
        self.anchor = settled.anchor
        self.unanchored = settled.unanchored
        self.head = settled.head
        self.appended: list[Line] = []

    def append(self, author: Author, ts: str, ops: Sequence[object]) -> Line:
        """Commits one line with `ops` and gives it.

        BadInput when it is too long (nothing written), NotCommitted when the disk refused and the
        log is as it was, CommitUnknown when that can't be known.
        """
        ops = (*self._recovered, *ops)
        if self.head.off >= SEGMENT_BYTES:
            self._start_segment(ts)
        raw = self._encode(author, ts, ops)
        log = self._journal.log_fd(self.head.seg)
        _write_whole(log, raw, self.head.off)
        try:
            files.sync_data(log)
        except OSError as error:
            self._journal.failed = True
            raise CommitUnknown(
                f"the disk did not confirm the line: {error.strerror}", SAME_KEY
            ) from error
        self._recovered = ()
        return self._mark(raw, self.head.seg, self.head.off)

    def _encode(self, author: Author, ts: str, ops: Sequence[object]) -> bytes:
        return encode(
            rev=self.head.rev + 1,
            prev=self.head.hash,
            ts=ts,
            seat=author.seat,
            via=author.via,
            req=author.req,
            guards=author.guards,
            ops=ops,
        )

    def _mark(self, raw: bytes, segment: int, offset: int) -> Line:
        line = check(
            raw, rev=self.head.rev + 1, prev=self.head.hash, segment=segment, offset=offset
        )
        project = self.head.project
        for operation in line.ops:
            if operation["op"] == "project_forked":
                project = operation["project"]
        self.head = Head(
            project,
            self.head.gen + 1,
            line.rev,
            segment,
            offset,
            offset + line.size,
            line.hash,
        )
        try:
            heads.write(self._journal.head_fd(update=True), self.head)
        except OSError as error:
            self._journal.failed = True
            raise CommitUnknown(
                f"the line is written, HEAD is not: {error.strerror}", SAME_KEY
            ) from error
        self.appended.append(line)
        return line

    def _start_segment(self, ts: str) -> None:
        """A whole first line gets the next segment's name; the finished file is made read only."""
        paths = self._journal.paths
        number = self.head.seg + 1
        target = paths.segment(number)
        finished = files.read_whole(paths.segment(self.head.seg), self.head.off)
        started = SegmentStarted(number, len(finished), sha256(finished).hexdigest())
        author = Author(SYSTEM, "cli", os.urandom(16).hex(), {})
        raw = self._encode(author, ts, [started])
        if os.path.lexists(target):
            raise Damaged(f"segment {number} exists already", "see `sublation-panel doctor`")
        try:
            files.replace_file(target, raw, os.path.join(paths.tmp, f"segment-{number}"))
            files.sync_folder(paths.log_dir)
        except OSError as error:
            raise NotCommitted(
                f"a new segment could not be made: {error.strerror}", "nothing was written"
            ) from error
        os.chmod(paths.segment(self.head.seg), 0o400)
        self._mark(raw, number, 0)


@contextmanager
def writing(
    journal: Journal,
    *,
    seat: str,
    now: Callable[[], str],
    wait: float = WAIT_SECONDS,
    same_place: bool = True,
) -> Iterator[Writer]:
    """The lock, the inode checks and the settled journal; afterwards the anchor, when due.

    `now` is asked again for the anchor. Errors: Busy, ReadOnly, Replaced, Damaged, RolledBack,
    MovedOrCopied.
    """
    if journal.failed:
        raise ReadOnly(
            "an earlier line of this process was not confirmed by the disk",
            "open the project again; what was committed is still there",
        )
    journal.check_place()
    if not journal.is_writable():
        raise ReadOnly(
            "the project can't be written by this process",
            "run where the folder is writable to change anything",
        )
    with exclusive(journal.paths.mutex, seat=seat, since=now(), wait=wait):
        journal.check_place()
        try:
            writer = Writer(journal, settle(journal, same_place=same_place))
        except OSError as error:
            if error.errno in (EACCES, EPERM, EROFS):
                raise read_only(error) from error
            raise NotCommitted(
                f"the journal can't be opened: {error.strerror}", "nothing was written"
            ) from error
        yield writer
    _renew_anchor(journal, writer, now())


def _write_whole(log: int, raw: bytes, end: int) -> None:
    try:
        written = files.write(log, raw)
        problem = "" if written == len(raw) else "no room for the whole line"
    except OSError as error:
        problem = error.strerror or "the disk refused"
    if not problem:
        return
    try:
        files.truncate(log, end)
    except OSError as error:
        raise CommitUnknown(
            f"a line was written in part and could not be cut back: {error.strerror}", SAME_KEY
        ) from error
    raise NotCommitted(
        f"nothing was written: {problem}", "make room on the disk, then repeat the command"
    )


def _renew_anchor(journal: Journal, writer: Writer, now: str) -> None:
    head, anchor = writer.head, writer.anchor
    if anchors.is_due(anchor, head.rev, now):
        anchors.write(Anchor(head.project, head.rev, head.hash, journal.root_inode, now))
