"""Lines of the log that may hold a text, newest first, found by their bytes alone."""

import os
import re
from collections.abc import Callable, Iterator, Sequence

from state import files
from state.journal.head import Head
from state.journal.place import open_plain, reading
from state.paths import Paths

# So much is looked through at once: other threads of a process wait that long.
WINDOW = 1 << 20
# What stands before the title, and after the body, in a line that posts or imports a message.
TITLE = b'"title":"'
AFTER_POSTED = b',"reply_to":'
AFTER_IMPORTED = b',"origin":'


class Progress:
    """How far a search has come: `share` goes from 0 to 1."""

    __slots__ = ("share",)

    def __init__(self) -> None:
        self.share = 0.0


def candidates(
    paths: Paths,
    head: Head,
    needles: Sequence[bytes],
    lowered: bool,
    cancelled: Callable[[], bool],
    progress: Progress,
) -> Iterator[bytes]:
    """The stored bytes of each line up to `head` that holds a needle, newest first.

    Every line without needles; `lowered` compares ASCII in lower case. Ends early when cancelled.
    Damaged when a segment can't be read.
    """
    sizes = [*(_size(paths, number) for number in range(1, head.seg)), head.off]
    whole, done = max(sum(sizes), 1), 0
    buffer = bytearray(WINDOW)
    for number in range(head.seg, 0, -1):
        for begin, end in _windows(paths, number, sizes[number - 1], buffer):
            if cancelled():
                return
            for start, stop in _lines(buffer, begin, end, needles, lowered):
                yield bytes(buffer[start:stop])
            done += end - begin
            progress.share = done / whole
    progress.share = 1.0


def _size(paths: Paths, number: int) -> int:
    path = paths.segment(number)
    with reading(path, segment=number):
        return os.stat(path).st_size


def _windows(paths: Paths, number: int, end: int, buffer: bytearray) -> Iterator[tuple[int, int]]:
    """Fills the buffer with a segment, the last piece first; between which places lie its lines."""
    path = paths.segment(number)
    with reading(path, segment=number):
        fd = open_plain(path)
        try:
            while end > 0:
                start = max(end - WINDOW, 0)
                filled = files.read_into(fd, memoryview(buffer)[: end - start], start)
                # A line that began before the window belongs to the window before this one.
                begin = buffer.find(b"\n", 0, filled - 1) + 1 if start else 0
                yield begin, filled
                end = start + begin
        finally:
            os.close(fd)


def _lines(
    data: bytearray, begin: int, end: int, needles: Sequence[bytes], lowered: bool
) -> list[tuple[int, int]]:
    """Where the lines with a needle in their title or body begin and end, the last one first."""
    found: dict[int, int] = {}
    if not needles:
        needles = (TITLE,)
    elif data.isascii():
        needles = [needle for needle in needles if needle.isascii()]
    looked_at = data.lower() if lowered and needles else data
    for needle in needles:
        find = _finder(needle)
        at = find(looked_at, begin, end)
        while at >= 0:
            start = looked_at.rfind(b"\n", begin, at) + 1 or begin
            stop = looked_at.find(b"\n", at, end) + 1 or end
            if _is_in_text(looked_at, needle, at, start, stop):
                found[start] = stop
            at = find(looked_at, stop, end)
    return sorted(found.items(), reverse=True)


def _finder(needle: bytes) -> Callable[[bytearray, int, int], int]:
    """The fastest way to the first place of a needle; -1 without one."""
    if not needle[:1].isupper():
        return lambda data, start, end: data.find(needle, start, end)
    # An expression goes by the first byte alone: twice as fast where that is rare.
    search = re.compile(re.escape(needle)).search
    return lambda data, start, end: -1 if (at := search(data, start, end)) is None else at.start()


def _is_in_text(data: bytearray, needle: bytes, at: int, start: int, stop: int) -> bool:
    """Whether the needle, which is in the line at a place, is also in its title or body.

    Keys, names and hashes are no text. Within a JSON string there is no quotation mark without a
    backslash before it, so that these marks can't be part of a text.
    """
    title = data.find(TITLE, start, stop)
    if title < 0:
        return False
    if at < title:
        at = data.find(needle, title, stop)
    after = data.rfind(AFTER_POSTED, title, stop)
    if after < 0:
        after = data.rfind(AFTER_IMPORTED, title, stop)
    return 0 <= at < (after if after >= 0 else stop)
