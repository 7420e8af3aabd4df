"""One scripted agent as a process: reads its queue, acts, waits; ends with the demo.

usage: python -m panel.demo.agent FOLDER SEAT SEED
"""

import os
import signal
import sys
import threading
from itertools import count
from random import Random

from panel.demo.occasions import Occasion, occasion
from panel.demo.script import CAST, Finish, next_step
from panel.demo.woken import WOKEN, answer_one
from state import looked
from state.command import Actor, Command
from state.errors import Busy, Refused
from state.looked import Look
from state.messages import queries, tasks
from state.messages.evidence import take_file
from state.messages.operations import FileEvidence, NoEvidence
from state.project import Project, open_project

WINDOW = 10


def main(folder: str, seat: str, seed: int) -> int:
    """Works until it is asked to end, or the process that started it is gone."""
    parent = os.getppid()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    # The person's own Ctrl+C is for the panel; the demo ends its agents itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    random = Random(seed)
    others = [name for name, _ in CAST if name != seat]
    with open_project(folder) as project:
        for turn in count():
            if ended.is_set() or os.getppid() != parent:
                break
            with project.view() as view:
                looked.leave(project.paths, seat, Look(project.clock.now(), view.rev))
                numbers = queries.queue(view, seat, WINDOW)
                unread = [queries.get(view, number, {}) for number in numbers]
                held = [task for task in tasks.tasks(view, WINDOW * 10) if task.holder == seat]
            step = next_step(random, others, unread, held)
            try:
                _use_skill(project, seat, occasion(seat, turn), turn)
                if seat == WOKEN and answer_one(project, seat, random, ended.wait):
                    continue
                _act(project, seat, step.act, random)
            except (Refused, Busy) as error:
                # The person may have hidden, retired or closed something meanwhile.
                print(f"{seat}: {error.message}", file=sys.stderr)
            ended.wait(step.pause)
    return 0


def _act(project: Project, seat: str, act: Command | Finish | None, random: Random) -> None:
    if act is None:
        return
    if isinstance(act, Finish):
        evidence = _evidence(project.paths.project, act, random)
        act = tasks.FinishTask(act.number, evidence)
    project.run(act, Actor(seat, "demo"))


def _use_skill(project: Project, seat: str, used: Occasion | None, turn: int) -> None:
    if used is None:
        return
    # Reading profiles takes much that no agent needs before its first turn.
    from panel.demo.hosts import bring

    bring(project, seat, used, turn)


def _evidence(folder: str, act: Finish, random: Random) -> FileEvidence | NoEvidence:
    if random.random() < 0.25:
        return NoEvidence()
    name = os.path.join(folder, f"report-{act.number}.md")
    with open(name, "w", encoding="utf-8") as file:
        file.write(act.text + "\n")
    return take_file(folder, name)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
