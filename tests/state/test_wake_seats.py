"""What the roster, the queues and messages say of windows, intents, leases and the gate."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest

from state.clock import stamp
from state.importing.commands import ImportMessage
from state.messages.operations import NoEvidence, Origin
from state.messages.tasks import AcceptTask, FinishTask
from state.roster.actions import seat_actions
from state.roster.commands import (
    CloseQueue,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    MarkBack,
    RestoreSeat,
)
from state.wake.explain import explain_one
from state.wake.lease_commands import EndLease
from state.wake.window_commands import Drain, Hold
from tests.state.wake_world import (
    armed,
    claim,
    intents,
    later_scan,
    leased,
    names,
    no_claim,
    operations,
    reasons,
    receipt,
    scan,
    state,
    verified,
    wanted,
    window,
    worked_out,
    written,
)
from tests.state.world import World


def blocking(world: World) -> list[tuple[str, int, int | None]]:
    refusal = world.refused("R4", DeactivateSeat("codex", world.roster, "gone"))
    return list(refusal.blocking)


@pytest.mark.rule("R4")
@pytest.mark.parametrize("how", ["active", "draining", "hold"])
def test_a_seat_with_a_window_that_is_not_closed_is_not_deactivated(world: World, how: str) -> None:
    armed(world)
    number = wanted(world)
    if how != "active":
        world.run(Drain("codex") if how == "draining" else Hold("codex"))
    assert blocking(world) == [("unread", 1, number), ("window", 1, None)]
    world.acknowledge("codex", number)
    # A draining window with nothing left closes by the very command that asks.
    if how == "draining":
        world.run(DeactivateSeat("codex", world.roster, "gone"))
        assert [line["seat"] for line in world.lines()[-2:]] == ["system", "user"]
        return
    assert blocking(world) == [("window", 1, None)]
    with world.look() as view:
        actions = seat_actions(view, "codex", world.clock.moment())
    refusal = next(one.refusal for one in actions if one.name == "deactivate")
    assert refusal is not None
    assert "wake drain codex" in refusal.message
    world.run(Drain("codex"))
    world.run(DeactivateSeat("codex", world.roster, "gone"))


@pytest.mark.rule("R4", "W27")
def test_a_window_that_is_over_by_the_time_blocks_nobody(world: World) -> None:
    armed(world, window_seconds=60)
    world.clock.move(seconds=60)
    assert (state(world), worked_out(world).state) == ("active", "closed")
    world.run(DeactivateSeat("codex", world.roster, "gone"))
    assert world.seat("codex").status == "inactive"
    assert state(world) == "closed"


@pytest.mark.rule("R8", "W1")
def test_a_restored_seat_inherits_nothing_from_its_earlier_life(world: World) -> None:
    armed(world)
    world.run(Drain("codex"))
    world.run(DeactivateSeat("codex", world.roster, "gone"))
    no_claim_when_inactive(world)
    world.run(RestoreSeat("codex", world.roster))
    assert world.seat("codex").mode == "queue_only"
    assert not written(world).enabled
    no_claim(world, "window_closed")


def no_claim_when_inactive(world: World) -> None:
    assert "seat restore codex" in no_claim(world, "seat_inactive").hint


@pytest.mark.rule("R14")
def test_a_queue_is_not_closed_while_a_lease_lives(world: World) -> None:
    armed(world)
    number, lease = leased(world)
    refusal = world.refused("R14", CloseQueue("codex", "gone"))
    assert refusal.blocking == (("lease", 1, number),)
    world.run(EndLease(lease, "it hangs"))
    world.run(CloseQueue("codex", "gone"))
    assert intents(world) == {number: "dismissed"}
    assert reasons(world) == {number: "gone"}


@pytest.mark.rule("R14", "W27")
def test_a_lease_that_is_over_by_the_time_keeps_no_queue_open(world: World) -> None:
    armed(world, lease_seconds=60, window_seconds=3_600)
    number, _ = leased(world)
    world.clock.move(seconds=60)
    world.run(CloseQueue("codex", "gone"))
    assert intents(world) == {number: "dismissed"}
    ops = [op["op"] for op in operations(world)][-3:]
    assert ops == ["lease_expired", "queue_closed", "intents_dismissed"]


@pytest.mark.rule("R14", "W15")
def test_closing_a_queue_dismisses_what_waits_and_nothing_else(world: World) -> None:
    armed(world, cooldown_seconds=0, maximum_attempts=1)
    first, lease = leased(world)
    verified(world, first, lease)
    stuck, lease = leased(world)
    world.run(EndLease(lease, "hangs"))
    assert (state(world), intents(world)[stuck]) == ("hold", "terminal_hold")
    world.run(CloseQueue("codex", "gone"))
    assert intents(world) == {first: "sent_and_verified", stuck: "dismissed"}
    assert state(world) == "hold"
    assert world.seat("codex").unread == 0


@pytest.mark.rule("R14", "W11")
def test_a_message_closed_before_a_scan_looked_is_never_called_acknowledged(world: World) -> None:
    armed(world)
    world.post("user", "codex", kind="task")
    world.run(CloseQueue("codex", "gone"))
    after = world.post("user", "codex", kind="task")
    scan(world)
    assert intents(world) == {after: "pending"}
    assert written(world).passed == (("closed", 1),)


@pytest.mark.rule("R6")
def test_hiding_a_seat_changes_nothing_of_its_wakes(world: World) -> None:
    armed(world)
    world.run(HideSeat("codex", world.roster))
    number = wanted(world)
    verified(world, number, claim(world))
    assert (state(world), world.seat("codex").cursor) == ("active", number)


@pytest.mark.rule("M12")
def test_what_a_message_says_arms_claims_and_acknowledges_nothing(world: World) -> None:
    armed(world, "gemini")
    before = written(world, "gemini")
    for text in (
        "wake drain gemini",
        "wake arm codex",
        "ack --through 99",
        "seat deactivate gemini",
    ):
        for sender in ("user", "codex"):
            world.post(sender, "gemini", kind="note", title=text, body=text)
    after = written(world, "gemini")
    assert (after.window, after.cursor, after.lease) == (before.window, before.cursor, None)
    assert state(world) == "closed"


@pytest.mark.rule("M13")
def test_what_the_rules_compute_is_written_by_the_program_itself(world: World) -> None:
    armed(world, window_seconds=60)
    wanted(world)
    later_scan(world, seconds=60)
    computed = {"seat_scanned", "window_draining", "intents_lapsed", "window_closed"}
    by = {line["seat"] for line in world.lines() for op in line["ops"] if op["op"] in computed}
    assert by == {"system"}
    assert computed <= set(names(world))


@pytest.mark.rule("M15", "W16")
def test_nobody_claims_for_a_seat_that_is_away_until_it_is_back(world: World) -> None:
    armed(world)
    wanted(world)
    world.run(MarkAway("codex", stamp(world.clock.time + timedelta(minutes=10)), "lunch"))
    assert no_claim(world, "seat_away").retry_after == 600
    world.run(MarkBack("codex"))
    claim(world)
    world.run(MarkAway("codex", stamp(world.clock.time + timedelta(days=1)), "lunch"))
    no_claim(world, "seat_away")
    # Away hinders no scan.
    number = wanted(world)
    assert intents(world)[number] == "pending"


@pytest.mark.rule("M7", "W20")
def test_a_task_is_finished_apart_from_the_wake_for_it(world: World) -> None:
    armed(world)
    number = world.post("user", "codex", kind="task")
    scan(world)
    lease = claim(world)
    world.run(AcceptTask(number), "codex")
    world.run(FinishTask(number, NoEvidence()), "codex")
    assert intents(world) == {number: "claimed"}
    # The result that this posted answers the task, and is evidence for the receipt.
    result = world.lines()[-1]["rev"]
    assert receipt(world, lease, "sent_and_verified", reply=result) is None
    assert world.seat("codex").cursor == number
    assert window(world).wakes == 1


@pytest.mark.rule("M16")
def test_an_imported_message_never_wakes_anyone(world: World) -> None:
    armed(world, triggers={"kinds": ["note", "task", "question", "result"], "addressing": "any"})
    text = "do it"
    origin = Origin(
        tool="claude-team",
        team="crew",
        inbox="codex",
        position=0,
        sender="gemini",
        recipient="codex",
        time="2026-02-03T04:05:06.000000+00:00",
        read=False,
        summary="a wish",
        sha256=sha256(text.encode()).hexdigest(),
    )
    number = world.run(ImportMessage("gemini", ("codex",), "a wish", text, origin)).rev
    scan(world)
    assert (intents(world), written(world).passed) == ({}, ())
    with world.look() as view:
        found = explain_one(view, "codex", number, world.clock.moment())
    assert found is not None
    assert (found.outcome, found.intent) == ("imported", None)
