"""W11, W12: for every message to a seat with a policy one answer why it was woken, or why not."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from state.wake.explain import WITHOUT_INTENT, Explained, explain, explain_one
from state.wake.intent_commands import DismissIntent
from state.wake.lease_commands import EndLease
from state.wake.model import INTENT_STATES
from state.wake.window_commands import DisablePolicy, Drain, EnablePolicy, Hold
from tests.state.wake_world import (
    answer,
    arm,
    armed,
    claim,
    id_of,
    intents,
    leased,
    resume,
    scan,
    set_policy,
    state,
    verified,
    wanted,
    window,
)
from tests.state.world import World

pytestmark = pytest.mark.rule("W11", "W12")

LIMITS: dict[str, Any] = {
    "cooldown_seconds": 0,
    "hourly_quota": 60,
    "lease_seconds": 60,
    "maximum_attempts": 1,
    "maximum_quiet_cycles": 1_000,
}


def why(world: World, number: int, seat: str = "codex") -> tuple[str, str]:
    with world.look() as view:
        found = explain_one(view, seat, number, world.clock.moment())
    assert found is not None
    assert found.message == number
    return found.outcome, found.reason


def all_of(world: World, seat: str = "codex") -> tuple[Explained, ...]:
    with world.look() as view:
        return explain(view, seat, world.clock.moment(), 1_000)


def task(world: World) -> int:
    return world.post("user", "codex", kind="task")


def test_each_state_of_an_intent_is_an_outcome_with_its_reason(world: World) -> None:
    armed(world, **LIMITS)
    numbers = [task(world) for _ in range(7)]
    note = world.post("user", "codex")
    scan(world)
    done, replied, gone, stuck, claimed, left, last = numbers
    reply = verified(world, done, claim(world))
    answer(world, replied)
    scan(world)
    world.run(DismissIntent(id_of(world, gone), "no need"))
    world.run(EndLease(claim(world), "hangs"))
    assert why(world, stuck) == ("terminal_hold", "ended")
    resume_without(world, stuck)
    claim(world)
    expected = {
        done: ("sent_and_verified", "sent_and_verified"),
        replied: ("superseded", "answered"),
        gone: ("dismissed", "no need"),
        stuck: ("dismissed", "it hangs"),
        claimed: ("claimed", ""),
        left: ("pending", ""),
        last: ("pending", ""),
        note: ("passed_over", "kind"),
    }
    assert {number: why(world, number) for number in expected} == expected
    world.clock.move(seconds=60)
    # By the time its only attempt is over, and the window on hold.
    assert why(world, claimed) == ("terminal_hold", "expired")
    world.run(DisablePolicy("codex"))
    world.run(Drain("codex"))
    assert state(world) == "closed"
    assert why(world, left) == why(world, last) == ("lapsed", "policy_disabled")
    (one,) = [found for found in all_of(world) if found.message == done]
    assert one.evidence == {"kind": "message", "message": reply}
    assert one.intent is not None


def resume_without(world: World, stuck: int) -> None:
    world.run(DismissIntent(id_of(world, stuck), "it hangs"))
    resume(world)


def test_without_an_intent_the_window_of_that_time_is_the_answer(world: World) -> None:
    before = task(world)
    set_policy(world, **LIMITS)
    world.run(EnablePolicy("codex"))
    unarmed = task(world)
    arm(world)
    wish = wanted(world)
    late = task(world)
    assert why(world, late) == ("not_scanned", "")
    world.run(Hold("codex"))
    held = task(world)
    assert why(world, held) == ("hold", "user")
    assert why(world, late) == ("hold", "user")
    world.run(Drain("codex"))
    drained = task(world)
    for number in (late, held, drained):
        assert why(world, number) == ("draining", "user")
    world.run(DismissIntent(id_of(world, wish), "no need"))
    assert state(world) == "closed"
    closed = task(world)
    arm(world)
    again = task(world)
    scan(world)
    expected = {
        before: ("no_window", ""),
        unarmed: ("no_window", ""),
        wish: ("dismissed", "no need"),
        late: ("draining", "user"),
        held: ("draining", "user"),
        drained: ("draining", "user"),
        closed: ("no_window", ""),
        again: ("pending", ""),
    }
    assert {found.message: (found.outcome, found.reason) for found in all_of(world)} == expected


def test_a_hold_that_ends_in_a_resume_is_no_answer_any_more(world: World) -> None:
    armed(world, **LIMITS)
    world.run(Hold("codex"))
    number = task(world)
    resume(world)
    assert why(world, number) == ("not_scanned", "")
    scan(world)
    assert why(world, number) == ("pending", "")


def test_a_hold_of_what_drained_leads_back_to_draining_alone(world: World) -> None:
    armed(world, **LIMITS)
    wanted(world)
    late = task(world)
    world.run(Drain("codex"))
    world.run(Hold("codex"))
    held = task(world)
    assert {why(world, number) for number in (late, held)} == {("draining", "user")}


def test_a_message_that_found_the_window_draining_says_why_it_drained_then(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    world.run(DisablePolicy("codex"))
    number = task(world)
    world.run(Hold("codex"))
    world.run(Drain("codex"))
    assert window(world).reason == "user"
    assert why(world, number) == ("draining", "policy_disabled")


def test_by_the_time_it_drains_before_anyone_writes_it(world: World) -> None:
    armed(world, **LIMITS, window_seconds=600)
    number = task(world)
    world.clock.move(seconds=600)
    assert why(world, number) == ("draining", "deadline")
    scan(world)
    assert (state(world), why(world, number)) == ("closed", ("draining", "deadline"))


def test_there_is_an_answer_for_seats_with_a_policy_and_their_messages_alone(world: World) -> None:
    armed(world, **LIMITS)
    other = world.post("user", "gemini", kind="task")
    own = world.post("codex", "gemini", kind="task")
    both = world.post("user", "all", kind="task")
    scan(world)
    with world.look() as view:
        now = world.clock.moment()
        assert [explain_one(view, "codex", number, now) for number in (other, own, 1)] == [None] * 3
        assert explain_one(view, "gemini", other, now) is None
    assert [found.message for found in all_of(world)] == [both]
    assert why(world, both) == ("passed_over", "addressing")


def test_every_message_has_exactly_one_answer_and_pages_give_the_same(world: World) -> None:
    numbers = [task(world)]
    armed(world, **LIMITS | {"maximum_attempts": 5})
    for step in range(4):
        numbers += [task(world), world.post("user", "codex"), world.post("gemini", "all")]
        if step % 2:
            scan(world)
            claim(world)
            scan(world)
        if window(world).state == "active":
            world.clock.move(seconds=70)
    found = all_of(world)
    assert [one.message for one in found] == sorted(numbers, reverse=True)
    assert {one.outcome for one in found} <= {*INTENT_STATES, *WITHOUT_INTENT}
    with world.look() as view:
        now = world.clock.moment()
        paged: list[Explained] = []
        while page := explain(view, "codex", now, 3, paged[-1].message if paged else None):
            paged += page
    assert tuple(paged) == found
    # From the journal alone: an index built anew says the same.
    world.close()
    shutil.rmtree(world.paths.cache)
    assert all_of(world) == found
    assert intents(world)
