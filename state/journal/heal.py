"""Taking over lines that were never marked, setting torn ends aside, rebuilding a blank HEAD."""

import os
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from state import files
from state.errors import Damaged, NotCommitted, RolledBack
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import MAX_LINE, Line, check, is_sealed
from state.journal.operations import Recovered
from state.journal.reader import Position, open_segment

CAN_BE_DONE = "`sublation-panel doctor` says what can be done"


def adopt(journal: Journal, head: Head) -> Head:
    """The head after the whole lines that follow it, in its segment and in a next one.

    They are on the disk before the new HEAD says so. A whole line that doesn't follow is Damaged.
    """
    position = Position.at(head)
    last: Line | None = None
    while True:
        log = journal.log_fd(position.segment)
        size = os.fstat(log).st_size
        before = last
        for line in whole_lines(log, position, size):
            last = line
        if last is not before:
            files.sync_data(log)
        next_segment = journal.paths.segment(position.segment + 1)
        if not os.path.lexists(next_segment):
            break
        if position.offset != size:
            raise _rest_in_finished(position)
        os.chmod(journal.paths.segment(position.segment), 0o400)
        position.segment += 1
        position.offset = 0
    if last is None:
        return head
    adopted = _head_at(last, _project_after(head.project, last), head.gen + 1)
    heads.write(journal.head_fd(update=True), adopted)
    return adopted


def cut_torn(journal: Journal, log: int, head: Head, size: int) -> None:
    """Keeps a rest that is no line in quarantine, byte for byte and on disk, then cuts it."""
    rest = files.pread_exact(log, size - head.off, head.off)
    if any(is_sealed(piece + b"\n") for piece in rest.split(b"\n")[:-1]):
        raise Damaged(
            f"after line {head.rev} (segment {head.seg}, offset {head.off}) stands a whole line "
            "that does not follow from it",
            CAN_BE_DONE,
            rev=head.rev + 1,
            segment=head.seg,
            offset=head.off,
        )
    name = _torn_prefix(head) + sha256(rest).hexdigest()[:16]
    try:
        _keep(journal, name, rest)
        files.truncate(log, head.off)
        files.sync_data(log)
    except OSError as error:
        raise NotCommitted(
            f"a torn end could not be set aside: {error.strerror}; nothing was cut",
            "try again when the disk has room",
        ) from error


def unrecorded(journal: Journal, head: Head) -> tuple[Recovered, ...]:
    """What was set aside after line `head.rev`: no later line can have recorded it yet.

    Read from the quarantine itself, so that a recovery killed half-way is still written down.
    """
    prefix = _torn_prefix(head)
    found = []
    for name in sorted(os.listdir(journal.paths.quarantine)):
        if name.startswith(prefix):
            path = os.path.join(journal.paths.quarantine, name)
            rest = files.read_whole(path, os.lstat(path).st_size)
            digest = sha256(rest).hexdigest()
            found.append(Recovered(name, len(rest), digest, head.seg, head.off))
    return tuple(found)


def rebuild_head(journal: Journal) -> tuple[Head, bool]:
    """A head from a scan of the whole log, and whether nothing outside confirms it.

    RolledBack when the anchor does not agree, Damaged when the log holds no line.
    """
    position = journal.start()
    project = journal.original
    anchor = anchors.read(project)
    last: Line | None = None
    for line in _scan(journal, position):
        last = line
        forked = _project_after(project, line)
        if forked != project:
            project, anchor = forked, anchors.read(forked)
        if anchor is not None and anchor.rev == line.rev and anchor.hash != line.hash:
            raise RolledBack(
                f"line {line.rev} is another one than was seen here before: two histories",
                CAN_BE_DONE,
                rev=line.rev,
            )
    if last is None:
        raise Damaged("HEAD is blank and the log holds no line", CAN_BE_DONE)
    if anchor is not None and last.rev < anchor.rev:
        raise RolledBack(
            f"the log ends with line {last.rev}; line {anchor.rev} had been written already",
            CAN_BE_DONE,
            rev=last.rev,
        )
    head = _head_at(last, project, 1)
    fd = journal.head_fd(update=True)
    heads.write(fd, head)
    heads.write(fd, replace(head, gen=2))
    return replace(head, gen=2), anchor is None


def whole_lines(fd: int, position: Position, size: int) -> Iterator[Line]:
    """Whole lines from `position` until a rest that is no record; moves `position` along.

    Damaged at a record that does not follow from the line before it.
    """
    while position.offset < size:
        chunk = files.pread_exact(fd, min(MAX_LINE, size - position.offset), position.offset)
        raw = chunk[: chunk.find(b"\n") + 1]
        if not is_sealed(raw):
            return
        line = check(
            raw,
            rev=position.rev + 1,
            prev=position.hash,
            segment=position.segment,
            offset=position.offset,
        )
        position.rev, position.hash = line.rev, line.hash
        position.offset += line.size
        yield line


def _scan(journal: Journal, position: Position) -> Iterator[Line]:
    while True:
        fd = open_segment(journal.paths, position.segment)
        try:
            size = os.fstat(fd).st_size
            yield from whole_lines(fd, position, size)
        finally:
            os.close(fd)
        if not os.path.lexists(journal.paths.segment(position.segment + 1)):
            return
        if position.offset != size:
            raise _rest_in_finished(position)
        position.segment += 1
        position.offset = 0


def _rest_in_finished(position: Position) -> Damaged:
    return Damaged(
        f"segment {position.segment} is finished, but holds no line at offset {position.offset}",
        CAN_BE_DONE,
        rev=position.rev + 1,
        segment=position.segment,
        offset=position.offset,
    )


def _keep(journal: Journal, name: str, data: bytes) -> None:
    folder = journal.paths.quarantine
    path = os.path.join(folder, name)
    if os.path.lexists(path) and files.read_whole(path, len(data) + 1) == data:
        return
    scratch = os.path.join(journal.paths.tmp, f"{name}.{os.urandom(4).hex()}")
    files.replace_file(path, data, scratch)
    files.sync_folder(folder)


def _torn_prefix(head: Head) -> str:
    return f"torn-{head.rev}-"


def _project_after(project: str, line: Line) -> str:
    for operation in line.ops:
        if operation["op"] == "project_forked":
            project = operation["project"]
    return project


def _head_at(line: Line, project: str, gen: int) -> Head:
    end = line.offset + line.size
    return Head(project, gen, line.rev, line.segment, line.offset, end, line.hash)
