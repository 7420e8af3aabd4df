"""Arm, drain, hold and resume by key: what is agreed to, by one deliberate confirmation (W6)."""

from __future__ import annotations

import pytest

from panel.screens.arming import Arming
from panel.screens.policy_form import PolicyForm
from panel.words.tasks import ASKING
from state.command import USER, Actor
from state.roster.commands import DeactivateSeat
from state.wake.consumer_commands import DeclareConsumer
from state.wake.model import SeatWake
from state.wake.window_commands import EnablePolicy, Hold, SetPolicy
from tests.panel.desk import Desk, opened
from tests.state import wake_world as wakes
from tests.state.world import World

SEATS = {"overview": ("tab", "down"), "wake": ("3",)}


def enabled(world: World, seat: str = "codex", **given: object) -> None:
    wakes.set_policy(world, seat, **given)
    world.run(EnablePolicy(seat))


async def arming(desk: Desk) -> None:
    """The dialog, with what it found."""
    await desk.until(lambda: isinstance(desk.app.screen, Arming), "the dialog")
    await desk.until(lambda: desk.line("policy   "), "what is agreed to")


async def at_codex(desk: Desk, mode: str) -> None:
    await desk.press(*SEATS[mode])
    await desk.sees("▸ codex")
    await desk.until(lambda: desk.mode.why_not("wake.arm") != ASKING, "what can be done")


async def saved(desk: Desk, rev: int) -> None:
    await desk.until(lambda: desk.said == f"saved as r{rev}", "saved")


@pytest.mark.rule("W6")
@pytest.mark.parametrize("mode", list(SEATS))
async def test_arming_shows_everything_and_takes_one_deliberate_key(
    world: World, mode: str
) -> None:
    fingerprint = wakes.adapter(world)
    enabled(world, adapter_id="echo", fingerprint=fingerprint, maximum_wakes=7)
    before: SeatWake = wakes.written(world)
    async with opened(world) as desk:
        await at_codex(desk, mode)
        await desk.press("a")
        await arming(desk)
        await desk.sees("policy", before.policy_hash)
        await desk.sees("deadline 12:30 UTC+2 (in 30 m)")
        await desk.sees("claims", f"adapter echo, fingerprint {fingerprint[:12]}")
        await desk.sees("maximum_wakes", " 7 ")
        for limit in ("window_seconds", "hourly_quota", "cooldown_seconds", "maximum_hops"):
            await desk.sees(limit)
        await desk.sees("checked 12:00 UTC+2")
        await desk.sees("project", "bound to this project")
        await desk.sees("adapter", "as registered")
        await desk.sees("exclusive")
        log = world.log()
        # No other key arms, neither the one that asked nor enter.
        await desk.press("a", "enter", "space", "o")
        assert world.log() == log
        await desk.press("y")
        await saved(desk, world.lines()[-1]["rev"])
        assert desk.app.screen is desk.mode
    line = world.lines()[-1]
    assert [op["op"] for op in line["ops"]] == ["window_armed"]
    assert (line["seat"], line["via"]) == (USER, "tui")
    assert line["ops"][0]["policy_hash"] == before.policy_hash
    assert line["guards"] == {"policy:codex": before.policy_revision, "window:codex": 0}


@pytest.mark.rule("W6")
async def test_no_leaves_everything_as_it_is(world: World) -> None:
    enabled(world)
    log = world.log()
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        for key in ("n", "escape"):
            await desk.press("a")
            await arming(desk)
            await desk.press(key)
            await desk.until(lambda: desk.app.screen is desk.mode, "the mode")
    assert world.log() == log


@pytest.mark.rule("W6")
async def test_a_policy_changed_in_a_second_panel_is_shown_and_asked_about_anew(
    world: World,
) -> None:
    enabled(world)
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        await desk.press("a")
        await arming(desk)
        shown = wakes.written(world).policy_hash
        other = SetPolicy("codex", policy=wakes.policy(world, maximum_wakes=99))
        world.project.run(other, Actor(USER, "tui"))
        world.clock.move(seconds=4)
        log = world.log()
        await desk.press("y")
        await desk.sees("It was changed since you looked. Nothing was written.")
        await desk.sees("you set the wake policy of codex", "in another panel, 4 s ago")
        await desk.sees("maximum_wakes", "99")
        assert isinstance(desk.app.screen, Arming)
        assert shown not in desk.text()
        assert world.log() == log
        await desk.press("y")
        await saved(desk, world.lines()[-1]["rev"])
    assert wakes.window(world).policy.maximum_wakes == 99


@pytest.mark.rule("W6")
async def test_what_stands_against_arming_is_said_and_the_key_does_nothing(
    world: World,
) -> None:
    enabled(world)
    world.run(DeclareConsumer("codex", "cron"))
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        await desk.press("a")
        await arming(desk)
        await desk.sees("It can't be done now:")
        await desk.sees("'cron' is declared for codex")
        log = world.log()
        await desk.press("y")
        await desk.pilot.pause()
        assert isinstance(desk.app.screen, Arming)
        assert world.log() == log


