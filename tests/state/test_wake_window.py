"""W10, W13: every cell of the window's table: who does what in which state, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from state.command import Command
from state.errors import Refused
from state.wake.window_commands import (
    Arm,
    DisablePolicy,
    Drain,
    EnablePolicy,
    Hold,
    HoldAll,
    Resume,
)
from tests.state.wake_world import (
    armed,
    is_in,
    later_scan,
    leased,
    scan,
    set_policy,
    shown,
    wanted,
    written,
)
from tests.state.world import World

LIMITS: Mapping[str, Any] = {
    "window_seconds": 600,
    "maximum_quiet_cycles": 3,
    "cooldown_seconds": 0,
}


def never_armed(world: World) -> None:
    set_policy(world, **LIMITS)
    world.run(EnablePolicy("codex"))


def closed(world: World) -> None:
    armed(world, **LIMITS)
    world.run(Drain("codex"))


def active(world: World) -> None:
    armed(world, **LIMITS)
    wanted(world)


def draining(world: World) -> None:
    active(world)
    world.run(Drain("codex"))


def held_active(world: World) -> None:
    active(world)
    world.run(Hold("codex"))


def held_draining(world: World) -> None:
    draining(world)
    world.run(Hold("codex"))


STATES: Mapping[str, Callable[[World], None]] = {
    "never armed": never_armed,
    "closed": closed,
    "active": active,
    "draining": draining,
    "hold of active": held_active,
    "hold of draining": held_draining,
}


OPEN = ("active", "draining", "hold of active", "hold of draining")


@dataclass(frozen=True)
class Act:
    """What the user does; `to` names the state after it by the state before, else it's refused."""

    command: Callable[[World], Command]
    rule: str
    to: Mapping[str, str]


ACTS: Mapping[str, Act] = {
    "arm": Act(lambda w: shown(w, Arm), "W7", {"never armed": "active", "closed": "active"}),
    "drain": Act(
        lambda w: Drain("codex"),
        "W13 W10",
        {
            "active": "draining",
            "hold of active": "draining",
            "hold of draining": "draining",
        },
    ),
    "hold": Act(
        lambda w: Hold("codex"),
        "W13",
        {"active": "hold of active", "draining": "hold of draining"},
    ),
    "hold all": Act(
        lambda w: HoldAll(),
        "W13",
        {"active": "hold of active", "draining": "hold of draining"},
    ),
    "resume": Act(
        lambda w: shown(w, Resume),
        "W13",
        {"hold of active": "active", "hold of draining": "draining"},
    ),
}


@pytest.mark.rule("W13")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("before", STATES)
def test_the_user_moves_a_window_as_the_table_says_and_in_no_other_way(
    world: World, before: str, act: str
) -> None:
    STATES[before](world)
    assert is_in(world) == before
    done = ACTS[act]
    if before in done.to:
        world.run(done.command(world))
        assert is_in(world) == done.to[before]
        return
    refusal = world.fails(Refused, done.command(world))
    assert refusal.rule in done.rule.split()
    assert refusal.hint
    assert is_in(world) == before


def pass_the_deadline(world: World) -> None:
    later_scan(world, seconds=600)


def disable(world: World) -> None:
    world.run(DisablePolicy("codex"))
    scan(world)


def change_the_policy(world: World) -> None:
    set_policy(world, hourly_quota=1)
    scan(world)


# What the program makes of the state before, with one intent claimed so that nothing closes.
PROGRAM: Mapping[str, tuple[Callable[[World], object], Mapping[str, str]]] = {
    "deadline": (pass_the_deadline, {"active": "draining"}),
    "disabled": (disable, {"active": "draining"}),
    "policy": (change_the_policy, {"active": "hold of active", "draining": "hold of draining"}),
    "scan": (scan, {}),
    "message": (lambda w: (w.post("user", "codex", kind="task"), scan(w)), {}),
}


@pytest.mark.rule("W10", "W13")
@pytest.mark.parametrize("what", PROGRAM)
@pytest.mark.parametrize(
    "before", [name for name in STATES if name not in ("never armed", "closed")]
)
def test_the_program_moves_a_window_as_the_table_says(world: World, before: str, what: str) -> None:
    armed(world, **LIMITS, lease_seconds=3_600)
    _, lease = leased(world)
    if "draining" in before:
        world.run(Drain("codex"))
    if "hold" in before:
        world.run(Hold("codex"))
    assert is_in(world) == before
    act, to = PROGRAM[what]
    act(world)
    assert is_in(world) == to.get(before, before)
    assert written(world).lease is not None
    assert written(world).lease.lease == lease  # type: ignore[union-attr]
