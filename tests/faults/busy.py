"""A writer that never pauses, for as long as it is told to.

usage: python -m tests.faults.busy FOLDER SEAT SECONDS

Prints `ready`, begins with the first line that it reads, and prints at its end the seconds that its
slowest commit took, from asking for the lock, then `REV TITLE` for each commit.
"""

import os
import sys
import time

from state.command import Actor
from state.messages.commands import Post
from state.project import open_project

PATIENCE_SECONDS = 60.0


def main(folder: str, seat: str, seconds: float) -> None:
    actor = Actor(seat, "cli")
    said: list[str] = []
    longest = 0.0
    with open_project(folder) as project:
        # So that nothing is left to be imported once they all begin.
        with project.view():
            pass
        print("ready", flush=True)
        sys.stdin.readline()
        now = time.monotonic()
        end = now + seconds
        while now < end:
            title = f"{os.getpid()}-{len(said)}"
            done = project.run(Post(("user",), title), actor, wait=PATIENCE_SECONDS)
            said.append(f"{done.rev} {title}\n")
            before, now = now, time.monotonic()
            longest = max(longest, now - before)
    sys.stdout.write(f"{longest}\n{''.join(said)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
