"""W19: which receipts are taken, from whom and when, and what is kept of a refused one."""

from __future__ import annotations

from typing import Any

import pytest

from state.errors import BadInput
from state.wake import queries
from state.wake.receipt_commands import TakeReceipt
from state.wake.receipts import OUTCOMES, SeenFile
from state.wake.window_commands import Drain, EnablePolicy, Hold
from tests.state.wake_world import (
    adapter,
    answer,
    arm,
    armed,
    claim,
    intents,
    kept,
    last_ops,
    later_scan,
    leased,
    receipt,
    set_policy,
    state,
    verified,
    wanted,
    written,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {"cooldown_seconds": 0, "lease_seconds": 60}


@pytest.fixture
def held(world: World) -> tuple[int, str]:
    armed(world, **LIMITS)
    return leased(world)


@pytest.mark.rule("W19")
@pytest.mark.parametrize("stands", ["active", "draining", "hold"])
@pytest.mark.parametrize("outcome", ["sent_and_verified", "failed", "timeout"])
def test_a_final_receipt_is_taken_once_also_while_draining_or_on_hold(
    world: World, held: tuple[int, str], outcome: str, stands: str
) -> None:
    number, lease = held
    if stands != "active":
        world.run(Drain("codex") if stands == "draining" else Hold("codex"))
    if outcome == "sent_and_verified":
        verified(world, number, lease)
        assert intents(world) == {number: outcome}
    else:
        assert receipt(world, lease, outcome, exit_code=9) is None
        assert intents(world) == {number: "failed"}
    for again in OUTCOMES:
        kept(world, "lease_over", lease, again, reply=99)


@pytest.mark.rule("W19")
def test_what_only_a_watcher_saw_is_recorded_and_ends_nothing(
    world: World, held: tuple[int, str]
) -> None:
    number, lease = held
    for _ in range(2):
        assert receipt(world, lease, "watcher_only") is None
    (op,) = last_ops(world)
    assert (op["op"], op["state"], op["evidence"]) == ("receipt_taken", "claimed", None)
    assert intents(world) == {number: "claimed"}
    assert written(world).lease is not None
    assert world.seat("codex").cursor == 0
    assert receipt(world, lease, "failed") is None


@pytest.mark.rule("W19")
def test_only_the_holder_brings_it_same_seat_adapter_and_fingerprint(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint, **LIMITS)
    world.run(EnablePolicy("codex"))
    arm(world)
    number = wanted(world)
    lease = claim(world, adapter="echo", fingerprint=fingerprint)
    reply = answer(world, number)
    others: tuple[tuple[str, dict[str, Any]], ...] = (
        ("gemini", {"adapter": "echo", "fingerprint": fingerprint}),
        ("user", {}),
        ("codex", {}),
        ("codex", {"adapter": "other", "fingerprint": fingerprint}),
        ("codex", {"adapter": "echo", "fingerprint": "e" * 64}),
        ("codex", {"adapter": "echo"}),
    )
    for seat, more in others:
        kept(world, "not_the_holder", lease, "sent_and_verified", seat, reply=reply, **more)
        kept(world, "not_the_holder", lease, "failed", seat, **more)
    _, own = others[0]
    assert receipt(world, lease, "sent_and_verified", reply=reply, **own) is None


@pytest.mark.rule("W19")
def test_a_lease_that_nobody_knows_and_one_that_is_over_take_none(
    world: World, held: tuple[int, str]
) -> None:
    number, lease = held
    kept(world, "unknown_lease", "no such lease", "failed")
    reply = answer(world, number)
    world.clock.move(seconds=60)
    # The expiry is written first, and the receipt comes too late.
    refused = receipt(world, lease, "sent_and_verified", reply=reply)
    assert refused is not None
    assert [op["op"] for line in world.lines()[-2:] for op in line["ops"]] == [
        "lease_expired",
        "receipt_refused",
    ]
    assert intents(world) == {number: "failed"}
    kept(world, "lease_over", lease, "failed")


@pytest.mark.rule("W19")
@pytest.mark.parametrize("outcome", ["sent_and_verified", "watcher_only"])
def test_a_non_zero_exit_code_goes_with_failed_or_timeout_alone(
    world: World, held: tuple[int, str], outcome: str
) -> None:
    number, lease = held
    reply = answer(world, number)
    kept(world, "exit_code", lease, outcome, reply=reply, exit_code=1)
    assert receipt(world, lease, outcome, reply=reply, exit_code=0) is None


@pytest.mark.rule("W19")
def test_what_is_no_receipt_at_all_is_bad_input() -> None:
    wrong: list[dict[str, Any]] = [
        {"outcome": "done"},
        {"outcome": ""},
        {"outcome": 5},
        {"lease": "x" * 201},
        {"lease": 5},
        {"lease": "\ud800"},
        {"reply": -1},
        {"reply": "5"},
        {"reply": 2**70},
        {"reply": 5, "file": SeenFile(None, unfit="no")},
        {"exit_code": 256},
        {"exit_code": -1},
        {"exit_code": "1"},
        {"exit_code": 1.0},
        {"exit_code": True},
        {"exit_code": 2**70},
    ]
    for given in wrong:
        with pytest.raises(BadInput):
            TakeReceipt(**{"lease": "l", "outcome": "failed", **given})


@pytest.mark.rule("W19")
def test_every_line_of_receipts_is_told_again_by_the_index(
    world: World, held: tuple[int, str]
) -> None:
    number, lease = held
    receipt(world, "nobody's", "failed")
    receipt(world, lease, "watcher_only")
    later_scan(world, seconds=1)
    receipt(world, lease, "sent_and_verified", reply=answer(world, number))
    with world.look() as view:
        rows = queries.receipts(view)
        mine = queries.receipts(view, "codex")
    assert [(row.outcome, row.code, row.by) for row in rows] == [
        ("sent_and_verified", None, "codex"),
        ("watcher_only", None, "codex"),
        ("failed", "unknown_lease", "codex"),
    ]
    assert mine == rows
    # One for no lease known here stands at who brought it, another one at its lease's seat.
    receipt(world, "nobody's", "failed", "gemini")
    receipt(world, lease, "failed", "gemini")
    with world.look() as view:
        (brought,) = queries.receipts(view, "gemini")
        (newest, *others) = queries.receipts(view, "codex")
    assert (brought.code, brought.seat, brought.by) == ("unknown_lease", None, "gemini")
    assert (newest.code, newest.seat, newest.by) == ("not_the_holder", "codex", "gemini")
    assert tuple(others) == rows
    assert state(world) == "active"


@pytest.mark.rule("W19")
def test_however_many_are_refused_they_hide_none_that_proved_something(
    world: World, held: tuple[int, str]
) -> None:
    number, lease = held
    reply = answer(world, number)
    receipt(world, "made-up", "failed")
    assert receipt(world, lease, "sent_and_verified", reply=reply) is None
    for _ in range(3):
        receipt(world, lease, "failed")
    with world.look() as view:
        rows = queries.newest_receipts(view, "codex", 2)
    assert [row.code for row in rows] == ["lease_over", "lease_over", None]