@pytest.mark.rule("W10", "W13")
async def test_drain_and_hold_are_immediate_and_resuming_asks(world: World) -> None:
    wakes.armed(world)
    wakes.leased(world)
    async with opened(world) as desk:
        await at_codex(desk, "overview")
        await desk.press("o")
        await desk.until(lambda: wakes.state(world) == "hold", "hold")
        await desk.sees("codex", "■ hold")
        await desk.press("o")
        await arming(desk)
        await desk.sees("Resume the wake window of codex")
        await desk.press("o", "enter")
        assert wakes.state(world) == "hold"
        await desk.press("y")
        await desk.until(lambda: wakes.state(world) == "active", "active")
        await desk.sees("codex", "◐ active")
        await desk.press("d")
        await desk.until(lambda: wakes.state(world) == "draining", "draining")
        assert world.lines()[-1]["via"] == "tui"


@pytest.mark.rule("W13")
async def test_one_key_holds_every_window(world: World) -> None:
    for seat in ("codex", "hermes"):
        wakes.armed(world, seat)
    async with opened(world) as desk:
        await desk.until(lambda: desk.mode.why_not("wake.hold-all") is None, "keys")
        await desk.press("O")
        await desk.until(lambda: wakes.state(world, "hermes") == "hold", "on hold")
        assert wakes.state(world) == "hold"
        assert [op["op"] for op in world.lines()[-1]["ops"]] == ["window_held"] * 2
        await desk.until(lambda: desk.mode.why_not("wake.hold-all"), "keys")
        await desk.press("O")
        await desk.until(lambda: desk.said == "no window is active or draining", "why not")


async def test_keys_that_cannot_act_say_why_by_the_rules_own_words(world: World) -> None:
    world.run(DeactivateSeat("gemini", world.roster, "gone"))
    wakes.set_policy(world, "hermes")
    async with opened(world) as desk:
        await desk.press("3", "end")
        await desk.sees("▸ codex")
        for key, why in (
            ("d", "no window of codex is open"),
            ("o", "no window of codex is open"),
            ("P", "codex has no wake policy"),
            ("e", "no lease is live, so there is none to end"),
            ("u", "choose a message that became an intent"),
        ):
            await desk.press(key)
            await desk.until(lambda why=why: desk.said == why, why)  # type: ignore[misc]
        await desk.press("home")
        await desk.sees("▸ hermes")
        await desk.press("a")
        await desk.until(lambda: "is disabled" in desk.said, "why not")
        await desk.press("1", "tab")
        await desk.sees("▸ you")
        await desk.press("a")
        await desk.until(lambda: desk.said == "choose an agent's seat", "why not")


async def test_a_need_names_the_seat_that_the_keys_act_on(world: World) -> None:
    wakes.armed(world, "hermes")
    world.run(Hold("hermes"))
    async with opened(world) as desk:
        await desk.sees("Needs you (1)")
        await desk.until(lambda: desk.mode.why_not("wake.drain") is None, "keys")
        await desk.press("enter")
        await desk.sees("▸ hermes", "■ hold · you held it")
        await desk.press("1")
        await desk.press("d")
        await desk.until(lambda: wakes.state(world, "hermes") == "closed", "drained, and closed")


async def test_without_a_policy_the_key_for_arming_asks_for_one_first(world: World) -> None:
    async with opened(world) as desk:
        await at_codex(desk, "overview")
        await desk.press("a")
        await desk.until(lambda: isinstance(desk.app.screen, PolicyForm), "the form")
        await desk.sees("Wake policy of codex")
        await desk.sees("No policy is set yet, and arming needs one: set it here, enabled")
        await desk.press("escape", "3", "p")
        await desk.until(lambda: isinstance(desk.app.screen, PolicyForm), "the form")
        await desk.misses("arming needs one")


async def test_leases_and_intents_are_dealt_with_by_key_with_a_reason(world: World) -> None:
    wakes.armed(world, maximum_attempts=1, cooldown_seconds=0)
    number, _ = wakes.leased(world)
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        await desk.sees("runs 05:00")
        await desk.press("e")
        await desk.sees("End the lease: codex")
        await desk.write("it hangs")
        await desk.press("enter")
        await desk.sees("codex", "■ hold · an intent used up its attempts")
        await desk.sees(f"#{number}", "held, its attempts are used up: you ended its lease")
        await desk.until(lambda: desk.mode.why_not("wake.retry") is None, "keys")
        await desk.press("u")
        await desk.sees("Let it be tried again")
        await desk.write("once more")
        await desk.press("enter")
        await desk.sees(f"#{number}", "not woken yet, nobody has claimed it: once more")
    assert wakes.reasons(world)[number] == "once more"
