"""W17, W18, W29: who gets a lease, how long it runs, how it is renewed and how it ends."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from typing import Any

import pytest

from state.errors import BadInput, ClaimRefused, NotFound
from state.roster.commands import DeactivateSeat
from state.wake.lease_commands import Claim, EndLease, Renew
from state.wake.queries import leases
from state.wake.window_commands import Drain, EnablePolicy, Hold
from tests.state.test_races import racing
from tests.state.wake_world import (
    adapter,
    arm,
    armed,
    claim,
    id_of,
    intents,
    last_ops,
    later_scan,
    leased,
    names,
    new_lease,
    no_claim,
    operations,
    receipt,
    set_policy,
    state,
    wanted,
    window,
    worked_out,
    written,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {"cooldown_seconds": 0, "lease_seconds": 60, "maximum_lease_seconds": 150}
RACERS = 4


def left_ms(world: World) -> int:
    lease = written(world).lease
    assert lease is not None
    return lease.left_ms(world.clock.moment())


@pytest.mark.rule("W17")
def test_a_lease_names_all_that_it_is_about(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint, **LIMITS)
    world.run(EnablePolicy("codex"))
    arm(world)
    number = wanted(world)
    world.clock.move(seconds=5)
    at = world.clock.moment()
    lease = claim(world, adapter="echo", fingerprint=fingerprint)
    (op,) = last_ops(world)
    assert op == {
        "op": "lease_granted",
        "lease": lease,
        "seat": "codex",
        "intent": id_of(world, number),
        "message": number,
        "attempt": 1,
        "consumer": "echo",
        "fingerprint": fingerprint,
        "at": {"utc": at.utc, "boot": at.boot, "ms": at.ms},
        "run_ms": 60_000,
        "expires": world.clock.move(seconds=60),
    }
    assert world.lines()[-1]["seat"] == "codex"


@pytest.mark.rule("W17", "W22")
def test_without_an_adapter_the_seat_is_the_consumer(world: World) -> None:
    armed(world)
    leased(world)
    (op,) = last_ops(world)
    assert (op["consumer"], op["fingerprint"]) == ("codex", None)


@pytest.mark.rule("W17")
def test_of_processes_that_scan_and_claim_at_once_exactly_one_gets_the_lease(world: World) -> None:
    armed(world)
    number = world.post("user", "codex", kind="task")
    base = [sys.executable, "-m", "tests.state.wake_racer", str(world.folder), "codex"]
    with ExitStack() as stack:
        started = [stack.enter_context(racing([*base, f"racer-{n}"])) for n in range(RACERS)]
        for _, answers in started:
            assert answers.readline() == "ready\n"
        for orders, _ in started:
            orders.write("go\n")
            orders.flush()
        found = [json.loads(answers.readline()) for _, answers in started]
    assert found.count("seat_busy") == RACERS - 1
    assert [op["lease"] for op in operations(world) if op["op"] == "lease_granted"] == [
        lease for lease in found if lease != "seat_busy"
    ]
    assert intents(world) == {number: "claimed"}
    assert names(world)["seat_scanned"] == 1


@pytest.mark.rule("W17", "W16")
def test_one_live_lease_a_seat(world: World) -> None:
    armed(world, **LIMITS)
    armed(world, "gemini", **LIMITS)
    leased(world)
    wanted(world)
    assert no_claim(world, "seat_busy").retry_after == 60
    leased(world, "gemini")
    assert names(world)["lease_granted"] == 2


@pytest.mark.rule("W17")
def test_the_same_claim_sent_twice_gives_the_same_lease(world: World) -> None:
    armed(world, **LIMITS)
    wanted(world)
    first = world.run(Claim(new_lease()), "codex", key="once")
    again = world.run(Claim(new_lease()), "codex", key="once")
    assert (again.repeated, again.ops) == (True, first.ops)
    assert window(world).wakes == 1


@pytest.mark.rule("W17")
def test_nobody_claims_for_another(world: World) -> None:
    armed(world)
    wanted(world)
    no_claim(world, "window_closed", "gemini")
    world.refused("W6", Claim(new_lease()), "user")
    world.fails(NotFound, Claim(new_lease()), "nobody")
    world.run(DeactivateSeat("hermes", world.roster, "gone"))
    no_claim(world, "seat_inactive", "hermes")
    with pytest.raises(BadInput):
        Claim(new_lease(), fingerprint="a" * 64)


@pytest.mark.rule("W18")
@pytest.mark.parametrize("how", ["failed", "timeout", "ended", "expired"])
def test_each_bad_end_counts_as_one_attempt_and_moves_no_cursor(world: World, how: str) -> None:
    armed(world, **LIMITS, maximum_attempts=2)
    number, lease = leased(world)
    for attempt, then in ((1, "failed"), (2, "terminal_hold")):
        if how == "ended":
            world.run(EndLease(lease, "it hangs"))
        elif how == "expired":
            later_scan(world, seconds=60)
        else:
            assert receipt(world, lease, how, exit_code=9) is None
        assert intents(world) == {number: then}
        assert written(world).intents[0].attempts == attempt
        assert world.seat("codex").cursor == 0
        assert world.queue("codex") == (number,)
        if attempt == 1:
            lease = claim(world)
            assert last_ops(world)[0]["attempt"] == 2
    assert (state(world), window(world).cause) == ("hold", "terminal_hold")
    with world.look() as view:
        ends = {row.over for row in leases(view)}
    assert ends == {how}


@pytest.mark.rule("W18", "W14")
def test_a_lease_runs_exactly_as_long_as_it_says(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    later_scan(world, milliseconds=59_999)
    assert written(world).lease is not None
    later_scan(world, milliseconds=1)
    assert written(world).lease is None
    over = next(op for op in operations(world) if op["op"] == "lease_expired")
    assert (over["state"], over["at"]["utc"]) == ("failed", world.clock.now())


@pytest.mark.rule("W29")
def test_a_renewed_lease_runs_from_now_but_never_beyond_the_longest(world: World) -> None:
    armed(world, **LIMITS)
    _, lease = leased(world)
    # Also in the moment of its grant, where that comes to the same.
    world.run(Renew(lease), "codex")
    assert left_ms(world) == 60_000
    world.clock.move(seconds=50)
    world.run(Renew(lease), "codex")
    assert left_ms(world) == 60_000
    world.clock.move(seconds=50)
    world.run(Renew(lease), "codex")
    # 150 s from its grant, 100 of them gone.
    assert left_ms(world) == 50_000
    world.refused("W29", Renew(lease), "codex")
    world.clock.move(milliseconds=49_999)
    world.refused("W29", Renew(lease), "codex")
    assert worked_out(world).lease is not None
    world.clock.move(milliseconds=1)
    assert worked_out(world).lease is None


@pytest.mark.rule("W29")
def test_a_renewal_is_no_wake_and_needs_no_quota(world: World) -> None:
    armed(world, **LIMITS, maximum_wakes=1, hourly_quota=1)
    _, lease = leased(world)
    world.clock.move(seconds=30)
    world.run(Renew(lease), "codex")
    assert (window(world).wakes, len(written(world).grants)) == (1, 1)
    (op,) = last_ops(world)
    assert (op["op"], op["lease"], op["run_ms"]) == ("lease_renewed", lease, 60_000)
    world.run(Hold("codex"))
    world.clock.move(seconds=30)
    world.run(Renew(lease), "codex")
    assert left_ms(world) == 60_000


@pytest.mark.rule("W29")
def test_only_the_holder_renews_and_only_a_live_lease(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint, **LIMITS)
    world.run(EnablePolicy("codex"))
    arm(world)
    wanted(world)
    lease = claim(world, adapter="echo", fingerprint=fingerprint)
    world.refused("W29", Renew(lease), "codex")
    world.refused("W29", Renew(lease, "echo", "e" * 64), "codex")
    world.refused("W29", Renew(lease, "other", fingerprint), "codex")
    world.refused("W29", Renew(lease, "echo", fingerprint), "gemini")
    world.refused("W29", Renew(lease, "echo", fingerprint), "user")
    world.fails(NotFound, Renew("no such lease"), "codex")
    world.clock.move(seconds=10)
    world.run(Renew(lease, "echo", fingerprint), "codex")
    later_scan(world, seconds=60)
    world.refused("W29", Renew(lease, "echo", fingerprint), "codex")


@pytest.mark.rule("W29")
def test_only_the_user_ends_a_lease_and_says_why(world: World) -> None:
    armed(world, **LIMITS)
    _, lease = leased(world)
    for seat in ("codex", "gemini"):
        world.refused("W6", EndLease(lease, "mine"), seat)
    for reason in ("", " \n", "x" * 1_001):
        with pytest.raises(BadInput):
            EndLease(lease, reason)
    world.clock.move(seconds=7)
    world.run(EndLease(lease, "it hangs"))
    (op,) = last_ops(world)
    assert (op["op"], op["reason"], op["at"]["utc"]) == (
        "lease_ended",
        "it hangs",
        world.clock.now(),
    )
    world.refused("W29", EndLease(lease, "again"))
    world.refused("W29", Renew(lease), "codex")
    world.fails(NotFound, EndLease("no such lease", "why"))


@pytest.mark.rule("W10", "W17")
def test_no_lease_is_granted_once_the_wakes_are_used_or_the_deadline_has_passed(
    world: World,
) -> None:
    armed(world, **LIMITS, maximum_wakes=2, maximum_attempts=5, window_seconds=600)
    for _ in range(2):
        leased(world)
        later_scan(world, seconds=60)
    assert state(world) == "closed"
    no_claim(world, "window_closed")
    set_policy(world, **LIMITS, window_seconds=600, maximum_hops=1)
    arm(world)
    wanted(world)
    world.run(Drain("codex"))
    world.clock.move(seconds=600)
    with pytest.raises(ClaimRefused) as caught:
        claim(world)
    assert caught.value.code == "window_closed"
    assert names(world)["lease_granted"] == 2
