"""The lines of a journal as they are stored, one after the other across its segments."""

import os
from collections.abc import Callable

from state import files
from state.journal.heal import last_whole
from state.journal.journal import Journal
from state.journal.place import open_plain, reading
from state.journal.reader import CHUNK, check_last


def export(journal: Journal, take: Callable[[bytes], object]) -> int:
    """Gives every byte from line 1 to HEAD to `take`, in pieces; the number of bytes given.

    What `take` raises ends it. The bytes are not checked but for the last line: `verify` does
    that. A blank HEAD stands for the last whole line. Damaged or RolledBack when they don't reach
    up to HEAD.
    """
    journal.check_place()
    head = journal.head_or_none() or last_whole(journal)
    given = 0
    for segment in range(1, head.seg + 1):
        path = journal.paths.segment(segment)
        with reading(path, segment=segment, offset=0):
            fd = open_plain(path)
        try:
            with reading(path, segment=segment, offset=0):
                size = os.fstat(fd).st_size
                if segment == head.seg:
                    check_last(fd, head, size)
                    size = head.off
            at = 0
            while at < size:
                with reading(path, segment=segment, offset=at):
                    chunk = files.pread_exact(fd, min(CHUNK, size - at), at)
                if not chunk:
                    break
                take(chunk)
                at += len(chunk)
            given += at
        finally:
            os.close(fd)
    return given
