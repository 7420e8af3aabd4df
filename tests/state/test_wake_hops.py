"""Fault 45, M8: two agents that answer each other are stopped, by replies and by new messages."""

from __future__ import annotations

from typing import Any

import pytest

from state.errors import ClaimRefused
from tests.state.wake_world import (
    armed,
    claim,
    closing,
    intents,
    later_scan,
    names,
    receipt,
    scan,
    state,
    written,
)
from tests.state.world import World

PAIR = ("codex", "gemini")
LIMITS: dict[str, Any] = {
    "triggers": {"kinds": ["question", "reply"]},
    "cooldown_seconds": 0,
    "hourly_quota": 60,
    "maximum_quiet_cycles": 3,
    "scan_interval_seconds": 60,
}


def turn(world: World, seat: str, *, reply: bool) -> bool:
    """One agent is woken if it may be, writes to the other, and proves it; whether it was woken."""
    scan(world, seat)
    try:
        lease = claim(world, seat)
    except ClaimRefused:
        return False
    live = written(world, seat).lease
    assert live is not None
    other = PAIR[1 - PAIR.index(seat)]
    if reply:
        number = world.post(seat, other, title="", reply_to=live.message)
        assert receipt(world, lease, "sent_and_verified", seat, reply=number) is None
        return True
    # A new message to the other one, and an answer to nobody but the user, who isn't woken.
    world.post(seat, other, kind="question")
    number = world.post(seat, "user", title="", reply_to=live.message)
    assert receipt(world, lease, "sent_and_verified", seat, reply=number) is None
    return True


def talk(world: World, *, reply: bool, most: int = 60) -> int:
    """The two talk until neither is woken any more; how often one was."""
    world.post("user", "codex", kind="question")
    for turns in range(most):
        world.clock.move(seconds=5)
        if not turn(world, PAIR[turns % 2], reply=reply):
            return turns
    raise AssertionError("nothing stopped them")


@pytest.mark.rule("M8", "W11")
@pytest.mark.parametrize("reply", [True, False])
@pytest.mark.parametrize("hops", [0, 1, 4])
def test_two_that_answer_each_other_are_stopped_by_the_hop_limit(
    world: World, hops: int, *, reply: bool
) -> None:
    for seat in PAIR:
        armed(world, seat, **LIMITS, maximum_hops=hops, maximum_wakes=50)
    assert talk(world, reply=reply) == hops + 1
    passed = {seat: dict(written(world, seat).passed) for seat in PAIR}
    assert sum(one.get("hops", 0) for one in passed.values()) == 1
    for _ in range(3):
        for seat in PAIR:
            later_scan(world, seat, seconds=60)
    assert [closing(world, seat)["reason"] for seat in PAIR] == ["quiet_cycles"] * 2


@pytest.mark.rule("M8", "W10")
@pytest.mark.parametrize("reply", [True, False])
def test_with_many_hops_allowed_the_wakes_of_the_window_stop_them(
    world: World, *, reply: bool
) -> None:
    for seat in PAIR:
        armed(world, seat, **LIMITS, maximum_hops=16, maximum_wakes=3)
    assert talk(world, reply=reply) == 6
    assert [closing(world, seat)["wakes"] for seat in PAIR] == [3, 3]
    assert closing(world, "gemini")["reason"] == "wakes_used"
    assert names(world)["lease_granted"] == 6
    world.post("user", "codex", kind="question")
    scan(world)
    assert state(world) == "closed"


@pytest.mark.rule("M8", "W10", "W28")
@pytest.mark.parametrize("reply", [True, False])
def test_so_do_the_deadline_and_the_quota(world: World, *, reply: bool) -> None:
    for seat in PAIR:
        armed(world, seat, **LIMITS | {"hourly_quota": 2}, maximum_hops=16, maximum_wakes=50)
    assert talk(world, reply=reply) == 4
    assert state(world) == state(world, "gemini") == "active"
    for seat in PAIR:
        later_scan(world, seat, seconds=1_800)
    assert state(world) == state(world, "gemini") == "closed"
    assert closing(world)["reason"] == "deadline"
    world.clock.move(hours=1)
    assert not turn(world, "codex", reply=reply)


@pytest.mark.rule("M8")
def test_a_new_message_is_one_hop_more_than_the_one_under_the_lease(world: World) -> None:
    armed(world, **LIMITS, maximum_hops=16)
    world.post("gemini", "codex", kind="question")
    deep = world.post("gemini", "hermes", kind="question")
    for sender, to in (("hermes", "gemini"), ("gemini", "hermes"), ("hermes", "codex")):
        deep = world.post(sender, to, title="", reply_to=deep)
    assert world.message(deep).hops == 4
    scan(world)
    # The oldest is claimed, and nothing else of it counts.
    lease = claim(world)
    assert world.message(world.post("codex", "hermes")).hops == 2
    assert world.message(world.post("codex", "hermes", title="", reply_to=deep)).hops == 5
    # A lease that is over counts no longer; what the seat acknowledged in the last hour does.
    assert receipt(world, lease, "failed") is None
    assert world.message(world.post("codex", "hermes")).hops == 1
    world.acknowledge("codex", deep, through=True)
    assert world.message(world.post("codex", "hermes")).hops == 5
    world.clock.move(minutes=61)
    assert world.message(world.post("codex", "hermes")).hops == 1
    assert intents(world)
