"""W12: what draining still allows, what lapses and why, and the closing receipt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from state.wake.advance import due
from state.wake.intent_commands import DismissIntent
from state.wake.lease_commands import EndLease
from state.wake.model import Intent
from state.wake.operations import WindowClosed
from state.wake.scanning import is_behind
from state.wake.window_commands import DisablePolicy, Drain, Hold, HoldAll
from tests.state.wake_world import (
    arm,
    armed,
    claim,
    closing,
    drained_with,
    id_of,
    intents,
    last_ops,
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
    written,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {"window_seconds": 3_600, "cooldown_seconds": 0, "lease_seconds": 60}


@pytest.mark.rule("W12")
def test_in_draining_nothing_new_is_wanted_but_what_waits_may_be_claimed(world: World) -> None:
    armed(world, **LIMITS)
    first = wanted(world)
    second = wanted(world)
    world.run(Drain("codex"))
    world.post("user", "codex", kind="task")
    assert scan(world).ops == ()
    assert list(intents(world)) == [first, second]
    world.run(EndLease(claim(world), "again"))
    assert intents(world)[first] == "failed"
    verified(world, first, claim(world))
    drained_with(world, "user")
    verified(world, second, claim(world))
    # The receipt that ends the last of it is followed by the closing.
    assert [line["seat"] for line in world.lines()[-2:]] == ["codex", "system"]
    assert (state(world), window(world).reason) == ("closed", "user")


@pytest.mark.rule("W12")
@pytest.mark.parametrize("why", ["deadline", "wakes_used", "policy_disabled"])
def test_what_can_no_longer_be_claimed_lapses_with_the_reason(world: World, why: str) -> None:
    armed(world, **LIMITS, maximum_wakes=1 if why == "wakes_used" else 9)
    number = wanted(world)
    other = wanted(world)
    if why == "wakes_used":
        claim(world)
        assert (intents(world), reasons(world)[other]) == (
            {number: "claimed", other: "lapsed"},
            why,
        )
        no_claim(world, "seat_busy")
        later_scan(world, seconds=60)
    elif why == "deadline":
        later_scan(world, seconds=3_600)
    else:
        world.run(DisablePolicy("codex"))
    assert set(intents(world).values()) == {"lapsed"}
    assert set(reasons(world).values()) == {why}
    assert (state(world), closing(world)["reason"]) == ("closed", why)
    assert closing(world)["lapses"] == [{"name": why, "count": 2}]
    # The messages stay where they were.
    assert world.queue("codex") == (number, other)


@pytest.mark.rule("W12")
def test_a_window_is_closed_only_when_nothing_is_pending_failed_or_claimed(world: World) -> None:
    armed(world, **LIMITS)
    _, lease = leased(world)
    world.run(Drain("codex"))
    scan(world)
    drained_with(world, "user")
    world.run(EndLease(lease, "again"))
    later_scan(world, seconds=60)
    drained_with(world, "user")
    number = min(intents(world))
    world.run(DismissIntent(id_of(world, number), "no need"))
    assert (state(world), intents(world)) == ("closed", {number: "dismissed"})
    assert closing(world)["dismissed"] == [[number, number]]


@pytest.mark.rule("W12")
def test_a_live_lease_outlives_the_deadline_and_its_receipt_closes(world: World) -> None:
    armed(world, **LIMITS | {"lease_seconds": 3_600})
    number, lease = leased(world)
    later_scan(world, seconds=3_599)
    later_scan(world, milliseconds=999)
    assert state(world) == "active"
    world.clock.move(milliseconds=1)
    # At the end of the lease it is too late.
    refused = receipt(world, lease, "failed")
    assert refused is not None
    assert state(world) == "closed"
    assert reasons(world) == {number: "deadline"}
    armed(world, **LIMITS | {"lease_seconds": 300, "window_seconds": 60})
    number, lease = leased(world)
    later_scan(world, seconds=60)
    drained_with(world, "deadline")
    assert receipt(world, lease, "failed") is None
    assert (state(world), reasons(world)) == ("closed", {number: "deadline"})


@pytest.mark.rule("W12")
def test_the_closing_receipt_sums_up(world: World) -> None:
    number = armed(world, **LIMITS, maximum_attempts=1, hourly_quota=9)
    number_one, lease = leased(world)
    verified(world, number_one, lease)
    world.post("user", "codex")
    gone = wanted(world)
    world.run(DismissIntent(id_of(world, gone), "no need"))
    waiting = [wanted(world) for _ in range(2)]
    stuck, lease = waiting[0], claim(world)
    assert receipt(world, lease, "failed", exit_code=3) is None
    assert (state(world), intents(world)[stuck]) == ("hold", "terminal_hold")
    last = world.lines()[-1]["rev"]
    world.clock.move(seconds=3_600)
    drained = world.run(Drain("codex")).rev
    assert last_ops(world)[-1] == {
        "op": "window_closed",
        "seat": "codex",
        "reason": "user",
        "first": number,
        "last": drained,
        "wakes": 2,
        "outcomes": [
            {"name": "dismissed", "count": 1},
            {"name": "lapsed", "count": 1},
            {"name": "sent_and_verified", "count": 1},
            {"name": "terminal_hold", "count": 1},
        ],
        "passed": [{"name": "kind", "count": 1}],
        "lapses": [{"name": "deadline", "count": 1}],
        "lapsed": [[waiting[1], waiting[1]]],
        "dismissed": [[gone, gone]],
        "terminal_hold": [[stuck, stuck]],
        "named": True,
    }
    assert drained == last + 1
    assert closing(world) == last_ops(world)[-1]


@pytest.mark.rule("W12")
def test_no_closing_receipt_stands_before_the_line_that_closes(world: World) -> None:
    armed(world, **LIMITS)
    wanted(world)
    world.run(Hold("codex"))
    later_scan(world, hours=10)
    # On hold a window waits for the user, however late it is.
    assert (state(world), names(world)["window_closed"]) == ("hold", 0)
    world.run(Drain("codex"))
    closed = [op for op in operations(world) if op["op"] == "window_closed"]
    assert len(closed) == 1
    assert world.lines()[-1]["ops"][-1] == closed[0]
    assert last_ops(world)[0]["op"] == "intents_lapsed"


@pytest.mark.rule("W12")
def test_each_window_has_a_receipt_of_its_own(world: World) -> None:
    numbers: list[int] = []
    for _ in range(2):
        numbers.append(arm(world).rev if numbers else armed(world, **LIMITS))
        wanted(world)
        later_scan(world, seconds=3_600)
    with world.look() as view:
        rows = view.rows("SELECT number, state, receipt IS NULL FROM window ORDER BY number")
    assert rows == [(number, "closed", 0) for number in numbers]
    assert [op["first"] for op in operations(world) if op["op"] == "window_closed"] == numbers


@pytest.mark.rule("W12", "W27")
def test_what_a_line_cant_hold_is_written_in_several_before_anything_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("state.wake.advance.AT_ONCE", 2)
    monkeypatch.setattr("state.wake.due.ENOUGH", 100)
    for seat in ("codex", "gemini"):
        armed(world, seat, **LIMITS)
        for _ in range(5):
            wanted(world, seat)
    armed(world, "hermes", window_seconds=7_200)
    world.clock.move(seconds=3_600)
    before = len(world.lines())
    world.run(HoldAll())
    lines = world.lines()[before:]
    lapsed = [len(op["messages"]) for line in lines for op in line["ops"] if "messages" in op]
    assert sorted(lapsed) == [1, 1, 2, 2, 2, 2]
    assert len(lines) > 3
    assert {line["seat"] for line in lines[:-1]} == {"system"}
    assert [op["seat"] for op in lines[-1]["ops"]] == ["hermes"]
    assert state(world) == state(world, "gemini") == "closed"


@pytest.mark.rule("W12")
def test_a_scanner_goes_on_until_nothing_is_left_to_lapse(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("state.wake.advance.AT_ONCE", 2)
    armed(world, **LIMITS)
    for _ in range(3):
        wanted(world)
    assert is_behind(later_scan(world, seconds=3_600).ops)
    assert not is_behind(scan(world).ops)
    assert state(world) == "closed"


@pytest.mark.rule("W12")
def test_ranges_hold_no_other_intent_and_say_so_where_they_would_be_too_many(
    world: World,
) -> None:
    armed(world, **LIMITS)
    world.run(Hold("codex"))
    wake = written(world)
    assert wake.window is not None
    draining = replace(wake, window=replace(wake.window, state="draining", reason="user"))

    def closed(count: int, every: int) -> WindowClosed:
        found = tuple(
            Intent(10 * n, "lapsed" if n % every == 0 else "dismissed", 0, "deadline", "")
            for n in range(count)
        )
        (op,) = due(replace(draining, intents=found), world.clock.moment(), 7).ops
        assert isinstance(op, WindowClosed)
        return op

    few = closed(6, 3)
    assert (few.lapsed, few.dismissed, few.named) == (
        ((0, 0), (30, 30)),
        ((10, 20), (40, 50)),
        True,
    )
    whole = closed(1_000, 2)
    assert (len(whole.lapsed), whole.named) == (500, True)
    many = closed(1_003, 2)
    assert (len(many.lapsed), many.lapsed[-1], many.named) == (500, (9_980, 10_020), False)
    assert sum(tally.count for tally in many.outcomes) == 1_003
