"""W4, W5: the text of a policy and its hash, what a window is bound to, and where policies live."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from state.errors import BadInput, Refused, RevisionConflict
from state.wake.policy import FIELDS, Policy, hash_of, policy_of, stored, text_of
from state.wake.window_commands import Arm, EnablePolicy, SetPolicy
from tests.state.wake_world import (
    adapter,
    arm,
    armed,
    last_ops,
    names,
    policy,
    resume,
    scan,
    set_policy,
    shown,
    state,
    unwritten,
    wanted,
    window,
    written,
)
from tests.state.world import World

PROJECT = "0" * 32


def made(**given: Any) -> Policy:
    return policy_of(given, PROJECT, "codex")


@pytest.mark.rule("W4")
def test_the_text_is_compact_json_in_the_order_of_the_fields() -> None:
    triggers = {"addressing": "any", "urgency": ["high"], "kinds": ["task"], "senders": ["b", "a"]}
    mixed = {"maximum_hops": 1, "triggers": triggers, "schema": "wake-policy-v1"}
    text = text_of(policy_of(mixed, PROJECT, "codex"))
    assert text == (
        f'{{"schema":"wake-policy-v1","project":"{PROJECT}","seat":"codex",'
        '"triggers":{"kinds":["task"],"senders":["a","b"],"urgency":["high"],"addressing":"any"},'
        '"window_seconds":1800,"maximum_quiet_cycles":3,"maximum_wakes":10,'
        '"scan_interval_seconds":60,"cooldown_seconds":20,"hourly_quota":6,"lease_seconds":300,'
        '"maximum_lease_seconds":3600,"maximum_attempts":2,"maximum_hops":1}'
    )
    assert hash_of(text) == sha256(text.encode()).hexdigest()
    with_adapter = text_of(made(adapter_id="echo", fingerprint="a" * 64))
    assert with_adapter.endswith(f',"adapter_id":"echo","fingerprint":"{"a" * 64}"}}')
    assert list(json.loads(with_adapter)) == list(FIELDS)
    for one in (text, with_adapter):
        assert text_of(stored(one)) == one


@pytest.mark.rule("W4")
def test_the_same_policy_has_one_hash_however_it_was_written() -> None:
    one = {"triggers": {"kinds": ["question", "task", "task"], "senders": ["b", "a", "b"]}}
    other = {"triggers": {"senders": ("a", "b"), "kinds": ("task", "question")}, "hourly_quota": 6}
    assert text_of(policy_of(one, PROJECT, "codex")) == text_of(policy_of(other, PROJECT, "codex"))
    assert text_of(made(hourly_quota=5)) != text_of(made())


@pytest.mark.rule("W4")
def test_the_operation_holds_the_text_and_enabling_leaves_the_hash(world: World) -> None:
    set_policy(world, hourly_quota=2)
    (op,) = last_ops(world)
    assert list(op) == ["op", "seat", "policy", "hash"]
    assert op["policy"] == text_of(policy(world, hourly_quota=2))
    assert op["hash"] == sha256(op["policy"].encode()).hexdigest() == written(world).policy_hash
    world.run(EnablePolicy("codex"))
    assert written(world).policy_hash == op["hash"]
    # What is set stays enabled, and the very same is refused.
    world.refused("W4", SetPolicy("codex", policy=policy(world, hourly_quota=2)))
    set_policy(world, hourly_quota=3)
    assert written(world).enabled


@pytest.mark.rule("W4", "W13")
def test_another_policy_puts_an_open_window_on_hold_in_the_same_line(world: World) -> None:
    armed(world)
    armed_with = window(world).hash
    set_policy(world, hourly_quota=1)
    assert [op["op"] for op in last_ops(world)] == ["policy_set", "window_held"]
    found = window(world)
    assert (found.state, found.origin, found.cause) == ("hold", "active", "policy_changed")
    # The window keeps what it was armed with; with that back, the cause is gone.
    assert (found.hash, found.policy.hourly_quota) == (armed_with, 6)
    with pytest.raises(Refused, match="cause of the hold stands"):
        resume(world)
    set_policy(world)
    assert [op["op"] for op in last_ops(world)] == ["policy_set"]
    resume(world)
    assert state(world) == "active"


@pytest.mark.rule("W4")
def test_a_window_is_bound_to_the_policy_it_was_armed_with(world: World) -> None:
    armed(world, triggers={"kinds": ["question"]})
    number = wanted(world)
    set_policy(world, triggers={"kinds": ["note"]}, maximum_hops=0)
    note = world.post("user", "codex")
    scan(world)
    set_policy(world, triggers={"kinds": ["question"]})
    resume(world)
    scan(world)
    assert [intent.message for intent in written(world).intents] == [number]
    assert written(world).passed == (("kind", 1),)
    assert note == window(world).through


@pytest.mark.rule("W5")
def test_a_policy_is_of_this_project_and_seat_and_of_no_other(world: World) -> None:
    for field, given in (("project", {"project": "f" * 32}), ("seat", {"seat": "gemini"})):
        with pytest.raises(BadInput) as caught:
            policy_of(given, PROJECT, "codex")
        assert (caught.value.field, caught.value.hint) == (field, "leave it out")
    assert made(project=PROJECT, seat="codex") == made()
    with pytest.raises(BadInput):
        SetPolicy("gemini", policy=policy(world, "codex"))
    world.refused("W5", SetPolicy("codex", policy=made()))
    with pytest.raises(Refused, match="only agent seats"):
        set_policy(world, "user")


@pytest.mark.rule("W5", "W6")
def test_only_agents_have_policies_and_an_agents_own_policy_grants_no_other(world: World) -> None:
    armed(world)
    assert (state(world, "gemini"), written(world, "gemini").policy) == ("closed", None)
    world.refused("W7", shown(world, Arm, "gemini"))
    assert names(world)["window_armed"] == 1


@pytest.mark.rule("W2", "W7")
def test_a_policy_may_name_an_adapter_that_is_not_there_yet_but_is_not_armed(world: World) -> None:
    set_policy(world, adapter_id="echo", fingerprint="a" * 64)
    world.run(EnablePolicy("codex"))
    world.refused("W7", shown(world, Arm))
    fingerprint = adapter(world)
    world.refused("W7", shown(world, Arm))
    set_policy(world, adapter_id="echo", fingerprint=fingerprint)
    arm(world)
    assert (window(world).adapter, window(world).fingerprint) == ("echo", fingerprint)


@pytest.mark.rule("W4", "W6")
def test_a_policy_that_was_changed_since_it_was_seen_is_a_conflict(world: World) -> None:
    set_policy(world)
    seen = written(world).policy_revision
    world.run(SetPolicy("codex", policy=policy(world, hourly_quota=9), seen=seen))
    for command in (
        SetPolicy("codex", policy=policy(world, hourly_quota=8), seen=seen),
        SetPolicy("codex", policy=policy(world, hourly_quota=8), seen=0),
        EnablePolicy("codex", seen=seen),
    ):
        conflict = unwritten(world, command)
        assert isinstance(conflict, RevisionConflict)
        assert (conflict.entity, conflict.actual) == ("policy:codex", seen + 1)
        assert conflict.hint == "look at what changed, then repeat"
        event = conflict.since[-1]
        assert (event["rev"], event["by"], event["seat"]) == (seen + 1, "user", "codex")
        assert event["op"]["op"] == "policy_set"
        assert len(conflict.since) == (1 if conflict.expected else 2)
    first = SetPolicy("gemini", policy=policy(world, "gemini"), seen=0)
    world.run(first)
    world.run(EnablePolicy("gemini", seen=written(world, "gemini").policy_revision))
