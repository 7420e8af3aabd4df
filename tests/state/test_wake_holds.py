"""W10, W13: why a window drains, what a hold does, and where resuming leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from state.adapters.commands import Register, Revoke
from state.adapters.fingerprint import take
from state.errors import ClaimRefused
from state.wake.lease_commands import EndLease
from state.wake.window_commands import DisablePolicy, Drain, EnablePolicy, Hold, HoldAll, Resume
from tests.state.wake_world import (
    adapter,
    answer,
    arm,
    armed,
    claim,
    drained_with,
    intents,
    is_in,
    later_scan,
    leased,
    names,
    no_claim,
    operations,
    reasons,
    receipt,
    resume,
    scan,
    set_policy,
    shown,
    state,
    wanted,
    window,
    written,
)
from tests.state.world import World

LIMITS: Mapping[str, Any] = {
    "window_seconds": 600,
    "maximum_quiet_cycles": 3,
    "cooldown_seconds": 0,
}


def active(world: World, seat: str = "codex") -> None:
    armed(world, seat, **LIMITS)
    wanted(world, seat)


@pytest.mark.rule("W10")
def test_it_drains_when_the_deadline_is_reached(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    later_scan(world, seconds=299)
    scan(world)
    assert state(world) == "active"
    world.clock.move(seconds=300)
    assert window(world).left_ms(world.clock.moment()) == 1_000
    later_scan(world, milliseconds=999)
    assert state(world) == "active"
    later_scan(world, milliseconds=1)
    found = window(world)
    assert (found.state, found.reason) == ("closed", "deadline")
    assert names(world)["window_draining"] == 1


@pytest.mark.rule("W10", "W9")
def test_it_drains_after_the_quiet_cycles_and_closes_since_nothing_is_left(world: World) -> None:
    armed(world, **LIMITS)
    for counted in (1, 2):
        later_scan(world, seconds=60)
        assert (state(world), window(world).quiet) == ("active", counted)
    later_scan(world, seconds=60)
    assert [op["op"] for op in world.lines()[-1]["ops"]] == [
        "seat_scanned",
        "window_draining",
        "window_closed",
    ]
    assert (state(world), window(world).reason) == ("closed", "quiet_cycles")


@pytest.mark.rule("W10")
def test_it_drains_when_as_many_leases_were_granted_as_allowed_a_retry_too(world: World) -> None:
    armed(world, **LIMITS, maximum_wakes=2)
    _, first = leased(world)
    assert (state(world), window(world).wakes) == ("active", 1)
    world.run(EndLease(first, "again"))
    last = claim(world)
    drained_with(world, "wakes_used")
    assert window(world).wakes == 2
    world.run(EndLease(last, "enough"))
    # Both attempts are used up: that stops the window rather than closing it.
    assert is_in(world) == "hold of draining"


@pytest.mark.rule("W10")
def test_it_drains_when_the_policy_is_disabled_or_the_user_says_so(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    world.run(DisablePolicy("codex"))
    drained_with(world, "policy_disabled")
    assert [line["seat"] for line in world.lines()[-2:]] == ["user", "system"]
    active(world, "gemini")
    world.run(Drain("gemini"))
    found = window(world, "gemini")
    assert (found.state, found.reason) == ("draining", "user")


@pytest.mark.rule("W10")
def test_nothing_leads_from_draining_back_to_active(world: World) -> None:
    active(world)
    world.run(Drain("codex"))
    world.run(Hold("codex"))
    resume(world)
    drained_with(world, "user")
    world.post("user", "codex", kind="task")
    scan(world)
    drained_with(world, "user")
    world.run(DisablePolicy("codex"))
    world.run(EnablePolicy("codex"))
    assert state(world) == "closed"
    changes = [op["state"] for line in world.lines() for op in line["ops"] if "resumed" in op["op"]]
    assert changes == ["draining"]


@pytest.mark.rule("W13")
@pytest.mark.parametrize("why", ["deadline", "policy_disabled"])
def test_resuming_leads_to_draining_where_nothing_could_be_active(world: World, why: str) -> None:
    armed(world, **LIMITS)
    number = wanted(world)
    world.run(Hold("codex"))
    if why == "deadline":
        later_scan(world, seconds=601)
    else:
        world.run(DisablePolicy("codex"))
    assert is_in(world) == "hold of active"
    resume(world)
    # What can't be claimed any more lapses, and nothing else keeps it open.
    assert (state(world), window(world).reason) == ("closed", why)
    assert intents(world) == {number: "lapsed"}
    assert [op["state"] for op in operations(world) if op["op"] == "window_resumed"] == ["draining"]


@pytest.mark.rule("W13")
def test_a_hold_stops_discovery_and_claims_and_leaves_the_lease(world: World) -> None:
    armed(world, **LIMITS)
    number, lease = leased(world)
    world.run(Hold("codex"))
    world.post("user", "codex", kind="task")
    assert scan(world).ops == ()
    no_claim(world, "window_hold")
    reply = answer(world, number)
    assert receipt(world, lease, "sent_and_verified", reply=reply) is None
    assert is_in(world) == "hold of active"
    assert written(world).messages("sent_and_verified") == (number,)


@pytest.mark.rule("W13")
def test_all_windows_are_held_in_one_line_by_one_act(world: World) -> None:
    armed(world, "codex", **LIMITS)
    active(world, "gemini")
    world.run(Drain("gemini"))
    armed(world, "hermes", **LIMITS)
    world.run(Hold("hermes"))
    world.run(HoldAll())
    held = [(op["seat"], op["origin"], op["reason"]) for op in world.lines()[-1]["ops"]]
    assert held == [("codex", "active", "user"), ("gemini", "draining", "user")]
    assert {state(world, seat) for seat in ("codex", "gemini", "hermes")} == {"hold"}
    world.refused("W13", HoldAll())


@pytest.mark.rule("W13")
@pytest.mark.parametrize("what", ["drifted", "revoked", "registered anew"])
def test_a_drifted_or_revoked_adapter_holds_the_window_until_that_is_mended(
    world: World, what: str
) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint)
    world.run(EnablePolicy("codex"))
    arm(world)
    drifted = ["echo"] if what == "drifted" else []
    if what == "revoked":
        world.run(Revoke("echo", "not mine"))
    elif what == "registered anew":
        adapter(world, text="other")
    scan(world, drifted=drifted)
    cause = "adapter_revoked" if what == "revoked" else "adapter_drift"
    assert (is_in(world), window(world).cause) == ("hold of active", cause)
    assert world.lines()[-1]["seat"] == "system"
    refusal = world.refused("W13", shown(world, Resume, drifted=frozenset(drifted)))
    assert "the cause of the hold stands" in refusal.message
    if what != "drifted":
        file = world.folder / "echo.py"
        file.write_text("run")
        world.run(Register("echo", take([str(file)])))
    resume(world)
    assert is_in(world) == "active"


@pytest.mark.rule("W13")
def test_whoever_drains_out_of_a_hold_is_not_held_up_again(world: World) -> None:
    # Held by a keypress, and the policy is another one since.
    active(world)
    world.run(Hold("codex"))
    set_policy(world, hourly_quota=1)
    world.run(Drain("codex"))
    drained_with(world, "user")
    scan(world)
    drained_with(world, "user")
    # Held because of the policy itself.
    active(world, "gemini")
    set_policy(world, "gemini", hourly_quota=1)
    world.run(Drain("gemini"))
    scan(world, "gemini")
    assert state(world, "gemini") == "draining"
    later_scan(world, "gemini", seconds=600)
    assert state(world, "gemini") == "closed"


@pytest.mark.rule("W13", "W16")
def test_a_drift_that_is_noticed_at_a_claim_holds_the_window_first(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint)
    world.run(EnablePolicy("codex"))
    arm(world)
    number = wanted(world)
    with pytest.raises(ClaimRefused) as caught:
        claim(world, adapter="echo", fingerprint=fingerprint, drifted={"echo"})
    assert caught.value.code == "window_hold"
    assert (is_in(world), window(world).cause) == ("hold of active", "adapter_drift")
    assert intents(world) == {number: "pending"}
    # Another adapter's drift is nothing to this window.
    resume(world)
    claim(world, adapter="echo", fingerprint=fingerprint, drifted={"other"})


@pytest.mark.rule("W10", "W27")
def test_past_its_deadline_a_window_closes_whatever_is_noticed_then(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint, window_seconds=60)
    world.run(EnablePolicy("codex"))
    arm(world)
    number = wanted(world)
    world.clock.move(seconds=60)
    scan(world, drifted=["echo"])
    assert (state(world), reasons(world)) == ("closed", {number: "deadline"})
