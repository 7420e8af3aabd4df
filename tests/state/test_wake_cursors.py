"""W18, W20, M5, M6: cursors move in order only, whatever was verified in between."""

from __future__ import annotations

from typing import Any

import pytest

from state.messages.commands import Acknowledge
from state.roster.commands import CloseQueue
from state.wake.explain import explain_one
from tests.state.wake_world import (
    answer,
    armed,
    claim,
    intents,
    last_ops,
    receipt,
    scan,
    verified,
    wanted,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {"cooldown_seconds": 0, "hourly_quota": 60, "maximum_wakes": 50}


def cursor(world: World) -> int:
    return world.seat("codex").cursor


def waits_for(world: World, number: int) -> int | None:
    with world.look() as view:
        found = explain_one(view, "codex", number, world.clock.moment())
    assert found is not None
    assert found.outcome == "sent_and_verified"
    return found.waits_for


@pytest.fixture
def mixed(world: World) -> tuple[int, int, int, int]:
    """A note that wakes nobody, two tasks, a note."""
    armed(world, **LIMITS)
    note = world.post("user", "codex")
    tasks = [world.post("user", "codex", kind="task") for _ in range(2)]
    last = world.post("user", "codex")
    scan(world)
    return note, tasks[0], tasks[1], last


@pytest.mark.rule("W20", "M5")
def test_the_next_message_due_is_passed_by_its_receipt(world: World) -> None:
    armed(world, **LIMITS)
    number = wanted(world)
    verified(world, number, claim(world))
    assert [op["op"] for op in last_ops(world)] == ["receipt_taken", "acknowledged"]
    assert (cursor(world), world.queue("codex")) == (number, ())
    assert waits_for(world, number) is None
    facts = world.message(number).recipients[0]
    assert facts.acknowledged is not None


@pytest.mark.rule("W20", "M5")
def test_a_verified_message_waits_for_every_earlier_one(
    world: World, mixed: tuple[int, int, int, int]
) -> None:
    note, first, second, last = mixed
    verified(world, first, claim(world))
    assert [op["op"] for op in last_ops(world)] == ["receipt_taken"]
    verified(world, second, claim(world))
    # Two receipts in a row, and no cursor ahead of the note.
    assert (cursor(world), world.queue("codex")) == (0, mixed)
    assert [waits_for(world, number) for number in (first, second)] == [note, note]
    assert world.message(first).recipients[0].acknowledged is None
    # Whoever acknowledges the note passes both, in the same line.
    world.acknowledge("codex", note)
    assert (cursor(world), world.queue("codex")) == (second, (last,))
    (op,) = last_ops(world)
    assert (op["first"], op["through"], op["count"], op["cursor"]) == (note, note, 3, second)
    assert world.seat("codex").unread == 1
    assert waits_for(world, second) is None


@pytest.mark.rule("W20", "M5")
def test_out_of_order_receipts_are_passed_when_the_gap_is_closed_by_one(world: World) -> None:
    armed(world, **LIMITS)
    numbers = [wanted(world) for _ in range(3)]
    lease = claim(world)
    assert receipt(world, lease, "failed") is None
    verified(world, numbers[0], claim(world))
    assert cursor(world) == numbers[0]
    # The second is left to the seat itself, the third is verified before it.
    lease = claim(world)
    assert last_ops(world)[0]["message"] == numbers[1]
    reply = answer(world, numbers[1])
    assert receipt(world, lease, "failed") is None
    scan(world)
    assert intents(world)[numbers[1]] == "superseded"
    verified(world, numbers[2], claim(world))
    assert (cursor(world), waits_for(world, numbers[2])) == (numbers[0], numbers[1])
    world.refused("M5", Acknowledge(numbers[2]), "codex")
    world.acknowledge("codex", numbers[1])
    assert (cursor(world), world.queue("codex")) == (numbers[2], ())
    assert reply in world.message(numbers[1]).recipients[0].answered


@pytest.mark.rule("M5")
def test_through_passes_what_is_verified_behind_it(
    world: World, mixed: tuple[int, int, int, int]
) -> None:
    note, first, second, last = mixed
    verified(world, first, claim(world))
    verified(world, second, claim(world))
    world.acknowledge("codex", first, through=True)
    assert (cursor(world), world.queue("codex")) == (second, (last,))
    assert world.seat("codex").unread == 1
    assert note < first


@pytest.mark.rule("W18", "M6")
@pytest.mark.parametrize("outcome", ["failed", "timeout", "watcher_only"])
def test_no_other_receipt_moves_a_cursor(world: World, outcome: str) -> None:
    armed(world, **LIMITS)
    number = wanted(world)
    assert receipt(world, claim(world), outcome) is None
    assert (cursor(world), world.queue("codex")) == (0, (number,))


@pytest.mark.rule("M6")
def test_claims_scans_and_looks_move_no_cursor(world: World) -> None:
    armed(world, **LIMITS)
    number = wanted(world)
    claim(world)
    scan(world)
    with world.look() as view:
        explain_one(view, "codex", number, world.clock.moment())
    world.overview()
    assert (cursor(world), world.seat("codex").unread) == (0, 1)


@pytest.mark.rule("W20")
def test_what_the_seat_passed_itself_stays_passed_and_its_receipt_adds_nothing(
    world: World,
) -> None:
    armed(world, **LIMITS)
    number = wanted(world)
    lease = claim(world)
    world.acknowledge("codex", number)
    verified(world, number, lease)
    assert [op["op"] for op in last_ops(world)] == ["receipt_taken"]
    assert intents(world) == {number: "sent_and_verified"}
    assert cursor(world) == number


@pytest.mark.rule("M5", "R14")
def test_a_closed_queue_and_verified_messages_are_passed_together(
    world: World, mixed: tuple[int, int, int, int]
) -> None:
    _, first, _, last = mixed
    verified(world, first, claim(world))
    world.run(CloseQueue("codex", "gone"))
    assert (cursor(world), world.queue("codex"), world.seat("codex").unread) == (last, (), 0)
    after = world.post("user", "codex", kind="task")
    scan(world)
    verified(world, after, claim(world))
    assert (cursor(world), world.seat("codex").unread) == (after, 0)
