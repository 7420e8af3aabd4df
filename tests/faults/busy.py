"""A writer that never pauses, for as long as it is told to.

usage: python -m tests.faults.busy FOLDER SEAT SECONDS WAIT

Prints `ready`, begins with the first line that it reads, and prints `REV TITLE` for each commit at
its end. Where the lock isn't had within WAIT seconds it ends with the error, Busy.
"""

import os
import sys
import time

from state.command import Actor
from state.messages.commands import Post
from state.project import open_project


def main(folder: str, seat: str, seconds: float, wait: float) -> None:
    actor = Actor(seat, "cli")
    said: list[str] = []
    with open_project(folder) as project:
        # So that nothing is left to be imported once they all begin.
        with project.view():
            pass
        print("ready", flush=True)
        sys.stdin.readline()
        end = time.monotonic() + seconds
        while not said or time.monotonic() < end:
            title = f"{os.getpid()}-{len(said)}"
            done = project.run(Post(("user",), title), actor, wait=wait)
            said.append(f"{done.rev} {title}\n")
    sys.stdout.write("".join(said))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
