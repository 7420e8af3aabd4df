"""What an agent acknowledged in the last hour, as the index knows it, counts its hops (M8)."""

from __future__ import annotations

import pytest

from state.roster.commands import CloseQueue
from tests.state.world import World


def chain(world: World, length: int) -> int:
    """A message to gemini with so many hops."""
    number = world.post("user", "codex")
    for place in range(length):
        seat, other = (("codex", "hermes"), ("hermes", "codex"))[place % 2]
        to = "gemini" if place + 1 == length else other
        number = world.post(seat, to, reply_to=number)
    assert world.message(number).hops == length
    return number


@pytest.mark.rule("M8")
def test_what_was_acknowledged_last_counts_as_well_as_what_was_first(world: World) -> None:
    first, second, last = chain(world, 2), chain(world, 4), chain(world, 3)
    expected = {first: 3, second: 5, last: 5}
    for number in (first, second, last):
        world.acknowledge("gemini", number)
        assert world.message(world.post("gemini", "user")).hops == expected[number]
        world.clock.move(minutes=25)
    # Each leaves the last hour one after the other.
    assert world.message(world.post("gemini", "user")).hops == 5
    world.clock.move(minutes=20)
    assert world.message(world.post("gemini", "user")).hops == 4
    world.clock.move(minutes=20)
    assert world.message(world.post("gemini", "user")).hops == 1


@pytest.mark.rule("M8", "R14")
def test_what_was_closed_was_not_acknowledged(world: World) -> None:
    low = chain(world, 1)
    world.acknowledge("gemini", low)
    chain(world, 5)
    world.run(CloseQueue("gemini", "a fresh start"))
    assert world.message(world.post("gemini", "user")).hops == 2
    high = chain(world, 3)
    world.acknowledge("gemini", high)
    assert world.message(world.post("gemini", "user")).hops == 4
