"""Reading committed lines, without any lock: from an offset up to HEAD's and never beyond."""

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice

from state import files
from state.errors import Damaged, RolledBack, Unsound
from state.journal.head import Head
from state.journal.line import MAX_LINE, Line, check, damaged, is_sealed, named_prev, named_rev
from state.journal.place import CAN_BE_DONE, open_plain, reading
from state.paths import Paths

# Read and taken in such pieces, lines stay in the processor's cache from one step to the next.
CHUNK = 1 << 18
AT_ONCE = 256
# So far back is looked, in steps: mostly it is near.
WINDOWS = (16 * 1024, 64 * 1024, 256 * 1024)


class Position:
    """Where a reader stands: after line `rev`, whose sha256 is `hash`, in `segment` at `offset`."""

    __slots__ = ("hash", "offset", "rev", "segment")

    def __init__(self, rev: int, digest: str, segment: int, offset: int) -> None:
        self.rev = rev
        self.hash = digest
        self.segment = segment
        self.offset = offset

    @classmethod
    def start(cls, format_hash: str) -> "Position":
        """Before line 1, which chains to the sha256 of FORMAT."""
        return cls(0, format_hash, 1, 0)

    @classmethod
    def at(cls, head: Head) -> "Position":
        return cls(head.rev, head.hash, head.seg, head.off)


# Makes lines of their bytes, at a position that it moves along.
Taken = Callable[[list[bytes], Position], Iterator[Line]]


def lines(
    paths: Paths, position: Position, head: Head, taken: Taken | None = None
) -> Iterator[Line]:
    """Each whole line after `position` up to `head`, checked; moves `position` along.

    Damaged with rev and offset at the first byte that isn't as it should be. `taken` is used in
    place of `take_each`.
    """
    while position.rev < head.rev:
        last = position.segment == head.seg
        yield from _segment(paths, position, head, last, taken or take_each)
        if not last:
            position.segment += 1
            position.offset = 0
        elif position.rev != head.rev:
            raise Damaged(
                f"HEAD names line {head.rev}, the log ends with line {position.rev} there",
                CAN_BE_DONE,
                rev=head.rev,
                segment=head.seg,
                offset=head.off,
            )
    if position.rev != head.rev or position.hash != head.hash:
        raise Damaged(
            f"line {head.rev} is not the one that HEAD names",
            CAN_BE_DONE,
            rev=head.rev,
            segment=head.seg,
            offset=head.last,
        )


def _segment(
    paths: Paths, position: Position, head: Head, last: bool, taken: Taken
) -> Iterator[Line]:
    path = paths.segment(position.segment)
    with reading(path, segment=position.segment, offset=position.offset):
        fd = open_plain(path)
        try:
            size = os.fstat(fd).st_size
            if last and size < head.off:
                raise shortened(fd, head, size)
            found = pieces(fd, position.offset, head.off if last else size)
            while records := list(islice(found, AT_ONCE)):
                yield from taken(records, position)
        finally:
            os.close(fd)


def shortened(fd: int, head: Head, size: int) -> Unsound:
    """The error for a log that is shorter than what HEAD says was committed.

    Damaged when something is missing before its end, RolledBack when only its end is.
    """
    rev, prev, offset = 0, "", 0
    opening = b'"ops":[{"op":"segment","number":%d,' % head.seg
    for raw in pieces(fd, 0, size):
        said = named_rev(raw) if is_sealed(raw) else None
        if said is None and not raw.endswith(b"\n"):
            break
        if offset:
            follows = (said, named_prev(raw)) == (rev + 1, prev)
        else:
            follows = said == 1 if head.seg == 1 else said is not None and opening in raw
        if said is None or not follows:
            at = rev + 1 if offset else 1 if head.seg == 1 else None
            return missing(at, head.seg, offset)
        rev, prev = said, sha256(raw).hexdigest()
        offset += len(raw)
    return cut_off(head, size)


def missing(rev: int | None, segment: int, offset: int) -> Damaged:
    """The error for a line that doesn't stand where it must, among others that do."""
    which = "the first line" if rev is None else f"line {rev}"
    return Damaged(
        f"{which} (segment {segment}, offset {offset}) is missing or changed",
        CAN_BE_DONE,
        rev=rev,
        segment=segment,
        offset=offset,
    )


