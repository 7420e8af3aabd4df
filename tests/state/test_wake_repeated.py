"""A key used again gives the first answer to the same thing, and is refused for another (M4)."""

from __future__ import annotations

import pytest

from state.command import USER, Command
from state.errors import ClaimRefused, Refused
from state.wake.intent_commands import DismissIntent
from state.wake.lease_commands import Claim, granted
from state.wake.receipt_commands import TakeReceipt
from state.wake.receipts import SeenFile
from state.wake.window_commands import EnablePolicy
from tests.state.wake_world import (
    adapter,
    answer,
    arm,
    armed,
    id_of,
    intents,
    leased,
    new_lease,
    reasons,
    seen,
    set_policy,
    wanted,
)
from tests.state.world import World


def another(world: World, command: Command, seat: str, key: str) -> None:
    """The key says something else by now; nothing is written."""
    log = world.log()
    with pytest.raises(Refused) as caught:
        world.run(command, seat, key=key)
    assert caught.value.rule == "M4"
    assert world.log() == log


@pytest.mark.rule("M4", "W16")
def test_a_claim_that_only_set_aside_gives_the_same_answer_again(world: World) -> None:
    armed(world)
    number = wanted(world)
    answer(world, number)
    for repeated in (False, True):
        done = world.run(Claim(new_lease()), "codex", key="once")
        assert done.repeated is repeated
        with pytest.raises(ClaimRefused) as caught:
            granted(done.ops, "codex")
        assert caught.value.code == "nothing_pending"
    assert reasons(world) == {number: "answered"}


@pytest.mark.rule("M4", "W17")
def test_a_claim_by_another_consumer_is_another_claim(world: World) -> None:
    fingerprint = adapter(world)
    adapter(world, "copy")
    set_policy(world, adapter_id="echo", fingerprint=fingerprint)
    world.run(EnablePolicy("codex"))
    arm(world)
    wanted(world)
    mine = Claim(new_lease(), "echo", fingerprint)
    first = world.run(mine, "codex", key="once")
    assert world.run(mine, "codex", key="once").ops == first.ops
    another(world, Claim(new_lease(), "copy", fingerprint), "codex", "once")


@pytest.mark.rule("M4", "W19")
def test_a_receipt_with_other_evidence_is_another_receipt(world: World) -> None:
    armed(world)
    number, lease = leased(world)
    reply, second = answer(world, number), answer(world, number)
    mine = TakeReceipt(lease, "sent_and_verified", reply=reply)
    first = world.run(mine, "codex", key="once")
    again = world.run(mine, "codex", key="once")
    assert (again.repeated, again.ops) == (True, first.ops)
    for other in (
        TakeReceipt(lease, "sent_and_verified", reply=second),
        TakeReceipt(lease, "sent_and_verified", reply=reply, exit_code=0),
        TakeReceipt(lease, "sent_and_verified", file=SeenFile(None, unfit="it is gone")),
        TakeReceipt(lease, "sent_and_verified"),
        TakeReceipt(lease, "failed", reply=reply),
    ):
        another(world, other, "codex", "once")


@pytest.mark.rule("M4", "W20")
def test_a_file_that_changed_since_is_still_the_same_receipt(world: World) -> None:
    armed(world, cooldown_seconds=0)
    _, lease = leased(world)
    world.clock.move(seconds=1)
    file = world.folder / "proof.txt"
    file.write_text(lease)
    first = world.run(
        TakeReceipt(lease, "sent_and_verified", file=seen(world, "proof.txt", lease)),
        "codex",
        key="once",
    )
    file.write_text("something else")
    (world.folder / "other.txt").write_text(lease)
    changed = TakeReceipt(lease, "sent_and_verified", file=seen(world, "proof.txt", lease))
    gone = TakeReceipt(lease, "sent_and_verified", file=SeenFile(None, unfit="it is gone"))
    for again in (changed, gone):
        assert world.run(again, "codex", key="once").ops == first.ops
    other = TakeReceipt(lease, "sent_and_verified", file=seen(world, "other.txt", lease))
    another(world, other, "codex", "once")
    another(world, TakeReceipt(lease, "sent_and_verified", reply=1), "codex", "once")


@pytest.mark.rule("M4", "W15")
def test_dismissing_another_intent_is_another_act(world: World) -> None:
    armed(world)
    first, second = wanted(world), wanted(world)
    mine = DismissIntent(id_of(world, first), "not now")
    world.run(mine, USER, key="once")
    assert world.run(mine, USER, key="once").repeated
    another(world, DismissIntent(id_of(world, second), "not now"), USER, "once")
    assert intents(world) == {first: "dismissed", second: "pending"}
