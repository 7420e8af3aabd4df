"""W1-W5: what a policy is, what it refuses to be, its text and hash, and where it lives."""

from __future__ import annotations

from typing import Any

import pytest

from state.errors import BadInput
from state.roster.commands import AddSeat, DeactivateSeat, RestoreSeat
from state.wake.policy import LIMITS, Policy, policy_of
from state.wake.window_commands import Arm, DisablePolicy, EnablePolicy, SetPolicy
from tests.state.wake_world import (
    policy,
    set_policy,
    shown,
    state,
    written,
)
from tests.state.world import World

PROJECT = "0" * 32
# As the table of the design has it: field, least, most, default.
TABLE = (
    ("window_seconds", 60, 86_400, 1_800),
    ("maximum_quiet_cycles", 1, 1_000, 3),
    ("maximum_wakes", 1, 100, 10),
    ("scan_interval_seconds", 5, 3_600, 60),
    ("cooldown_seconds", 0, 3_600, 20),
    ("hourly_quota", 1, 60, 6),
    ("lease_seconds", 10, 3_600, 300),
    ("maximum_lease_seconds", 300, 14_400, 3_600),
    ("maximum_attempts", 1, 5, 2),
    ("maximum_hops", 0, 16, 4),
)


def made(**given: Any) -> Policy:
    return policy_of(given, PROJECT, "codex")


def unfit(field: str, given: dict[str, Any]) -> BadInput:
    """Why that is no policy: one line that names the field."""
    with pytest.raises(BadInput) as caught:
        policy_of(given, PROJECT, "codex")
    assert caught.value.field == field
    assert "\n" not in caught.value.message
    return caught.value


@pytest.mark.rule("W1")
def test_a_policy_is_disabled_until_the_user_enables_it(world: World) -> None:
    assert (written(world).policy, written(world).enabled) == (None, False)
    world.refused("W1", EnablePolicy("codex"))
    world.refused("W7", shown(world, Arm))
    set_policy(world)
    assert not written(world).enabled
    world.refused("W7", shown(world, Arm))
    for command in (
        EnablePolicy("codex"),
        SetPolicy("codex", policy=policy(world, hourly_quota=1)),
    ):
        world.refused("W6", command, "codex")
        world.refused("W6", command, "gemini")
    assert not written(world).enabled
    world.run(EnablePolicy("codex"))
    assert written(world).enabled
    # Enabling arms nothing.
    assert state(world) == "closed"
    world.refused("W1", EnablePolicy("codex"))
    world.refused("W6", DisablePolicy("codex"), "codex")
    world.run(DisablePolicy("codex"))
    world.refused("W1", DisablePolicy("codex"))


@pytest.mark.rule("W1", "R8", "R16")
def test_a_new_or_restored_seat_is_queue_only_with_its_policy_disabled(world: World) -> None:
    world.run(AddSeat("pi", world.roster))
    assert world.seat("pi").mode == "queue_only"
    set_policy(world, "pi")
    assert world.seat("pi").mode == "queue_only"
    world.run(EnablePolicy("pi"))
    assert world.seat("pi").mode == "wake_enabled"
    world.run(DeactivateSeat("pi", world.roster, "no use"))
    seen = written(world, "pi").policy_revision
    world.run(RestoreSeat("pi", world.roster))
    assert (world.seat("pi").mode, written(world, "pi").enabled) == ("queue_only", False)
    # What was shown before it was restored isn't what would be armed now.
    assert written(world, "pi").policy_revision > seen
    world.refused("W7", shown(world, Arm, "pi"))


@pytest.mark.rule("W2")
def test_without_more_a_policy_has_the_defaults_of_the_table() -> None:
    assert [(limit.name, limit.default) for limit in LIMITS] == [
        (name, default) for name, _, _, default in TABLE
    ]
    found = made()
    for name, _, _, default in TABLE:
        assert getattr(found, name) == default
    assert (set(found.triggers.kinds), found.triggers.senders) == ({"task", "question"}, ())
    assert (found.triggers.urgency, found.triggers.addressing) == ((), "direct")
    assert (found.adapter_id, found.fingerprint) == (None, None)


