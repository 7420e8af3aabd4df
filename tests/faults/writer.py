"""One writer of the campaigns: posts texts that no other writer has, and says each commit.

usage: python -m tests.faults.writer FOLDER SEAT SEGMENT_BYTES COUNT [CALL WHERE]

Prints `REV TITLE` after each commit. With CALL it kills itself at that call of `state.files`,
counted from the first commit on: `before` it, `after` it, or for a write `inside` it, with half of
the bytes on the disk.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from state import files
from state.command import Actor
from state.journal import writer
from state.messages.commands import Post
from state.project import open_project

CALLS = ("write", "pwrite", "truncate", "sync_data", "sync_folder", "rename")


def main(folder: str, seat: str, segment_bytes: int, count: int) -> None:
    writer.SEGMENT_BYTES = segment_bytes
    actor = Actor(seat, "cli")
    with open_project(folder) as project:
        for number in range(count):
            title = f"{os.getpid()}-{number}"
            done = project.run(Post(("user",), title, "x" * (number % 7) * 90), actor, wait=60)
            sys.stdout.write(f"{done.rev} {title}\n")
            sys.stdout.flush()


def die_at(call: int, where: str) -> None:
    """Makes this process kill itself at one call of the seam through which bytes reach the disk."""
    made = 0

    def wrapped(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def stand_in(*given: Any) -> Any:
            nonlocal made
            made += 1
            if made != call:
                return original(*given)
            if where == "inside" and name in ("write", "pwrite"):
                target, data, *rest = given
                original(target, data[: len(data) // 2], *rest)
            elif where == "after":
                original(*given)
            os.kill(os.getpid(), signal.SIGKILL)
            return None

        return stand_in

    for name in CALLS:
        setattr(files, name, wrapped(name, getattr(files, name)))


if __name__ == "__main__":
    if len(sys.argv) > 5:
        die_at(int(sys.argv[5]), sys.argv[6])
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
