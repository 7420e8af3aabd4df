"""An agent that posts ten times a second until it is ended.

usage: python benchmarks/write_slowly.py FOLDER SEAT
"""

import sys
import time

from state.command import Actor
from state.messages.commands import Post
from state.project import open_project

PAUSE_SECONDS = 0.1


def main(folder: str, seat: str) -> None:
    with open_project(folder) as project:
        print("ready", flush=True)
        number = 0
        while True:
            project.run(Post(("user",), f"from {seat}, {number}"), Actor(seat, "cli"))
            number += 1
            time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
