"""Whether somebody else wrote the last segment since the last commit, and what became of it."""

import os
from itertools import islice

from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import chained, named_prev, named_rev
from state.journal.place import open_plain, reading
from state.journal.reader import AT_ONCE, Position, pieces, take
from state.paths import Paths


def check_untouched(journal: Journal, head: Head, written: int) -> None:
    """Damaged when a line before the last one was changed, if it stands in the last segment.

    For a segment that somebody else touched: `written` tells when, in nanoseconds. Its lines are
    gone through, once.
    """
    if written == journal.untouched:
        return
    _check_lines(journal.paths, head, journal.format_hash)
    journal.untouched = written


def _check_lines(paths: Paths, head: Head, format_hash: str) -> None:
    """Each line of the last segment up to HEAD's, by its chain alone.

    Damaged with rev and offset at the first that isn't as it should be.
    """
    path = paths.segment(head.seg)
    with reading(path, segment=head.seg, offset=0):
        fd = open_plain(path)
    try:
        position = _first(fd, head, format_hash)
        records = pieces(fd, 0, head.off)
        while batch := list(islice(records, AT_ONCE)):
            hashes = chained(batch, position.rev + 1, position.hash)
            if hashes:
                position.rev += len(hashes)
                position.hash = hashes[-1]
                position.offset += sum(map(len, batch[: len(hashes)]))
            for raw in batch[len(hashes) :]:
                take(raw, position)
    finally:
        os.close(fd)


def _first(fd: int, head: Head, format_hash: str) -> Position:
    """Before the first line of the last segment: after FORMAT, or as that line itself says."""
    if head.seg == 1:
        return Position.start(format_hash)
    raw = next(pieces(fd, 0, head.off), b"")
    rev = named_rev(raw)
    return Position(0 if rev is None else rev - 1, named_prev(raw), head.seg, 0)
