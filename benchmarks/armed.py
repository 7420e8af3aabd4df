"""A project in which four windows are armed and nothing else happens."""

import os

from state.clock import SystemClock
from state.command import Actor
from state.create import create
from state.paths import Paths
from state.project import Project
from state.wake.arming import agreement
from state.wake.policy import policy_of
from state.wake.window_commands import EnablePolicy, SetPolicy

SEATS = ("claude-code", "codex", "gemini", "hermes")
USER = Actor("user", "demo")


def armed(folder: str) -> Paths:
    """A new project in a folder of its own, its windows armed by the policy's defaults."""
    target = os.path.join(folder, "armed")
    os.mkdir(target)
    seats = [(seat, "") for seat in SEATS]
    paths = create(target, name="armed", seats=seats, clock=SystemClock(), via="demo")
    with Project(paths) as project:
        for seat in SEATS:
            with project.view() as view:
                policy = policy_of({}, view.head.project, seat)
            project.run(SetPolicy(seat, policy=policy), USER)
            project.run(EnablePolicy(seat), USER)
            with project.view() as view:
                agreed = agreement(view, paths, seat, project.clock.moment())
            project.run(agreed.command(), USER)
    return paths
