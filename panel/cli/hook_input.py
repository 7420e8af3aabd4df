"""What a host writes to a hook's standard input: all of it or nothing, within a time of its own."""

from __future__ import annotations

import select
import time

# Reading that is not over by then is given up.
SECONDS = 0.45
# As much is kept; what comes after it is read and let go, so that the host can finish writing.
LIMIT = 16 * 1024 * 1024
PIECE = 1 << 20


def read() -> bytes | str:
    """The whole of it, or the word of a note: `too_large`, or `timeout` when it doesn't end."""
    ends = time.monotonic() + SECONDS
    parts: list[bytes] = []
    size = 0
    try:
        with open(0, "rb", buffering=0, closefd=False) as given:
            while True:
                left = ends - time.monotonic()
                if left <= 0 or not select.select([given], [], [], left)[0]:
                    return "timeout"
                piece = given.read(PIECE)
                if not piece:
                    break
                size += len(piece)
                if size > LIMIT:
                    parts.clear()
                else:
                    parts.append(piece)
    except OSError:
        return "bad_input"
    return "too_large" if size > LIMIT else b"".join(parts)
