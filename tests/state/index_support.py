"""What tests of the index share: its rows as plain data, and stories that fill a project."""

from __future__ import annotations

import random
from pathlib import Path

from state.clock import stamp
from state.errors import NotFound, Refused
from state.index.names import CODE
from state.index.schema import TABLES
from state.index.view import View
from state.messages import queries
from state.messages.commands import Acknowledge, Post
from state.messages.operations import NoEvidence
from state.messages.tasks import AcceptTask, DeclineTask, FinishTask
from state.project import Project
from state.roster.commands import AddSeat, CloseQueue, DeactivateSeat, HideSeat, MarkAway, ShowSeat
from tests.state.world import World

Rows = dict[str, list[tuple[object, ...]]]
AGENTS = ("codex", "gemini", "hermes")
WORDS = ("alpha", "beta", "gamma Straße", "delta 漢字", 'eps "ilon"', "zeta\\n")


def rows_of(view: View) -> Rows:
    """Every row of every table, in the order of its key."""
    return {
        name: view.rows(f"SELECT * FROM {name} ORDER BY {', '.join(table.key)}")
        for name, table in TABLES.items()
    }


def live(world: World, chance: random.Random, steps: int) -> None:
    """So many commands of all kinds by all seats; what a rule forbids is left out."""
    for _ in range(steps):
        world.clock.move(minutes=chance.choice((1, 5, 20)))
        try:
            _step(world, chance)
        except (Refused, NotFound):
            continue


def _step(world: World, chance: random.Random) -> None:
    seats = ("user", *AGENTS)
    seat = chance.choice(seats)
    with world.look() as view:
        last, roster = view.rev, view.revision("roster")
        unread = queries.queue(view, seat, 1000)
        tasks = view.rows("SELECT message, holder, state FROM task ORDER BY message, holder")
    what = chance.choice(("post",) * 5 + ("ack",) * 3 + ("task",) * 3 + ("roster",))
    if what == "post":
        kind = chance.choice(("note", "question", "task", "result"))
        to = ("all",) if chance.random() < 0.2 else (chance.choice(seats),)
        answered = chance.randrange(1, last + 1) if chance.random() < 0.4 else None
        world.run(Post(to, chance.choice(WORDS), "text", kind, answered), seat)
    elif what == "ack" and unread:
        world.run(Acknowledge(chance.choice(unread), through=True), seat)
    elif what == "task" and tasks:
        number, holder, state = chance.choice(tasks)
        if state == "open":
            taken = chance.random() < 0.7
            world.run(AcceptTask(number) if taken else DeclineTask(number, "no"), holder)
        else:
            world.run(FinishTask(number, NoEvidence()), holder)
    elif what == "roster":
        agent = chance.choice(AGENTS)
        until = stamp(world.clock.time.replace(year=world.clock.time.year + 1))
        world.run(
            chance.choice(
                (
                    HideSeat(agent, roster),
                    ShowSeat(agent, roster),
                    CloseQueue(agent, "gone"),
                    DeactivateSeat(agent, roster, "gone"),
                    MarkAway(agent, until, "lunch"),
                    AddSeat(f"new-{last}", roster),
                )
            )
        )


def index_of(project: Project) -> Path:
    """The project's index file."""
    return Path(project.paths.index(CODE))


def remove_index(project: Project) -> None:
    """No index file, nor what SQLite keeps beside it."""
    for path in index_of(project).parent.glob("index-*"):
        if path.is_file():
            path.unlink()


def spoil(path: Path, chance: random.Random, *, first: int = 4096, times: int = 60) -> None:
    """Overwrites places of a file, after its first bytes, with others."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        for _ in range(times):
            file.seek(chance.randrange(first, size))
            file.write(chance.randbytes(64))