@pytest.mark.rule("W2")
@pytest.mark.parametrize(("name", "least", "most"), [row[:3] for row in TABLE])
def test_each_limit_ends_where_the_table_says(name: str, least: int, most: int) -> None:
    for fits in (least, most):
        assert getattr(made(**{name: fits, **room(name, fits)}), name) == fits
    for beyond in (least - 1, most + 1, -1, 0 if least > 0 else -2, 2**70, -(2**70)):
        said = unfit(name, {name: beyond})
        assert f"{least:,}" in said.message
        assert f"{most:,}" in said.message
    for other in (
        True,
        False,
        str(least),
        float(least),
        None,
        [least],
        {"is": least},
        float("inf"),
    ):
        unfit(name, {name: other})


def room(name: str, value: int) -> dict[str, int]:
    """What a long lease needs beside it."""
    return {"maximum_lease_seconds": max(3_600, value)} if name == "lease_seconds" else {}


@pytest.mark.rule("W2")
def test_the_longest_lease_is_never_shorter_than_a_lease() -> None:
    assert made(lease_seconds=20, maximum_lease_seconds=20).maximum_lease_seconds == 20
    said = unfit("maximum_lease_seconds", {"lease_seconds": 20, "maximum_lease_seconds": 19})
    assert "20 to 14,400" in said.message
    unfit("maximum_lease_seconds", {"lease_seconds": 3_600, "maximum_lease_seconds": 3_599})


@pytest.mark.rule("W2")
@pytest.mark.parametrize(
    ("field", "triggers"),
    [
        ("triggers", []),
        ("triggers", None),
        ("triggers", "task"),
        ("kinds", {"kinds": []}),
        ("kinds", {"kinds": "task"}),
        ("kinds", {"kinds": ["tasks"]}),
        ("kinds", {"kinds": ["task", 5]}),
        ("kinds", {"kinds": None}),
        ("kinds", {"kinds": {"task": 1}}),
        ("senders", {"senders": "user"}),
        ("senders", {"senders": ["u" * 201]}),
        ("senders", {"senders": ["you"]}),
        ("senders", {"senders": ["hermes", "all"]}),
        ("senders", {"senders": ["Nobody Here"]}),
        ("senders", {"senders": ["\ud800"]}),
        ("senders", {"senders": [f"s{number}" for number in range(65)]}),
        ("urgency", {"urgency": ["urgent"]}),
        ("urgency", {"urgency": "high"}),
        ("addressing", {"addressing": "all"}),
        ("addressing", {"addressing": ["any"]}),
        ("addressing", {"addressing": None}),
        ("when", {"when": "always"}),
    ],
)
def test_triggers_are_exactly_what_they_can_be(field: str, triggers: Any) -> None:
    unfit(field, {"triggers": triggers})


@pytest.mark.rule("W2")
def test_an_adapter_is_named_by_id_and_fingerprint_together() -> None:
    fits = made(adapter_id="echo", fingerprint="a" * 64)
    assert (fits.adapter_id, fits.fingerprint) == ("echo", "a" * 64)
    for fingerprint in (None, "", "a" * 63, "A" * 64, "g" * 64, "a" * 65, "a" * 64 + "\n", 5):
        unfit("fingerprint", {"adapter_id": "echo", "fingerprint": fingerprint})
    for name in (None, "", "Echo", "e/cho", "e" * 64, 5, "../x"):
        with pytest.raises(BadInput):
            made(adapter_id=name, fingerprint="a" * 64)


FORBIDDEN = (
    *("argv", "command", "env", "token", "password", "secret", "api_key", "Authorization"),
    *("COMMAND_LINE", "environment", "credentials", "cookie", "shell", "exec", "github_token"),
    *("script_path", "webhook_url", "passwd", "headers", "program"),
)


@pytest.mark.rule("W3")
@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_command_line_an_environment_or_a_secret_is_refused_with_the_reason(name: str) -> None:
    for given in ({name: "x"}, {"triggers": {name: ["x"]}}):
        said = unfit(name, given)
        assert "holds no secret" in said.message
        assert "adapter" in said.hint
        assert repr(name) in said.message


@pytest.mark.rule("W3")
def test_nothing_else_is_accepted_whatever_it_is() -> None:
    for name in ("enabled", "hash", "WINDOW_SECONDS", "window_seconds ", "", "\ud800", "x" * 500):
        said = unfit(name[:200], {name: 1})
        assert "holds no secret" not in said.message
        assert len(said.message) < 300
    unfit("5", {5: 1})  # type: ignore[dict-item]
    for name, other in (("schema", "wake-policy-v2"), ("schema", None), ("schema", 1)):
        unfit(name, {name: other})
