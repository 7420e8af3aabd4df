"""A scratch project with scripted agents at work, each a process of its own, and the panel on it.

One agent's wake window is armed: it claims what it is woken for, and answers. The hosts of two use
skills of the project, and their hooks report it.
Everything the demo makes it removes again: the agents end by their pid, the folder and the anchor
go when the panel closes.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from panel.demo import skills, woken
from panel.demo.script import CAST, OPENING
from state.clock import SystemClock
from state.command import Actor
from state.create import create
from state.paths import Paths, cache_home, state_home
from state.project import Project

PATIENCE_SECONDS = 5.0


def main(seed: int) -> int:
    """Opens the panel on a demo project; gives the panel's exit status."""
    from panel.memory import share_one_arena

    share_one_arena()
    from panel.app import run

    with scratch_project() as project, agents_at_work(project.paths.project, seed) as agents:
        print("demo project:", project.paths.project)
        for seat, agent in agents.items():
            print(f"  {seat:12} process {agent.pid}")
        return run(project.paths.project)


@contextmanager
def scratch_project() -> Iterator[Project]:
    """A new project with seats and a first few messages; gone afterwards."""
    folder = tempfile.mkdtemp(prefix="sublation-demo-")
    try:
        paths = create(folder, name="shop", seats=CAST, clock=SystemClock(), via="demo")
        with Project(paths) as project:
            woken.arm(project)
            skills.lay_out(project)
            for wish in OPENING:
                project.run(wish, Actor("user", "demo"))
            yield project
    finally:
        _forget(folder)


@contextmanager
def agents_at_work(folder: str, seed: int) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """One process for each seat of the cast; ended afterwards, whatever happened."""
    agents: dict[str, subprocess.Popen[bytes]] = {}
    # What an agent has to say must not reach the terminal that the panel draws on.
    with open(os.path.join(folder, "agents.log"), "wb") as log:
        try:
            for number, (seat, _) in enumerate(CAST):
                command = (sys.executable, "-m", "panel.demo.agent", folder, seat)
                agents[seat] = subprocess.Popen(
                    (*command, str(seed + number)),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )
            yield agents
        finally:
            for agent in agents.values():
                _end(agent)


def _end(agent: "subprocess.Popen[bytes]") -> None:
    agent.send_signal(signal.SIGTERM)
    try:
        agent.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        agent.kill()
        agent.wait()


def _forget(folder: str) -> None:
    paths = Paths(os.path.join(os.path.realpath(folder), ".sublation-panel"))
    if os.path.exists(paths.format):
        from state.journal.journal import Journal

        project = Journal(paths).original
        for outside in (state_home(project), cache_home(project)):
            shutil.rmtree(outside, ignore_errors=True)
    shutil.rmtree(folder)
