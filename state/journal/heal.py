"""Taking over lines that were never marked, setting torn ends aside, rebuilding a blank HEAD."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from state import files
from state.errors import Damaged, NotCommitted
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.head import Head
from state.journal.journal import Journal, two_histories
from state.journal.line import Line, damaged, is_sealed
from state.journal.place import CAN_BE_DONE, open_plain, reading
from state.journal.reader import Position, missing, pieces, stored, take
from state.paths import Paths

# What hardly ever happened is not imported by everyone who opens a project.
if TYPE_CHECKING:
    from state.journal.anchor import Anchor
    from state.journal.operations import Recovered

FINISHED = 0o400
MAX_TORN = 64 * 1024 * 1024


def following(journal: Journal, head: Head) -> Head:
    """The head after the whole lines that follow it, in its segment and those after it.

    Changes nothing. Damaged at a whole line that doesn't follow, and where bytes that are no
    line are followed by one, or are too many to be set aside.
    """
    scan = Scan(journal, Position.at(head))
    last: Line | None = None
    for line in scan.lines():
        last = line
    scan.check_rest()
    return head if last is None else _head_at(last, project_after(head.project, last), head.gen + 1)


def counted_in(journal: Journal, head: Head, anchor: "Anchor") -> Head:
    """What is compared with an anchor: lines behind a HEAD that is older than it count too.

    HEAD is not synced, the anchor is; and both may be written on while they are read.
    """
    return following(journal, head) if head.rev < anchor.rev else head


def adopt(journal: Journal, old: Head, head: Head) -> None:
    """Marks lines that a dead writer left behind `old`; they are on the disk before that."""
    journal.sync(journal.log_fd(head.seg))
    if head.seg != old.seg:
        # He may have died before the name of the new segment was on the disk.
        files.sync_folder(journal.paths.log_dir)
    heads.write(journal.head_fd(), head)
    for segment in range(old.seg, head.seg):
        finish(journal.paths, segment)


def finish(paths: Paths, segment: int) -> None:
    """Protects a finished segment from editors; a folder that can't do so is no fault."""
    with suppress(OSError):
        files.chmod(paths.segment(segment), FINISHED)


def cut_torn(journal: Journal, log: int, head: Head, size: int) -> None:
    """Keeps a rest that is no line in quarantine, byte for byte and on disk, then cuts it."""
    rest = files.pread_exact(log, size - head.off, head.off)
    name = _torn_prefix(head) + sha256(rest).hexdigest()[:16]
    try:
        _keep(journal, name, rest)
    except OSError as error:
        raise NotCommitted(
            f"a torn end could not be set aside: {error.strerror}; nothing was cut",
            "try again when the disk has room",
        ) from error
    files.truncate(log, head.off)
    journal.sync(log)


def unrecorded(journal: Journal, head: Head) -> "tuple[Recovered, ...]":
    """What was set aside after line `head.rev`: no later line can have recorded it yet.

    Read from the quarantine itself, so that a recovery killed half-way is still written down.
    """
    prefix = _torn_prefix(head)
    names = [name for name in listed(journal.paths.quarantine) if name.startswith(prefix)]
    if not names:
        return ()
    from state.journal.operations import Recovered

    found = []
    for name in sorted(names):
        path = journal.paths.quarantined(name)
        kept = os.lstat(path)
        if not stat.S_ISREG(kept.st_mode):
            # Not by this program, which keeps nothing but plain files.
            continue
        rest = files.read_whole(path, kept.st_size)
        digest = sha256(rest).hexdigest()
        found.append(Recovered(name, len(rest), digest, head.seg, head.off))
    return tuple(found)


def last_whole(journal: Journal) -> Head:
    """The head that a scan of the whole log from line 1 gives; changes nothing.

    Damaged when it holds no line, or a whole record after bytes that are none; RolledBack when
    it has another line than the anchor says.
    """
    scan = Scan(journal, journal.start())
    project = journal.original
    anchor = anchors.read(project)
    last: Line | None = None
    for line in scan.lines():
        last = line
        forked = project_after(project, line)
        if forked != project:
            project, anchor = forked, anchors.read(forked)
        if anchor is not None and anchor.rev == line.rev and anchor.hash != line.hash:
            raise two_histories(line.rev)
    if last is None:
        raise Damaged("HEAD is blank and the log holds no line", CAN_BE_DONE)
    scan.check_rest()
    return _head_at(last, project, 1)


