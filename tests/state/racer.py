"""A process that races others for a project: waits for the start, then does what it is told.

usage: python -m tests.state.racer FOLDER hide SEAT ROSTER | post SEAT KEYS OWN
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from state.command import USER, Actor
from state.errors import Busy, StateError
from state.messages.commands import Post
from state.project import Committed, Project, open_project
from state.roster.commands import HideSeat


def hide(project: Project, seat: str, roster: str) -> object:
    try:
        committed = project.run(HideSeat(seat, int(roster)), Actor(USER, "cli"))
    except StateError as error:
        return error.as_dict()
    return {"rev": committed.rev}


def post(project: Project, seat: str, keys: str, own: str) -> object:
    """Each key is used twice; the shared ones say the same in every process, `own` ones its own."""
    answers = {}
    for number in range(int(keys)):
        for name, title in ((f"shared-{number}", "shared"), (f"{own}-{number}", own)):
            command = Post((USER,), f"{title} {number}")
            answers[name] = [once(project, command, seat, name).rev for _ in range(2)]
    return answers


def once(project: Project, command: Post, seat: str, key: str) -> Committed:
    while True:
        try:
            return project.run(command, Actor(seat, "cli"), key=key)
        except Busy:
            continue


def main(folder: str, what: str, *given: str) -> None:
    with open_project(folder) as project:
        project.view().close()
        print("ready", flush=True)
        sys.stdin.readline()
        race: Callable[..., object] = hide if what == "hide" else post
        print(json.dumps(race(project, *given)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
