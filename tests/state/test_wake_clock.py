"""W14 (fault 48): a clock that is set, a machine that sleeps or starts anew."""

from __future__ import annotations

from typing import Any

import pytest

from state.clock import Moment, elapsed_ms, left_ms
from state.wake.gate import cooldown_ms, quota_ms, quota_used
from state.wake.lease_commands import EndLease, Renew
from state.wake.queries import jumps
from state.wake.window_commands import Drain
from tests.state.wake_world import (
    answer,
    armed,
    claim,
    intents,
    last_ops,
    later_scan,
    leased,
    names,
    no_claim,
    operations,
    receipt,
    scan,
    state,
    wanted,
    window,
    worked_out,
    written,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {
    "window_seconds": 1_800,
    "lease_seconds": 300,
    "cooldown_seconds": 600,
    "hourly_quota": 2,
    "maximum_quiet_cycles": 1_000,
    "maximum_attempts": 5,
}
TURNS = [{"hours": -1}, {"days": 1}, {"days": -400}, {"seconds": 2.001}, {"seconds": -2.001}]


def left(world: World) -> tuple[int | None, ...]:
    """Everything that runs, in milliseconds: deadline, lease, cooldown, quota, and its use."""
    now, wake = world.clock.moment(), worked_out(world)
    assert wake.window is not None
    return (
        wake.window.left_ms(now),
        None if wake.lease is None else wake.lease.left_ms(now),
        cooldown_ms(wake, wake.window.policy, now),
        quota_ms(wake, wake.window.policy, now),
        quota_used(wake, now),
    )


@pytest.mark.rule("W14")
@pytest.mark.parametrize("turn", TURNS)
def test_turning_the_hands_changes_no_deadline_no_lease_no_cooldown_no_quota(
    world: World, turn: dict[str, float]
) -> None:
    armed(world, **LIMITS)
    _, lease = leased(world)
    world.clock.move(seconds=100)
    before = left(world)
    assert before == (1_700_000, 200_000, 0, 0, 1)
    world.clock.set(**turn)
    assert left(world) == before
    assert state(world) == worked_out(world).state == "active"
    world.run(EndLease(lease, "again"))
    assert left(world)[1:3] == (None, 600_000)
    world.clock.set(**{unit: -by for unit, by in turn.items()})
    assert left(world)[2] == 600_000
    assert no_claim_later(world).retry_after == 600
    world.clock.move(seconds=600)
    claim(world)
    assert left(world) == (1_100_000, 300_000, 0, 2_900_000, 2)


def no_claim_later(world: World) -> Any:
    scan(world)
    return no_claim(world, "cooldown")


@pytest.mark.rule("W14")
@pytest.mark.parametrize("turn", TURNS)
def test_a_jump_is_written_once_and_told(world: World, turn: dict[str, float]) -> None:
    armed(world, **LIMITS)
    world.clock.move(seconds=30)
    before = world.clock.time
    world.clock.set(**turn)
    by_ms = round((world.clock.time - before).total_seconds() * 1000)
    scan(world)
    at = world.clock.moment()
    assert last_ops(world) == [
        {"op": "clock_jumped", "at": {"utc": at.utc, "boot": at.boot, "ms": at.ms}, "by_ms": by_ms}
    ]
    assert world.lines()[-1]["seat"] == "system"
    for _ in range(2):
        scan(world)
        wanted(world)
    assert names(world)["clock_jumped"] == 1
    with world.look() as view:
        assert [jump[2] for jump in jumps(view, 9)] == [by_ms]
    # Set right again it is another jump.
    world.clock.set(**{unit: -by for unit, by in turn.items()})
    world.run(Drain("codex"))
    assert names(world)["clock_jumped"] == 2
    assert [line["seat"] for line in world.lines()[-2:]] == ["system", "user"]


@pytest.mark.rule("W14")
@pytest.mark.parametrize("by", [2.0, -2.0, 0.5])
def test_two_seconds_are_no_jump(world: World, by: float) -> None:
    armed(world, **LIMITS)
    world.clock.set(seconds=by)
    assert scan(world).ops == ()


@pytest.mark.rule("W14")
def test_the_time_that_a_machine_sleeps_counts(world: World) -> None:
    armed(world, **LIMITS)
    number, lease = leased(world)
    world.clock.move(seconds=299)
    assert left(world)[1] == 1_000
    world.clock.move(hours=8)
    scan(world)
    assert (state(world), intents(world)) == ("closed", {number: "lapsed"})
    assert names(world)["clock_jumped"] == 0
    assert [op["reason"] for op in operations(world) if op["op"] == "window_closed"] == ["deadline"]
    refused = receipt(world, lease, "failed")
    assert refused is not None


@pytest.mark.rule("W14")
@pytest.mark.parametrize("turn", [{"hours": -1}, {"days": 1}, {"days": -1}])
def test_what_is_over_stays_over(world: World, turn: dict[str, float]) -> None:
    armed(world, **LIMITS)
    _, lease = leased(world)
    world.clock.move(seconds=1_800)
    assert worked_out(world).state == "closed"
    world.clock.set(**turn)
    # Nobody has written it yet, and still no turn brings it back.
    assert worked_out(world).state == "closed"
    assert worked_out(world).lease is None
    scan(world)
    world.refused("W29", Renew(lease), "codex")
    assert state(world) == "closed"
    no_claim(world, "window_closed")
    world.clock.set(**{unit: -2 * by for unit, by in turn.items()})
    scan(world)
    assert state(world) == "closed"


@pytest.mark.rule("W14")
def test_on_another_boot_every_lease_is_over(world: World) -> None:
    armed(world, **LIMITS)
    number, lease = leased(world)
    world.clock.move(seconds=10)
    world.clock.boot()
    assert worked_out(world).lease is None
    refused = receipt(world, lease, "sent_and_verified", reply=answer(world, number))
    assert refused is not None
    assert intents(world) == {number: "failed"}
    at = world.clock.moment()
    over = next(op for op in operations(world) if op["op"] == "lease_expired")
    assert over["at"] == {"utc": at.utc, "boot": at.boot, "ms": at.ms}
    assert names(world)["clock_jumped"] == 0


@pytest.mark.rule("W14")
def test_on_another_boot_utc_decides(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    world.clock.move(seconds=100)
    world.clock.boot()
    scan(world)
    assert left(world) == (1_700_000, None, 600_000, 0, 1)
    world.clock.move(seconds=599)
    assert no_claim(world, "cooldown").retry_after == 1
    world.clock.move(seconds=1)
    claim(world)
    later_scan(world, seconds=1_099)
    assert state(world) == "active"
    later_scan(world, seconds=1)
    assert state(world) == "closed"


@pytest.mark.rule("W14")
def test_on_another_boot_a_time_later_than_now_counts_as_now(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    world.clock.move(seconds=100)
    world.clock.boot()
    world.clock.set(hours=-1)
    scan(world)
    # Nothing is longer than it ever was, and nothing is over early.
    assert left(world) == (1_800_000, None, 600_000, 0, 1)
    later_scan(world, seconds=1_800)
    scan(world)
    assert window(world).left_ms(world.clock.moment()) == 1_800_000
    later_scan(world, seconds=3_600)
    assert state(world) == "closed"


@pytest.mark.rule("W14")
def test_both_clocks_are_kept_of_arming_leases_and_receipts(world: World) -> None:
    armed(world, **LIMITS)
    number, lease = leased(world)
    world.clock.move(seconds=5)
    world.run(Renew(lease), "codex")
    assert receipt(world, lease, "failed") is None
    moments = [op["at"] for op in operations(world) if "at" in op]
    assert len(moments) == 4
    assert {tuple(at) for at in moments} == {("utc", "boot", "ms")}
    assert {at["boot"] for at in moments} == {"boot-1"}
    assert [at["ms"] for at in moments] == [3_600_000, 3_600_000, 3_605_000, 3_605_000]
    assert written(world).intent(number) is not None


@pytest.mark.rule("W14")
def test_a_system_without_such_a_clock_goes_by_utc() -> None:
    early, late = "2026-11-30T10:00:00.000000+00:00", "2026-11-30T10:01:00.000000+00:00"
    assert elapsed_ms(Moment(early), Moment(late)) == 60_000
    assert elapsed_ms(Moment(late), Moment(early)) == 0
    assert left_ms(Moment(early), 90_000, Moment(late)) == 30_000
    assert left_ms(Moment(early), 90_000, Moment(late, "boot", 5)) == 0
    assert elapsed_ms(Moment(late, "a", 7), Moment(early, "a", 9)) == 2
    assert elapsed_ms(Moment(early, "a", 9), Moment(late, "a", 7)) == 0
