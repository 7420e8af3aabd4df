"""W16, W28: what the gate checks, in which order, and when it says to ask again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations, pairwise
from typing import Any

import pytest

from state.clock import Moment, parse, stamp
from state.errors import ClaimRefused
from state.wake import gate
from state.wake.consumer_commands import DeclareConsumer, EndConsumer
from state.wake.consumers import Consumer
from state.wake.gate import CODES, Answer, Claimer, Grant
from state.wake.lease_commands import EndLease
from state.wake.model import Lease, SeatWake, with_window
from state.wake.window_commands import Drain, EnablePolicy
from tests.state.wake_world import (
    adapter,
    answer,
    arm,
    armed,
    claim,
    intents,
    last_ops,
    leased,
    no_claim,
    reasons,
    receipt,
    scan,
    set_policy,
    wanted,
    written,
)
from tests.state.world import World

ORDER = (
    *("project_mismatch", "seat_inactive", "seat_away", "window_closed", "window_hold"),
    *("policy_disabled", "policy_changed", "adapter_unregistered", "fingerprint_mismatch"),
    *("not_your_seat", "other_consumer", "seat_busy", "deadline_passed", "wakes_used"),
    *("cooldown", "hourly_quota", "nothing_pending"),
)
# Where time alone helps, and after how many seconds.
WAITS = {"seat_away": 90, "seat_busy": 40, "cooldown": 20, "hourly_quota": 3_600}


@dataclass(frozen=True)
class Asked:
    """One claim: everything that the gate is given."""

    wake: SeatWake
    claimer: Claimer
    now: Moment
    other: Consumer | None = None

    def answer(self) -> Answer:
        found = gate.ask(self.wake, self.claimer, self.now, self.other)
        if found.grant is None and not found.set_aside:
            raise gate.refused_nothing(self.wake.seat)
        return found

    def code(self) -> str:
        with pytest.raises(ClaimRefused) as caught:
            self.answer()
        return caught.value.code


def of_wake(**changes: Any) -> Callable[[Asked], Asked]:
    return lambda asked: replace(asked, wake=replace(asked.wake, **changes))


def of_window(**changes: Any) -> Callable[[Asked], Asked]:
    return lambda asked: replace(asked, wake=with_window(asked.wake, **changes))


def of_claimer(**changes: Any) -> Callable[[Asked], Asked]:
    return lambda asked: replace(asked, claimer=asked.claimer._replace(**changes))


def away(asked: Asked) -> Asked:
    until = stamp(parse(asked.now.utc) + timedelta(seconds=90))
    return of_wake(away_until=until)(asked)


def busy(asked: Asked) -> Asked:
    now = asked.now
    return of_wake(lease=Lease("l", 1, 1, "echo", "f", 1, now, now, 40_000))(asked)


def late(asked: Asked) -> Asked:
    assert asked.wake.window is not None
    assert asked.now.ms is not None
    ago = replace(asked.now, ms=asked.now.ms - 1_000 * asked.wake.window.policy.window_seconds)
    return of_window(armed=ago)(asked)


MADE: Mapping[str, Callable[[Asked], Asked]] = {
    "project_mismatch": of_wake(project="f" * 32),
    "seat_inactive": of_wake(is_active=False),
    "seat_away": away,
    "window_closed": of_window(state="closed"),
    "window_hold": of_window(state="hold"),
    "policy_disabled": of_wake(enabled=False),
    "policy_changed": of_wake(policy_hash="other"),
    "adapter_unregistered": of_claimer(registered=None),
    "fingerprint_mismatch": of_claimer(fingerprint="e" * 64),
    "not_your_seat": of_claimer(seat="gemini"),
    "other_consumer": lambda asked: replace(
        asked, other=Consumer("codex", "cron", "declared", None, None)
    ),
    "seat_busy": busy,
    "deadline_passed": late,
    "wakes_used": of_window(wakes=10),
    "cooldown": lambda asked: of_wake(ended=asked.now)(asked),
    "hourly_quota": lambda asked: of_wake(grants=(asked.now,) * 6)(asked),
    "nothing_pending": of_wake(intents=(), waiting=()),
}


@pytest.fixture
def good(world: World) -> Asked:
    """A claim of an adapter that nothing stands against."""
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint, window_seconds=86_400)
    world.run(EnablePolicy("codex"))
    arm(world)
    number = wanted(world)
    claimer = Claimer("codex", "echo", fingerprint, fingerprint)
    asked = Asked(written(world), claimer, world.clock.moment())
    assert asked.answer() == Answer(Grant(number, 1), ())
    return asked


@pytest.mark.rule("W16")
def test_the_codes_are_those_of_the_design_in_their_order() -> None:
    assert CODES == ORDER == tuple(MADE)


@pytest.mark.rule("W16")
def test_each_condition_has_its_code_and_says_when_time_helps(good: Asked) -> None:
    for code, make in MADE.items():
        with pytest.raises(ClaimRefused) as caught:
            make(good).answer()
        assert (caught.value.code, caught.value.rule) == (code, "W16")
        assert caught.value.retry_after == WAITS.get(code)
        assert caught.value.hint
        assert caught.value.as_dict()["retry_after"] == WAITS.get(code)


@pytest.mark.rule("W16")
def test_of_two_neighbours_the_earlier_one_is_answered(good: Asked) -> None:
    for earlier, later in pairwise(ORDER):
        assert MADE[earlier](MADE[later](good)).code() == earlier


@pytest.mark.rule("W16")
def test_of_any_two_conditions_the_earlier_one_is_answered(good: Asked) -> None:
    for earlier, later in combinations(ORDER, 2):
        assert MADE[earlier](MADE[later](good)).code() == earlier


@pytest.mark.rule("W16")
def test_who_waits_as_long_as_was_said_is_not_too_early(good: Asked) -> None:
    assert good.now.ms is not None
    for code in ("seat_busy", "cooldown", "hourly_quota"):
        asked = MADE[code](good)
        for passed, waits in ((1, WAITS[code]), (1_000 * WAITS[code] - 1, 1)):
            at = replace(asked, now=replace(good.now, ms=good.now.ms + passed))
            with pytest.raises(ClaimRefused) as caught:
                at.answer()
            assert (caught.value.code, caught.value.retry_after) == (code, waits)
        # The lease itself is ended by the time before the gate is asked.
        if code != "seat_busy":
            after = replace(good.now, ms=good.now.ms + 1_000 * WAITS[code])
            assert replace(asked, now=after).answer().grant is not None


@pytest.mark.rule("W16")
def test_the_oldest_is_checked_again_and_set_aside_with_the_reason(good: Asked) -> None:
    (one,) = good.wake.waiting
    for reason, changed in (
        ("self_message", replace(one, own=True)),
        ("hops", replace(one, hops=5)),
        ("answered", replace(one, answered=True)),
    ):
        asked = of_wake(waiting=(changed,))(good)
        assert asked.answer() == Answer(None, ((one.message, reason),))
    asked = of_wake(cursor=one.message)(good)
    assert asked.answer() == Answer(None, ((one.message, "acknowledged"),))
    assert of_wake(waiting=(replace(one, hops=4),))(good).answer().grant is not None


@pytest.mark.rule("W16")
def test_what_is_set_aside_is_written_with_the_lease_that_the_next_one_gets(world: World) -> None:
    armed(world)
    first, second, third, fourth = (world.post("user", "codex", kind="task") for _ in range(4))
    scan(world)
    world.acknowledge("codex", first)
    answer(world, third)
    claim(world)
    ops = last_ops(world)
    assert [(op["op"], op.get("reason"), op.get("messages")) for op in ops] == [
        ("intents_superseded", "acknowledged", [first]),
        ("lease_granted", None, None),
    ]
    assert ops[1]["message"] == second
    world.run(EndLease(ops[1]["lease"], "again"))
    world.acknowledge("codex", second)
    world.clock.move(seconds=20)
    claim(world)
    assert intents(world) == {
        first: "superseded",
        second: "superseded",
        third: "superseded",
        fourth: "claimed",
    }
    assert reasons(world)[third] == "answered"


@pytest.mark.rule("W16")
def test_what_was_set_aside_stays_so_when_nothing_is_left(world: World) -> None:
    armed(world)
    number = wanted(world)
    answer(world, number)
    with pytest.raises(ClaimRefused) as caught:
        claim(world)
    assert caught.value.code == "nothing_pending"
    assert reasons(world) == {number: "answered"}
    no_claim(world, "nothing_pending")


@pytest.mark.rule("W28")
def test_the_cooldown_runs_from_the_end_of_the_seats_last_lease(world: World) -> None:
    armed(world, cooldown_seconds=30, lease_seconds=60)
    _, lease = leased(world)
    world.clock.move(seconds=10)
    assert receipt(world, lease, "failed") is None
    assert no_claim(world, "cooldown").retry_after == 30
    world.clock.move(seconds=30)
    claim(world)
    # One that ran out ended when it ran out, not when somebody noticed.
    world.clock.move(seconds=75)
    scan(world)
    world.run(Drain("codex"))
    arm(world)
    wanted(world)
    assert no_claim(world, "cooldown").retry_after == 15
    world.clock.move(seconds=15)
    claim(world)


@pytest.mark.rule("W28")
def test_the_quota_counts_the_leases_of_the_last_hour_over_all_windows(world: World) -> None:
    armed(world, cooldown_seconds=0, hourly_quota=2, window_seconds=86_400, lease_seconds=3_600)
    for _ in range(2):
        number, lease = leased(world)
        assert receipt(world, lease, "sent_and_verified", reply=answer(world, number)) is None
        world.clock.move(seconds=600)
    wanted(world)
    assert no_claim(world, "hourly_quota").retry_after == 2_400
    # Neither another window nor the policy set anew makes it forget.
    world.run(Drain("codex"))
    world.acknowledge("codex", max(intents(world)), through=True)
    scan(world)
    armed(world, cooldown_seconds=0, hourly_quota=2, window_seconds=3_600)
    wanted(world)
    assert no_claim(world, "hourly_quota").retry_after == 2_400
    world.clock.move(seconds=2_400)
    claim(world)
    armed(world, "gemini", cooldown_seconds=0, hourly_quota=1)
    leased(world, "gemini")


@pytest.mark.rule("W28")
def test_a_boot_between_two_leases_makes_no_wait_longer_than_an_hour(good: Asked) -> None:
    # By UTC the younger lease is older: the hands were set back between the two.
    later = Moment(good.now.utc, "another boot", 5)
    earlier = Moment(stamp(parse(good.now.utc) - timedelta(hours=2)), "another boot", 9)
    quota = good.wake.policy
    assert quota is not None
    few = replace(good.wake, grants=(earlier, later, later))
    assert gate.quota_ms(few, replace(quota, hourly_quota=2), good.now) == 3_600_000
    assert gate.quota_ms(few, replace(quota, hourly_quota=3), good.now) == 0


@pytest.mark.rule("W16", "W22")
def test_another_consumer_is_named_to_whoever_claims(world: World) -> None:
    armed(world)
    wanted(world)
    world.run(DeclareConsumer("codex", "cron"))
    assert "cron" in no_claim(world, "other_consumer").message
    held = Consumer("codex", "watcher", "held", None, True)
    world.run(EndConsumer("codex"))
    assert "watcher" in no_claim(world, "other_consumer", consumers=(held,)).message
    claim(world, consumers=(replace(held, name="codex"),))
