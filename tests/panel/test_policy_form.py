"""The form of a wake policy: each limit with its meaning, range and default (W2)."""

from __future__ import annotations

import pytest

from panel.screens.policy_form import PolicyForm
from panel.widgets.choice import Choice
from panel.widgets.entry import Entry
from panel.widgets.safe_input import SafeInput
from panel.words import wake_policy
from state.wake.policy import LIMITS
from state.wake.window_commands import EnablePolicy, SetPolicy
from tests.panel.desk import Desk, opened
from tests.state import wake_world as wakes
from tests.state.world import World


async def form(desk: Desk) -> PolicyForm:
    await desk.press("3")
    await desk.sees("▸ codex")
    await desk.until(lambda: desk.mode.why_not("wake.policy") is None, "a policy can be set")
    await desk.press("p")
    await desk.until(lambda: isinstance(desk.app.screen, PolicyForm), "the form")
    await desk.sees("window_seconds")
    screen = desk.app.screen
    assert isinstance(screen, PolicyForm)
    return screen


def field(screen: PolicyForm, name: str) -> SafeInput:
    for entry in screen.query(Entry):
        if entry._label == name:
            assert isinstance(entry.control, SafeInput)
            return entry.control
    raise AssertionError(name)


@pytest.mark.rule("W2")
async def test_each_limit_is_there_with_its_meaning_range_and_default(world: World) -> None:
    async with opened(world, (120, 60)) as desk:
        screen = await form(desk)
        for limit in LIMITS:
            assert field(screen, limit.name).value == str(limit.default)
            await desk.sees(wake_policy.MEANING[limit.name][:30])
            await desk.sees(f"{limit.least:,} to {limit.most:,}")
        field(screen, "maximum_wakes").value = "12"
        field(screen, "senders").value = "you, hermes"
        await desk.press("f2")
        await desk.until(lambda: desk.app.screen is desk.mode, "saved")
        await desk.sees("codex", "○ closed · policy disabled")
    wake = wakes.written(world)
    assert wake.policy is not None
    assert (wake.policy.maximum_wakes, wake.enabled) == (12, False)
    assert wake.policy.triggers.senders == ("hermes", "user")


@pytest.mark.rule("W1", "W2")
async def test_it_is_enabled_by_a_choice_of_the_person_alone(world: World) -> None:
    async with opened(world) as desk:
        screen = await form(desk)
        assert screen.query_one(Choice).value == "disabled"
        await desk.press("right", "f2")
        await desk.until(lambda: desk.app.screen is desk.mode, "saved")
        await desk.sees("codex", "○ closed")
    assert [line["ops"][0]["op"] for line in world.lines()[1:]] == ["policy_set", "policy_enabled"]


@pytest.mark.rule("W2")
async def test_what_is_out_of_range_is_said_where_it_was_typed(world: World) -> None:
    log = world.log()
    async with opened(world, (120, 60)) as desk:
        screen = await form(desk)
        for name, text, why in (
            ("maximum_wakes", "101", "maximum_wakes must be from 1 to 100"),
            ("cooldown_seconds", "none", "cooldown_seconds must be a whole number"),
            ("window_seconds", "9" * 5000, "window_seconds must be a whole number"),
            ("kinds", "gossip", "kinds can name note, question"),
            ("urgency", "soon", "urgency can name normal, high"),
            ("adapter", "[/a]", "is not registered"),
        ):
            control = field(screen, name)
            before, control.value = control.value, text
            await desk.press("f2")
            await desk.sees(why)
            assert control.has_focus
            control.value = before
        await desk.press("escape")
        await desk.until(lambda: desk.app.screen is desk.mode, "left")
    assert world.log() == log


async def test_an_adapter_is_named_with_the_fingerprint_it_is_registered_by(
    world: World,
) -> None:
    fingerprint = wakes.adapter(world)
    async with opened(world, (120, 60)) as desk:
        screen = await form(desk)
        await desk.sees("registered: echo")
        field(screen, "adapter").value = "echo"
        await desk.press("f2")
        await desk.until(lambda: desk.app.screen is desk.mode, "saved")
    policy = wakes.written(world).policy
    assert policy is not None
    assert policy.fingerprint == fingerprint


async def test_someone_faster_is_said_and_what_was_typed_stays(world: World) -> None:
    async with opened(world, (120, 60)) as desk:
        screen = await form(desk)
        field(screen, "maximum_wakes").value = "33"
        other = world.run(SetPolicy("codex", policy=wakes.policy(world, hourly_quota=9)))
        await desk.sees(f"changed meanwhile, by r{other.rev}")
        assert field(screen, "maximum_wakes").value == "33"
        await desk.press("f2")
        await desk.until(lambda: desk.app.screen is desk.mode, "saved")
    policy = wakes.written(world).policy
    assert policy is not None
    assert (policy.maximum_wakes, policy.hourly_quota) == (33, 6)


@pytest.mark.rule("W4")
async def test_what_overtakes_the_key_itself_is_not_overwritten(world: World) -> None:
    async with opened(world, (120, 60)) as desk:
        screen = await form(desk)
        field(screen, "maximum_wakes").value = "33"
        other = world.run(SetPolicy("codex", policy=wakes.policy(world, hourly_quota=9)))
        # The picture can't have come yet.
        screen.action_send()
        await desk.sees(f"changed meanwhile, by r{other.rev}")
        policy = wakes.written(world).policy
        assert policy is not None
        assert (policy.maximum_wakes, policy.hourly_quota) == (10, 9)
        assert field(screen, "maximum_wakes").value == "33"
        await desk.press("f2")
        await desk.until(lambda: desk.app.screen is desk.mode, "saved")
    policy = wakes.written(world).policy
    assert policy is not None
    assert (policy.maximum_wakes, policy.hourly_quota) == (33, 6)


@pytest.mark.rule("W1")
async def test_what_another_has_done_already_is_not_done_again(world: World) -> None:
    wakes.set_policy(world)
    async with opened(world, (120, 60)) as desk:
        await form(desk)
        other = world.run(EnablePolicy("codex"))
        await desk.sees(f"changed meanwhile, by r{other.rev}")
        log = world.log()
        await desk.press("right", "f2")
        await desk.sees("nothing is changed")
        assert world.log() == log
