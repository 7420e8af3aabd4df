"""What a key does to a policy or a window beyond arming it, and whose receipts are shown."""

from __future__ import annotations

from typing import Any

import pytest

from panel.asks.overview import seat_detail
from panel.parts.wake_actions import WakeActions
from panel.words import wake_mode, wake_show
from panel.words.wake_policy import disabling
from state.errors import Refused
from state.roster.commands import DeactivateSeat
from state.wake.model import WINDOW_STATES
from state.wake.window_commands import DisablePolicy
from tests.panel.desk import opened
from tests.panel.test_arming import at_codex, enabled
from tests.state import wake_world as wakes
from tests.state.world import World


@pytest.mark.rule("W10")
async def test_a_disabled_policy_drains_what_it_was_armed_for_once_that_is_confirmed(
    world: World,
) -> None:
    wakes.armed(world)
    wakes.leased(world)
    log = world.log()
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        for answer in ("n", "escape"):
            await desk.press("P")
            await desk.sees("Disable the wake policy of codex?")
            await desk.sees("Its window is armed: it drains by this.")
            await desk.press(answer)
            await desk.until(lambda: desk.app.screen is desk.mode, "left")
        assert world.log() == log
        await desk.press("P")
        await desk.sees("Disable the wake policy of codex?")
        await desk.press("y")
        await desk.sees("codex", "◌ draining · the policy was disabled")
        assert world.lines()[-2]["ops"][0]["op"] == DisablePolicy.OP
        await desk.press("P")
        await desk.until(lambda: wakes.written(world).enabled, "enabled")


async def test_without_an_open_window_a_policy_is_switched_at_once(world: World) -> None:
    enabled(world)
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        for wanted in (False, True):
            await desk.press("P")
            await desk.until(lambda wanted=wanted: wakes.written(world).enabled is wanted, "saved")  # type: ignore[misc]
            await desk.until(lambda: desk.said.startswith("saved"), "shown")
    for state in WINDOW_STATES[1:]:
        assert disabling(state)


@pytest.mark.rule("W13")
async def test_everything_is_held_by_a_key_that_comes_before_the_first_frame(world: World) -> None:
    wakes.armed(world)
    async with opened(world) as desk:
        await desk.press("3")
        mode = desk.mode
        assert isinstance(mode, WakeActions)
        # As when both keys were typed ahead.
        mode._drawn_once = False
        await mode.action_press("wake.hold-all")
        await desk.until(lambda: wakes.state(world) == "hold", "on hold")


@pytest.mark.rule("R4", "W27")
async def test_the_seat_menu_asks_the_window_as_the_time_has_made_it(world: World) -> None:
    wakes.armed(world, window_seconds=60)

    def refusal() -> Refused | None:
        with world.look() as view:
            found = seat_detail(view, "codex", world.clock.moment())
        assert found is not None
        return found.actions["deactivate"].refusal

    assert "window that is active" in str(refusal())
    world.clock.move(seconds=60)
    assert (wakes.state(world), refusal()) == ("active", None)
    world.run(DeactivateSeat("codex", world.roster, "gone"))


@pytest.mark.rule("W19")
async def test_a_refused_receipt_for_no_lease_known_here_stands_at_who_brought_it(
    world: World,
) -> None:
    wakes.armed(world)
    wakes.armed(world, "gemini")
    assert wakes.receipt(world, "made-[/a]-up", "failed") is not None
    async with opened(world, (160, 50)) as desk:
        await desk.press("3")
        await desk.sees("▸ codex")
        await desk.sees("☒ refused (failed): it names no lease")
        await desk.sees("'made-[/a]-up'")
        await desk.press("down")
        await desk.sees("▸ gemini")
        await desk.misses("it names no lease")


@pytest.mark.rule("W12")
def test_a_closing_receipt_that_could_not_name_each_intent_says_so() -> None:
    receipt: dict[str, Any] = {
        "reason": "deadline",
        "first": 1,
        "last": 9_999,
        "wakes": 0,
        "named": False,
        "outcomes": [],
        "passed": [],
        "lapses": [],
        "dismissed": [],
        "terminal_hold": [],
        "lapsed": [[2, 2], [4, 9_000]],
    }
    for said in (wake_show.closing(receipt), wake_mode.tallies(receipt)):
        assert "the last range holds others too" in "\n".join(said)
    for said in (
        wake_show.closing({**receipt, "named": True}),
        wake_mode.tallies({**receipt, "named": True}),
    ):
        assert "holds others" not in "\n".join(said)


@pytest.mark.rule("W31")
def test_a_scan_that_is_still_to_come_by_this_clock_is_not_ago() -> None:
    scanned = "2026-11-30T10:00:00.000000+00:00"
    told = [
        wake_show.scans(False, scanned, f"2026-11-30T{time}.000000+00:00")
        for time in ("10:00:00", "12:00:00", "08:00:00")
    ]
    assert told == ["scanned just now", "scanned 2 h ago", "scanned in 2 h"]