def cut_off(head: Head, size: int) -> RolledBack:
    """The error for a log whose end is missing."""
    return RolledBack(
        f"the log ends at offset {size:,}, line {head.rev} was committed up to {head.off:,}",
        f"something cut it; {CAN_BE_DONE}",
        rev=head.rev,
        segment=head.seg,
        offset=size,
    )


def segment_size(paths: Paths, segment: int) -> int:
    """The bytes of a segment. Damaged when it is missing or a link."""
    path = paths.segment(segment)
    with reading(path, segment=segment, offset=0):
        fd = open_plain(path)
        try:
            return os.fstat(fd).st_size
        finally:
            os.close(fd)


def stored(paths: Paths, segment: int, start: int, end: int) -> Iterator[bytes]:
    """The bytes of a segment from `start` to `end` as `pieces`; Damaged where they don't come."""
    path = paths.segment(segment)
    with reading(path, segment=segment, offset=start):
        fd = open_plain(path)
        try:
            yield from pieces(fd, start, end)
        finally:
            os.close(fd)


def pieces(fd: int, start: int, end: int) -> Iterator[bytes]:
    """The bytes of a file from `start` to `end`, cut after each line feed.

    The last piece lacks it when the bytes don't end with one, and so does each piece of bytes
    that go on without one for longer than a line may be.
    """
    rest = b""
    at = start
    while at < end:
        chunk = files.pread_exact(fd, min(CHUNK, end - at), at)
        if not chunk:
            break
        at += len(chunk)
        rest = rest + chunk if rest else chunk
        begin = 0
        while (stop := rest.find(b"\n", begin) + 1) > 0:
            yield rest[begin:stop]
            begin = stop
        rest = rest[begin:]
        if len(rest) > MAX_LINE:
            yield rest
            rest = b""
    if rest:
        yield rest


def take(raw: bytes, position: Position) -> Line:
    """The line in `raw`, which must be the one after `position`; moves it along."""
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


def take_each(records: list[bytes], position: Position) -> Iterator[Line]:
    """The lines in `records`, which must be those after `position`; moves it along."""
    for raw in records:
        yield take(raw, position)


def read_line(paths: Paths, segment: int, offset: int, size: int) -> bytes:
    """The stored bytes of one line whose place is known. Damaged when they don't come."""
    path = paths.segment(segment)
    with reading(path, segment=segment, offset=offset):
        fd = open_plain(path)
        try:
            return files.pread_exact(fd, size, offset)
        finally:
            os.close(fd)


def check_last(fd: int, head: Head, size: int) -> bytes:
    """The bytes of the last committed line, which are as HEAD names them; `size` is the log's.

    RolledBack when the log's end is missing, Damaged when they are others or lines are missing.
    """
    if size < head.off:
        raise shortened(fd, head, size)
    last = files.pread_exact(fd, head.off - head.last, head.last)
    if sha256(last).hexdigest() != head.hash:
        raise damaged(head.rev, head.seg, head.last, "is not what was committed")
    return last


def holds(paths: Paths, last: Line | Head) -> bool:
    """Whether a line that was read once still stands where it stood, as it was."""
    if isinstance(last, Line):
        segment, offset, size = last.segment, last.offset, last.size
    else:
        segment, offset, size = last.seg, last.last, last.off - last.last
    return sha256(read_line(paths, segment, offset, size)).hexdigest() == last.hash


def line_before(paths: Paths, head: Head, back: int) -> bytes | None:
    """The bytes of the line that stands `back` lines before the last one.

    None when it stands in an earlier segment or further back than is worth reading.
    """
    path = paths.segment(head.seg)
    with reading(path, segment=head.seg, offset=0):
        fd = open_plain(path)
        try:
            for window in WINDOWS:
                start = max(0, head.off - window)
                found = _back(files.pread_exact(fd, head.off - start, start), back, start == 0)
                if found is not None or start == 0:
                    return found
        finally:
            os.close(fd)
    return None


def _back(data: bytes, back: int, whole: bool) -> bytes | None:
    """The line `back` lines before the last one, None when it doesn't begin in these bytes.

    `whole`: the first of them begin a line.
    """
    cut = data.rsplit(b"\n", back + 2)
    if len(cut) == back + 3:
        return cut[1] + b"\n"
    return cut[0] + b"\n" if whole and len(cut) == back + 2 else None
