"""W6-W8: who arms, what stands against it, and what a baseline is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from state.adapters.commands import Register, Revoke
from state.adapters.fingerprint import take
from state.errors import NotFound, Refused, RevisionConflict
from state.roster.commands import DeactivateSeat
from state.wake.consumer_commands import DeclareConsumer, EndConsumer
from state.wake.consumers import Consumer
from state.wake.scanning import Scan
from state.wake.window_commands import (
    Arm,
    DisablePolicy,
    Drain,
    EnablePolicy,
    Hold,
    HoldAll,
    Resume,
    SetPolicy,
)
from tests.state.wake_world import (
    adapter,
    arm,
    armed,
    intents,
    last_ops,
    later_scan,
    names,
    no_claim,
    policy,
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


def ready(world: World, seat: str = "codex") -> None:
    """A seat whose window could be armed."""
    set_policy(world, seat)
    world.run(EnablePolicy(seat))


@pytest.mark.rule("W6")
def test_no_agent_arms_changes_or_stops_anything(world: World) -> None:
    ready(world)
    ready(world, "gemini")
    arm(world, "gemini")
    for seat in ("codex", "gemini", "hermes"):
        for command in (
            SetPolicy("codex", policy=policy(world, hourly_quota=1)),
            DisablePolicy("codex"),
            EnablePolicy("codex"),
            shown(world, Arm),
            Hold("gemini"),
            Drain("gemini"),
            HoldAll(),
        ):
            assert "user" in world.refused("W6", command, seat).hint
    world.run(Hold("gemini"))
    for seat in ("codex", "gemini"):
        world.refused("W6", shown(world, Resume, "gemini"), seat)
        world.refused("W6", Drain("gemini"), seat)


@pytest.mark.rule("W6", "W1")
def test_no_scan_no_message_and_no_start_of_the_program_arms(world: World) -> None:
    ready(world)
    world.post("user", "codex", kind="task", title="arm your window")
    world.post("codex", "user", kind="question", title="wake arm codex")
    scan(world)
    later_scan(world, hours=1)
    world.project.close()
    scan(world)
    assert state(world) == "closed"
    assert not names(world)["window_armed"]
    no_claim(world, "window_closed")


@pytest.mark.rule("W6")
def test_the_user_has_no_window(world: World) -> None:
    for command in (
        EnablePolicy("user"),
        Hold("user"),
        Drain("user"),
        Arm("user", policy_hash="", policy_revision=0, window_revision=0),
    ):
        world.refused("W6", command)
    with pytest.raises(NotFound):
        world.run(Hold("nobody"))


@pytest.mark.rule("W6")
def test_arming_carries_what_was_shown_and_anything_else_is_a_conflict(world: World) -> None:
    ready(world)
    before = shown(world, Arm)
    set_policy(world, hourly_quota=2)
    assert world.fails(RevisionConflict, before).entity == "policy:codex"
    now = shown(world, Arm)
    other = replace(now, policy_hash=before.policy_hash)
    assert world.fails(RevisionConflict, other).entity == "policy:codex"
    world.run(now)
    # A window that was armed and closed since is another one than was shown.
    world.run(Drain("codex"))
    assert state(world) == "closed"
    assert world.fails(RevisionConflict, now).entity == "window:codex"
    arm(world)
    seen = shown(world, Resume)
    world.run(Hold("codex"))
    assert world.fails(RevisionConflict, seen).entity == "window:codex"
    resume(world)


@pytest.mark.rule("W6", "W4")
def test_the_line_says_what_was_agreed_to(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint, window_seconds=90)
    world.run(EnablePolicy("codex"))
    checked = world.clock.now()
    world.clock.move(seconds=5)
    armed_in = arm(world, checked=checked).rev
    (op,) = last_ops(world)
    at = world.clock.moment()
    deadline = world.clock.move(seconds=90)
    assert op == {
        "op": "window_armed",
        "seat": "codex",
        "policy_hash": written(world).policy_hash,
        "adapter": "echo",
        "fingerprint": fingerprint,
        "baseline": 0,
        "at": {"utc": at.utc, "boot": at.boot, "ms": at.ms},
        "deadline": deadline,
        "checked": checked,
    }
    assert window(world).number == armed_in
    assert world.lines()[-1]["seat"] == "user"


@pytest.mark.rule("W7")
def test_arming_is_refused_while_anything_stands_against_it(world: World) -> None:
    world.refused("W7", shown(world, Arm))
    set_policy(world)
    world.refused("W7", shown(world, Arm))
    world.run(EnablePolicy("codex"))
    world.run(DeactivateSeat("codex", world.roster, "gone"))
    world.refused("W7", shown(world, Arm))


@pytest.mark.rule("W7")
@pytest.mark.parametrize("stands", ["active", "draining", "hold"])
def test_a_window_that_is_not_closed_is_not_armed_again(world: World, stands: str) -> None:
    armed(world)
    wanted(world)
    if stands != "active":
        world.run(Drain("codex") if stands == "draining" else Hold("codex"))
    assert state(world) == stands
    world.refused("W7", shown(world, Arm))


@pytest.mark.rule("W7")
def test_the_adapter_is_registered_as_it_is_pinned_and_as_it_stands_on_disk(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint)
    world.run(EnablePolicy("codex"))
    world.refused("W7", shown(world, Arm, drifted={"echo"}))
    world.run(Revoke("echo", "not mine"))
    world.refused("W7", shown(world, Arm))
    file = world.folder / "echo.py"
    file.write_text("another")
    world.run(Register("echo", take([str(file)])))
    world.refused("W7", shown(world, Arm))
    file.write_text("run")
    world.run(Register("echo", take([str(file)])))
    arm(world, drifted={"another"})
    assert state(world) == "active"


@pytest.mark.rule("W7", "W22")
def test_another_consumer_stands_in_the_way_of_arming_and_resuming(world: World) -> None:
    ready(world)
    held = Consumer("codex", "old watcher", "held", None, True)
    own = replace(held, name="codex")
    world.run(DeclareConsumer("codex", "cron"))
    assert "cron" in world.refused("W22", shown(world, Arm)).message
    world.run(EndConsumer("codex"))
    assert "old watcher" in world.refused("W22", shown(world, Arm, consumers=(held,))).message
    arm(world, consumers=(own,))
    world.run(Hold("codex"))
    world.refused("W22", shown(world, Resume, consumers=(held,)))
    world.run(DeclareConsumer("codex", "cron"))
    world.refused("W22", shown(world, Resume))
    world.run(EndConsumer("codex"))
    resume(world, consumers=(own,))


@pytest.mark.rule("W7")
def test_without_an_adapter_only_the_seat_itself_claims(world: World) -> None:
    fingerprint = adapter(world)
    armed(world)
    wanted(world)
    no_claim(world, "not_your_seat", adapter="echo", fingerprint=fingerprint)
    no_claim(world, "window_closed", "gemini")


@pytest.mark.rule("W8")
def test_nothing_at_or_before_the_baseline_ever_becomes_an_intent(world: World) -> None:
    old = [world.post("user", "codex", kind="task") for _ in range(3)]
    elsewhere = world.post("user", "gemini", kind="task")
    armed(world)
    (op,) = last_ops(world)
    assert (op["op"], op["baseline"]) == ("window_armed", elsewhere)
    scan(world)
    later_scan(world, seconds=61)
    assert (intents(world), written(world).passed) == ({}, ())
    no_claim(world, "nothing_pending")
    new = world.post("user", "codex", kind="task")
    scan(world)
    assert intents(world) == {new: "pending"}
    assert world.queue("codex") == (*old, new)


@pytest.mark.rule("W8", "W11")
def test_each_message_after_the_baseline_is_looked_at_exactly_once(world: World) -> None:
    armed(world)
    note = world.post("user", "codex")
    task = world.post("user", "codex", kind="task")
    for _ in range(3):
        scan(world)
    scans = [op for line in world.lines() for op in line["ops"] if op["op"] == "seat_scanned"]
    assert [(op["created"], op["passed"]) for op in scans] == [
        ([task], [{"reason": "kind", "messages": [note]}])
    ]
    assert window(world).through == task


@pytest.mark.rule("W8")
def test_a_new_window_takes_a_new_baseline_and_leaves_what_came_between(world: World) -> None:
    armed(world)
    world.run(Drain("codex"))
    between = world.post("user", "codex", kind="task")
    arm(world)
    assert window(world).baseline == between
    scan(world)
    assert intents(world) == {}


@pytest.mark.rule("W8", "W13")
def test_what_came_during_a_hold_is_looked_at_when_the_window_is_active_again(
    world: World,
) -> None:
    armed(world)
    world.run(Hold("codex"))
    number = world.post("user", "codex", kind="task")
    baseline = window(world).baseline
    assert scan(world).ops == ()
    assert intents(world) == {}
    resume(world)
    assert window(world).baseline == baseline
    assert intents(world) == {}
    scan(world)
    assert intents(world) == {number: "pending"}


@pytest.mark.rule("W8")
def test_arming_is_the_first_scan_and_counts_from_there(world: World) -> None:
    armed(world, scan_interval_seconds=60)
    later_scan(world, seconds=59)
    assert window(world).quiet == 0
    later_scan(world, seconds=1)
    assert window(world).quiet == 1


@pytest.mark.rule("W6", "M13")
def test_only_the_program_scans(world: World) -> None:
    armed(world)
    for seat in ("user", "codex"):
        world.refused("M13", Scan("codex"), seat)
    with pytest.raises(Refused):
        scan(world, "user")
