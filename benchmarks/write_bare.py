"""One bare writer: `flock`, `write`, `fdatasync`, for so many seconds.

usage: python benchmarks/write_bare.py FILE NUMBER SECONDS
"""

import fcntl
import json
import os
import sys
from time import perf_counter

SIZE = 600


def main(path: str, seconds: float) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    data = b"x" * SIZE
    print("ready", flush=True)
    sys.stdin.readline()
    start = last = perf_counter()
    count, longest = 0, 0.0
    while last - start < seconds:
        fcntl.flock(fd, fcntl.LOCK_EX)
        os.write(fd, data)
        os.fdatasync(fd)
        fcntl.flock(fd, fcntl.LOCK_UN)
        now = perf_counter()
        longest, last, count = max(longest, now - last), now, count + 1
    print(json.dumps({"count": count, "seconds": last - start, "longest": longest}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[3]))
