"""Reading committed lines, without any lock: from an offset up to HEAD's and never beyond."""

import os
from collections.abc import Iterator

from state import files
from state.errors import Damaged, Replaced, RolledBack
from state.journal.head import Head
from state.journal.line import MAX_LINE, Line, check
from state.paths import Paths

CHUNK = 1 << 20


class Position:
    """Where a reader stands: after line `rev`, whose sha256 is `hash`, in `segment` at `offset`."""

    __slots__ = ("hash", "offset", "rev", "segment")

    def __init__(self, rev: int, hash: str, segment: int, offset: int) -> None:
        self.rev = rev
        self.hash = hash
        self.segment = segment
        self.offset = offset

    @classmethod
    def start(cls, format_hash: str) -> "Position":
        """Before line 1, which chains to the sha256 of FORMAT."""
        return cls(0, format_hash, 1, 0)

    @classmethod
    def at(cls, head: Head) -> "Position":
        return cls(head.rev, head.hash, head.seg, head.off)


def lines(paths: Paths, position: Position, head: Head) -> Iterator[Line]:
    """Each whole line after `position` up to `head`, checked; moves `position` along.

    Damaged with rev and offset at the first byte that isn't as it should be.
    """
    while position.rev < head.rev:
        last = position.segment == head.seg
        fd = open_segment(paths, position.segment)
        try:
            size = os.fstat(fd).st_size
            if last and size < head.off:
                raise cut_off(head, size)
            end = head.off if last else size
            yield from segment_lines(fd, position, end)
        finally:
            os.close(fd)
        if not last:
            position.segment += 1
            position.offset = 0
        elif position.rev != head.rev:
            raise Damaged(
                f"HEAD names line {head.rev}, the log ends with line {position.rev} there",
                "`sublation-panel doctor` says what can be done",
                rev=head.rev,
                segment=head.seg,
                offset=head.off,
            )
    if position.hash != head.hash:
        raise Damaged(
            f"line {head.rev} is not the one that HEAD names",
            "`sublation-panel doctor` says what can be done",
            rev=head.rev,
            segment=head.seg,
            offset=head.last,
        )


def cut_off(head: Head, size: int) -> RolledBack:
    """The error for a log that is shorter than what HEAD says was committed."""
    return RolledBack(
        f"the log ends at offset {size:,}, line {head.rev} was committed up to {head.off:,}",
        "something cut it; `sublation-panel doctor` says what can be done",
        rev=head.rev,
        segment=head.seg,
        offset=size,
    )


def segment_lines(fd: int, position: Position, end: int) -> Iterator[Line]:
    """The lines of one open segment from `position` to the offset `end`; Damaged where it isn't."""
    buffer = b""
    at = position.offset
    while at < end:
        chunk = files.pread_exact(fd, min(CHUNK, end - at), at)
        if not chunk:
            break
        at += len(chunk)
        buffer = buffer + chunk if buffer else chunk
        start = 0
        while (stop := buffer.find(b"\n", start) + 1) > 0:
            yield _take(buffer[start:stop], position)
            start = stop
        buffer = buffer[start:]
        if len(buffer) > MAX_LINE:
            break
    if position.offset < end:
        # What is left is no line: the check says so, with rev and offset.
        _take(buffer, position)


def _take(raw: bytes, position: Position) -> Line:
    line = check(
        raw,
        rev=position.rev + 1,
        prev=position.hash,
        segment=position.segment,
        offset=position.offset,
    )
    position.rev = line.rev
    position.hash = line.hash
    position.offset += line.size
    return line


def read_line(paths: Paths, segment: int, offset: int, size: int) -> bytes:
    """The stored bytes of one line whose place is known."""
    fd = open_segment(paths, segment)
    try:
        return files.pread_exact(fd, size, offset)
    finally:
        os.close(fd)


def open_segment(paths: Paths, number: int) -> int:
    """A reading descriptor of a segment. Replaced when it is gone or a link."""
    try:
        return files.open_read(paths.segment(number))
    except OSError as error:
        raise Replaced(
            f"segment {number} of the log can't be opened: {error.strerror}",
            "open the project again; `sublation-panel doctor` says more",
            segment=number,
        ) from error
