"""A process that races others for one lease: waits for the start, then scans and claims.

usage: python -m tests.state.wake_racer FOLDER SEAT LEASE
"""

from __future__ import annotations

import json
import os
import sys

from state.command import Actor
from state.errors import ClaimRefused
from state.paths import FOLDER, Paths
from state.project import Project
from state.wake.lease_commands import Claim, granted
from state.wake.scanning import Scan
from tests.state.clocks import SetClock


def main(folder: str, seat: str, lease: str) -> None:
    with Project(Paths(os.path.join(folder, FOLDER)), SetClock()) as project:
        project.view().close()
        print("ready", flush=True)
        sys.stdin.readline()
        project.run(Scan(seat), Actor("system", "cli"))
        try:
            got = granted(project.run(Claim(lease), Actor(seat, "cli")).ops, seat)["lease"]
        except ClaimRefused as refused:
            got = refused.code
        print(json.dumps(got), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
