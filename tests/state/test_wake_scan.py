"""W9, W11: which messages become intents, once, and what counts as a quiet cycle."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from state.command import Actor
from state.project import Project
from state.wake.lease_commands import EndLease
from state.wake.scanning import Scan, is_behind
from state.wake.window_commands import Hold
from tests.state.wake_world import (
    answer,
    armed,
    claim,
    id_of,
    intents,
    last_ops,
    later_scan,
    names,
    operations,
    reasons,
    resume,
    scan,
    state,
    verified,
    wanted,
    window,
    written,
)
from tests.state.world import World


def passed(world: World, seat: str = "codex") -> dict[str, int]:
    return dict(written(world, seat).passed)


@pytest.mark.rule("W11")
@pytest.mark.parametrize(
    ("triggers", "sender", "post", "reason"),
    [
        ({}, "user", {"kind": "task"}, ""),
        ({}, "user", {"kind": "question"}, ""),
        ({}, "gemini", {"kind": "question"}, ""),
        ({}, "user", {}, "kind"),
        ({}, "user", {"kind": "result"}, "kind"),
        ({"kinds": ["note"]}, "user", {}, ""),
        ({"kinds": ["note"]}, "user", {"kind": "task"}, "kind"),
        ({"senders": ["gemini"]}, "user", {"kind": "task"}, "sender"),
        ({"senders": ["gemini"]}, "gemini", {"kind": "task"}, ""),
        ({"urgency": ["high"]}, "user", {"kind": "task"}, "urgency"),
        ({"urgency": ["high"]}, "user", {"kind": "task", "urgent": True}, ""),
        ({"urgency": ["normal"]}, "user", {"kind": "task", "urgent": True}, "urgency"),
        ({}, "user", {"kind": "task", "urgent": True}, ""),
    ],
)
def test_the_triggers_select_and_each_other_message_is_counted_by_its_reason(
    world: World, triggers: dict[str, Any], sender: str, post: dict[str, Any], reason: str
) -> None:
    armed(world, triggers=triggers)
    number = world.post(sender, "codex", **post)
    scan(world)
    assert intents(world) == ({} if reason else {number: "pending"})
    assert passed(world) == ({reason: 1} if reason else {})


@pytest.mark.rule("W11", "W2")
def test_a_message_to_all_wakes_only_who_asked_for_that(world: World) -> None:
    armed(world)
    armed(world, "gemini", triggers={"addressing": "any"})
    number = world.post("user", "all", kind="task")
    for seat in ("codex", "gemini"):
        scan(world, seat)
    assert (intents(world), passed(world)) == ({}, {"addressing": 1})
    assert intents(world, "gemini") == {number: "pending"}


@pytest.mark.rule("W11", "M8")
def test_a_message_over_more_hops_than_the_policy_allows_gives_no_intent(world: World) -> None:
    kinds = {"kinds": ["reply", "question"]}
    armed(world, maximum_hops=2, triggers=kinds)
    number = world.post("gemini", "codex", kind="question")
    for _ in range(3):
        number = answer(world, number, "codex")
        number = world.post("gemini", "codex", title="", reply_to=number)
    scan(world)
    hops = [world.message(one).hops for one in intents(world)]
    assert (hops, passed(world)) == ([1], {"hops": 3})
    armed(world, "gemini", maximum_hops=0)
    world.post("codex", "gemini", kind="question")
    direct = world.post("user", "gemini", kind="question")
    scan(world, "gemini")
    assert list(intents(world, "gemini")) == [direct]


@pytest.mark.rule("W11")
def test_a_seats_own_message_and_one_to_others_wake_nobody(world: World) -> None:
    armed(world, triggers={"addressing": "any"})
    world.post("codex", "all", kind="task")
    world.post("codex", "gemini", kind="task")
    world.post("user", "gemini", "hermes", kind="task")
    scan(world)
    assert (intents(world), passed(world)) == ({}, {})


@pytest.mark.rule("W11")
def test_any_number_of_scanners_and_starts_give_one_intent_with_one_id(world: World) -> None:
    armed(world)
    number = world.post("user", "codex", kind="task")
    handles = [Project(world.paths, world.clock) for _ in range(3)]
    for _ in range(2):
        for handle in handles:
            handle.run(Scan("codex"), Actor("system", "tui"))
            handle.close()
    assert [op["created"] for op in operations(world) if op["op"] == "seat_scanned"] == [[number]]
    with world.look() as view:
        rows = view.rows("SELECT id, seat, message FROM intent")
        project = view.head.project
    expected = sha256(f"{project}\ncodex\n{number}".encode()).hexdigest()[:16]
    assert rows == [(expected, "codex", number)]
    assert expected == id_of(world, number)


@pytest.mark.rule("W11")
def test_two_seats_have_intents_of_their_own_for_one_message(world: World) -> None:
    armed(world)
    armed(world, "gemini")
    number = world.post("user", "codex", "gemini", kind="task")
    scan(world)
    scan(world, "gemini")
    assert intents(world) == intents(world, "gemini") == {number: "pending"}
    assert id_of(world, number) != id_of(world, number, "gemini")


@pytest.mark.rule("W11")
def test_more_messages_than_fit_into_one_scan_are_found_by_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("state.wake.queries.AT_ONCE", 3)
    monkeypatch.setattr("state.wake.scanning.AT_ONCE", 3)
    armed(world)
    numbers = [world.post("user", "codex", kind="task") for _ in range(4)]
    assert is_behind(scan(world).ops)
    assert list(intents(world)) == numbers[:3]
    assert not is_behind(scan(world).ops)
    assert list(intents(world)) == numbers


@pytest.mark.rule("W9")
def test_any_number_of_scanners_counts_as_one(world: World) -> None:
    armed(world, scan_interval_seconds=60, maximum_quiet_cycles=100)
    for _ in range(12):
        # Three scanners, each every thirty seconds.
        world.clock.move(seconds=10)
        scan(world)
    assert window(world).quiet == 2
    assert names(world)["seat_scanned"] == 2


@pytest.mark.rule("W9")
def test_a_counted_cycle_is_one_line_and_a_scan_that_changes_nothing_is_none(
    world: World,
) -> None:
    armed(world)
    before = world.log()
    assert scan(world).ops == ()
    assert later_scan(world, seconds=59).ops == ()
    assert world.log() == before
    later_scan(world, seconds=1)
    at = world.clock.moment()
    assert last_ops(world) == [
        {
            "op": "seat_scanned",
            "seat": "codex",
            "through": window(world).baseline,
            "created": [],
            "passed": [],
            "quiet": 1,
            "counted": {"utc": at.utc, "boot": at.boot, "ms": at.ms},
        }
    ]
    assert world.lines()[-1]["seat"] == "system"
    assert later_scan(world, seconds=59).ops == ()
    assert len(world.lines()) == len(before.splitlines()) + 1


@pytest.mark.rule("W9")
def test_time_in_which_nobody_scanned_counts_nothing(world: World) -> None:
    armed(world, window_seconds=86_400)
    later_scan(world, hours=5)
    assert window(world).quiet == 1
    later_scan(world, hours=5)
    assert (window(world).quiet, state(world)) == (2, "active")


@pytest.mark.rule("W9")
def test_a_message_that_is_passed_over_doesnt_disturb_the_quiet(world: World) -> None:
    armed(world)
    world.post("user", "codex")
    later_scan(world, seconds=60)
    assert (window(world).quiet, passed(world)) == (1, {"kind": 1})


@pytest.mark.rule("W9")
def test_a_new_intent_sets_the_count_to_nothing(world: World) -> None:
    armed(world)
    for _ in range(2):
        later_scan(world, seconds=60)
    assert window(world).quiet == 2
    world.clock.move(seconds=60)
    number = wanted(world)
    assert (window(world).quiet, state(world)) == (0, "active")
    verified(world, number, claim(world))
    for counted in (1, 2):
        later_scan(world, seconds=60)
        assert (window(world).quiet, state(world)) == (counted, "active")


@pytest.mark.rule("W9")
def test_nothing_is_quiet_while_an_intent_is_pending_or_a_lease_lives(world: World) -> None:
    armed(world, cooldown_seconds=0)
    wanted(world)
    later_scan(world, seconds=60)
    assert window(world).quiet == 0
    lease = claim(world)
    later_scan(world, seconds=60)
    assert window(world).quiet == 0
    world.run(EndLease(lease, "no use"))
    # What failed and waits to be tried again is neither.
    later_scan(world, seconds=60)
    assert (list(intents(world).values()), window(world).quiet) == (["failed"], 1)


@pytest.mark.rule("W9")
def test_a_hold_counts_nothing(world: World) -> None:
    armed(world)
    world.run(Hold("codex"))
    for _ in range(5):
        assert later_scan(world, seconds=60).ops == ()
    resume(world)
    assert (window(world).quiet, state(world)) == (0, "active")


@pytest.mark.rule("W15", "W11")
def test_what_the_seat_has_answered_or_passed_meanwhile_needs_no_wake(world: World) -> None:
    armed(world)
    first, second, third = (world.post("user", "codex", kind="task") for _ in range(3))
    scan(world)
    answer(world, second)
    world.acknowledge("codex", first)
    scan(world)
    assert intents(world) == {first: "superseded", second: "superseded", third: "pending"}
    assert reasons(world) == {first: "acknowledged", second: "answered", third: ""}
    # The same for what is found only when that has happened already.
    fourth = world.post("user", "codex", kind="question")
    answer(world, fourth)
    scan(world)
    assert (intents(world)[fourth], reasons(world)[fourth]) == ("superseded", "answered")
