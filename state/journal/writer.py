"""The commit: one write, one fdatasync, then the mark. Steps as in `docs/format.md`."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from state import files
from state.errors import BadInput, CommitUnknown, Damaged, NotCommitted, ReadOnly
from state.journal import anchor as anchors
from state.journal import blobs
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.heal import finish, project_after
from state.journal.journal import Journal
from state.journal.line import Line, check, encode
from state.journal.lock import WAIT_SECONDS, exclusive
from state.journal.place import CAN_BE_DONE, forbids_writing, read_only, unwritable
from state.journal.settle import Settled, settle

SEGMENT_BYTES = 8 * 1024 * 1024
SYSTEM = "system"
SAME_KEY = "repeat the command with the same --key: it is written at most once"
# So many fit into one line.
RECOVERED_AT_ONCE = 100


class Author(NamedTuple):
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

    def append(
        self, author: Author, ts: str, ops: Sequence[object], texts: Sequence[bytes] = ()
    ) -> Line:
        """Commits one line with `ops` and gives it; `texts` are blobs that it names.

        What was recovered, and a new segment, come before it as lines of their own, by `system`.
        BadInput when it can't be a line, NotCommitted when the disk refused and the log is as it
        was, CommitUnknown when that can't be known.
        """
        # Tried out first: input that can't be stored must not leave a trace.
        encoded = self._encode(author, ts, ops)
        for text in texts:
            blobs.put(self._journal.paths, text)
        behind = self.head
        while self._recovered:
            recovered = self._recovered[:RECOVERED_AT_ONCE]
            self._commit(*self._encode(self._by_system(author), ts, recovered))
            self._recovered = self._recovered[RECOVERED_AT_ONCE:]
        if self.head.off >= SEGMENT_BYTES:
            self._start_segment(self._by_system(author), ts)
        if self.head is not behind:
            encoded = self._encode(author, ts, ops)
        return self._commit(*encoded)

    def taken(self) -> list[Line]:
        """The lines appended since this was last asked."""
        lines, self.appended = self.appended, []
        return lines

    def _commit(self, raw: bytes, line: Line) -> Line:
        try:
            log = self._journal.log_fd(line.segment)
            # Both before the first byte: a line that could not be marked must not be written.
            head = self._journal.head_fd()
        except OSError as error:
            if forbids_writing(error):
                raise read_only(error) from error
            raise NotCommitted(
                f"nothing was written: log or HEAD can't be opened ({error.strerror})", CAN_BE_DONE
            ) from error
        _write_whole(log, raw, line.offset)
        try:
            self._journal.sync(log)
        except OSError as error:
            raise CommitUnknown(
                f"the disk did not confirm the line: {error.strerror}", SAME_KEY
            ) from error
        return self._mark(line, head)

    def _encode(self, author: Author, ts: str, ops: Sequence[object]) -> tuple[bytes, Line]:
        rev, prev = self.head.rev + 1, self.head.hash
        raw = encode(
            rev=rev,
            prev=prev,
            ts=ts,
            seat=author.seat,
            via=author.via,
            req=author.req,
            guards=author.guards,
            ops=ops,
        )
        try:
            # Once it is written, a line that no reader takes would be damage.
            return raw, check(raw, rev=rev, prev=prev, segment=self.head.seg, offset=self.head.off)
        except Damaged as error:
            raise BadInput(error.message, field="line") from error

    def _mark(self, line: Line, head: int) -> Line:
        end = line.offset + line.size
        project = project_after(self.head.project, line)
        gen = self.head.gen + 1
        self.head = Head(project, gen, line.rev, line.segment, line.offset, end, line.hash)
        try:
            heads.write(head, self.head)
        except OSError as error:
            self._journal.failed = True
            raise CommitUnknown(
                f"the line is written, HEAD is not: {error.strerror}", SAME_KEY
            ) from error
        self._journal.notice(self.head, None)
        self._journal.agreed = (self.head, self.anchor)
        self.appended.append(line)
        return line

    def _start_segment(self, author: Author, ts: str) -> None:
        """A whole first line gets the next segment's name; the finished file is made read only."""
        from state.journal.operations import SegmentStarted

        paths = self._journal.paths
        number = self.head.seg + 1
        target = paths.segment(number)
        if os.path.lexists(target):
            raise Damaged(f"segment {number} exists already", CAN_BE_DONE, segment=number)
        try:
            head = self._journal.head_fd()
            finished = files.read_whole(paths.segment(self.head.seg), self.head.off)
            started = SegmentStarted(number, len(finished), sha256(finished).hexdigest())
            raw, line = self._encode(author, ts, [started])
            files.replace_file(target, raw, paths.scratch(f"segment-{number}"))
            files.sync_folder(paths.log_dir)
        except OSError as error:
            raise NotCommitted(
                f"a new segment could not be made: {error.strerror}", "nothing was written"
            ) from error
        before = self.head.seg
        self._mark(line._replace(segment=number, offset=0), head)
        finish(paths, before)

    def _by_system(self, author: Author) -> Author:
        return author._replace(seat=SYSTEM, req=os.urandom(16).hex(), guards={})


@contextmanager
def writing(
    journal: Journal,
    *,
    seat: str,
    now: Callable[[], str],
    wait: float = WAIT_SECONDS,
    same_place: bool = True,
    same_history: bool = True,
) -> Iterator[Writer]:
    """The lock, the inode checks and the settled journal; afterwards the anchor, when due.

    `now` is asked again for the anchor; the last two are as of `examine`. Errors: Busy, ReadOnly,
    Refused (file system), Replaced, Damaged, RolledBack, MovedOrCopied, NewerFormat, NotCommitted.
    """
    if journal.failed:
        raise ReadOnly(
            "an earlier line of this process was not confirmed by the disk",
            "open the project again; what was committed is still there",
        )
    journal.check_place()
    closed = journal.unwritable()
    if closed is not None:
        raise unwritable(closed)
    journal.check_filesystem()
    with exclusive(journal.paths.mutex, seat=seat, since=now(), wait=wait):
        journal.check_place()
        try:
            settled = settle(journal, same_place=same_place, same_history=same_history)
            writer = Writer(journal, settled)
        except OSError as error:
            if forbids_writing(error):
                raise read_only(error) from error
            raise NotCommitted(
                f"the journal can't be made ready: {error.strerror}", "nothing was written"
            ) from error
        yield writer
    _renew_anchor(journal, writer, now())


def _write_whole(log: int, raw: bytes, end: int) -> None:
    try:
        written = files.write(log, raw)
        problem = "" if written == len(raw) else "no room for the whole line"
    except OSError as error:
        problem = error.strerror or "the disk refused"
    if problem:
        try:
            files.truncate(log, end)
        except OSError as error:
            raise CommitUnknown(
                f"a line was written in part and could not be cut back: {error.strerror}", SAME_KEY
            ) from error
        raise NotCommitted(
            f"nothing was written: {problem}", "make room on the disk, then repeat the command"
        )
    if os.fstat(log).st_size != end + len(raw):
        # Without the lock another program wrote here too. The line is not marked: whoever
        # settles next sets aside what can't be a line, and adopts what is one.
        raise CommitUnknown("another program writes to the log without the lock", SAME_KEY)


def _renew_anchor(journal: Journal, writer: Writer, now: str) -> None:
    head = writer.head
    if anchors.is_due(writer.anchor, head.rev, now):
        anchors.advance(Anchor(head.project, head.rev, head.hash, journal.root_inode, now))
