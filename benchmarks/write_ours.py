"""One writer of the journal: posts as a seat, for so many seconds.

usage: python benchmarks/write_ours.py FOLDER NUMBER SECONDS
"""

import json
import sys
from time import perf_counter

from state.command import Actor
from state.messages.commands import Post
from state.project import open_project

BODY = "x" * 250


def main(folder: str, number: int, seconds: float) -> None:
    actor = Actor(f"writer-{number}", "cli")
    post = Post((f"writer-{(number + 1) % 4}",), "a durable append", BODY)
    with open_project(folder) as project:
        project.run(post, actor)
        print("ready", flush=True)
        sys.stdin.readline()
        start = last = perf_counter()
        count, longest = 0, 0.0
        while last - start < seconds:
            project.run(post, actor)
            now = perf_counter()
            longest, last, count = max(longest, now - last), now, count + 1
    print(json.dumps({"count": count, "seconds": last - start, "longest": longest}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