def write_anew(journal: Journal, head: Head) -> Head:
    """HEAD in both slots, from what a scan gave; gives the head of the higher generation."""
    journal.sync(journal.log_fd(head.seg))
    files.sync_folder(journal.paths.log_dir)
    if not os.path.lexists(journal.paths.head):
        files.make_folder(journal.paths.tmp)
        scratch = journal.paths.scratch(f"head-{os.urandom(4).hex()}")
        files.replace_file(journal.paths.head, heads.whole(head), scratch)
        files.sync_folder(journal.paths.head_dir)
    fd = journal.head_fd()
    for gen in (head.gen, head.gen + 1):
        heads.write(fd, head._replace(gen=gen))
    return head._replace(gen=head.gen + 1)


class Scan:
    """Whole lines after a position, in its segment and those that follow.

    Without the lock a writer may be at work meanwhile: everything is judged by the size that the
    log had when it was read.
    """

    def __init__(self, journal: Journal, position: Position) -> None:
        self._paths = journal.paths
        self._position = position
        self._size = 0

    def lines(self) -> Iterator[Line]:
        """Each whole line, up to a rest that is no record.

        Damaged at a record that does not follow, and where a segment that has a follower does not
        end with a line.
        """
        position = self._position
        while True:
            path = self._paths.segment(position.segment)
            with reading(path, segment=position.segment, offset=position.offset):
                fd = open_plain(path)
                try:
                    self._size = os.fstat(fd).st_size
                    yield from self._whole(fd)
                    if not os.path.lexists(self._paths.segment(position.segment + 1)):
                        return
                    grown = os.fstat(fd).st_size != self._size
                finally:
                    os.close(fd)
            if grown:
                # A writer finished the segment while it was read.
                continue
            if position.offset != self._size:
                raise missing(position.rev + 1, position.segment, position.offset)
            position.segment += 1
            position.offset = 0

    def check_rest(self) -> None:
        """After the lines: Damaged when the rest holds a record, or is too long to be kept."""
        position = self._position
        size = self._size - position.offset
        if size > MAX_TORN:
            raise damaged(
                position.rev + 1,
                position.segment,
                position.offset,
                f"is missing: {size:,} bytes of something else stand in its place",
            )
        rest = stored(self._paths, position.segment, position.offset, self._size)
        if any(is_sealed(piece) for piece in rest):
            raise damaged(
                position.rev + 1,
                position.segment,
                position.offset,
                "is missing: a whole line that does not follow stands after it",
            )

    def _whole(self, fd: int) -> Iterator[Line]:
        position = self._position
        for raw in pieces(fd, position.offset, self._size):
            # A segment is complete before it has a name: its first line can't be torn.
            if position.offset and not is_sealed(raw):
                return
            yield take(raw, position)
        if position.offset == 0:
            take(b"", position)


def listed(folder: str) -> list[str]:
    """The names in a folder, which is made anew where a backup left it out because it was empty."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        files.make_folder(folder)
        return []


def _keep(journal: Journal, name: str, data: bytes) -> None:
    for folder in (journal.paths.tmp, journal.paths.quarantine):
        files.make_folder(folder)
    path = journal.paths.quarantined(name)
    number = 0
    while os.path.lexists(path):
        if files.read_whole(path, len(data) + 1) == data:
            # Who kept it may have died before its name was on the disk.
            files.sync_folder(journal.paths.quarantine)
            return
        number += 1
        path = journal.paths.quarantined(f"{name}-{number}")
    scratch = journal.paths.scratch(f"{name}-{os.urandom(4).hex()}")
    files.replace_file(path, data, scratch)
    files.sync_folder(journal.paths.quarantine)


def _torn_prefix(head: Head) -> str:
    return f"torn-{head.rev}-"


def project_after(project: str, line: Line) -> str:
    for operation in line.ops:
        if operation["op"] == "project_forked":
            project = operation["project"]
    return project


def _head_at(line: Line, project: str, gen: int) -> Head:
    end = line.offset + line.size
    return Head(project, gen, line.rev, line.segment, line.offset, end, line.hash)
