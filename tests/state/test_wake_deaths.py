"""Scanners, claimers, adapters and keypresses that end at any call: nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

import pytest

from state.command import Actor, Command
from state.project import Project
from state.wake.lease_commands import Claim
from state.wake.receipt_commands import TakeReceipt
from state.wake.scanning import Scan
from state.wake.window_commands import Drain, Hold
from tests.model.wake_ledger import Ledger
from tests.model.wake_pair import plain
from tests.state.test_journal_deaths import Died, dying
from tests.state.wake_world import (
    answer,
    armed,
    leased,
    names,
    scan,
    wanted,
    worked_out,
    written,
)
from tests.state.world import World

Act = tuple[Command, str]


def scanned(world: World) -> Act:
    armed(world)
    for _ in range(2):
        world.post("user", "codex", kind="task")
    return Scan("codex"), "system"


def claimed(world: World) -> Act:
    armed(world, maximum_wakes=1)
    wanted(world)
    wanted(world)
    return Claim("the lease"), "codex"


def proved(world: World) -> Act:
    armed(world)
    number, lease = leased(world)
    world.run(Drain("codex"))
    return TakeReceipt(lease, "sent_and_verified", reply=answer(world, number)), "codex"


def late(world: World) -> Act:
    armed(world, window_seconds=60, lease_seconds=60)
    leased(world)
    armed(world, "gemini")
    world.clock.move(seconds=60)
    return Hold("gemini"), "user"


def ended(world: World) -> Act:
    late(world)
    return TakeReceipt("too late", "failed"), "codex"


# What stands once the act was done, however often it was begun: operations by name.
STORIES: Mapping[str, tuple[Callable[[World], Act], Mapping[str, int]]] = {
    "scanner": (scanned, {"seat_scanned": 1}),
    "claimer": (claimed, {"lease_granted": 1, "window_draining": 1, "intents_lapsed": 1}),
    "adapter": (proved, {"receipt_taken": 1, "acknowledged": 1, "window_closed": 1}),
    "keypress": (late, {"window_held": 1, "lease_expired": 1}),
    "late adapter": (
        ended,
        {"receipt_refused": 1, "lease_expired": 1, "intents_lapsed": 1, "window_closed": 1},
    ),
}


@pytest.mark.rule("W11", "W17", "W19", "W27")
@pytest.mark.parametrize("where", ["inside", "after"])
@pytest.mark.parametrize("who", STORIES)
def test_whoever_dies_at_any_call_and_is_started_again_has_done_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str, where: str
) -> None:
    prepare, stands = STORIES[who]
    for at in count(1):
        folder = tmp_path / str(at)
        folder.mkdir()
        world = World(folder, "codex", "gemini")
        command, seat = prepare(world)
        key = None if seat == "system" else "once"
        before = names(world)
        died = False
        with monkeypatch.context() as patch:
            dying(patch, at, where)
            try:
                world.project.run(command, Actor(seat, "cli"), key=key)
            except Died:
                died = True
        world.project.close()
        world.project = Project(world.paths, world.clock)
        world.project.run(command, Actor(seat, "cli"), key=key)
        # Whoever is next writes what the dead one left to be written.
        scan(world)
        after = names(world)
        assert {name: after[name] - before[name] for name in stands} == stands
        assert plain(worked_out(world)) == plain(written(world))
        Ledger(Path(world.paths.segment(1))).read_on()
        world.close()
        if not died:
            break
    assert at > 3
