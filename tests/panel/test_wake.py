"""Mode 3: windows tick, each message has its answer, nothing is said that isn't proved."""

from __future__ import annotations

import os
import re

import pytest

from panel.messages import Place
from panel.words import windows
from panel.words.wake_mode import OUTCOMES
from state.messages.commands import Post
from state.roster.commands import HideSeat, MarkAway
from state.wake import scanned
from state.wake.model import INTENT_STATES
from state.wake.window_commands import Drain, Hold
from tests.panel.desk import Desk, opened
from tests.state import wake_world as wakes
from tests.state.world import World

CLAIMS = re.compile(r"\b(online|running|participating|invoked|ran|done|answered)\b")


async def at_wake(desk: Desk) -> None:
    await desk.press("3")
    await desk.sees("Wake windows")


async def test_without_any_policy_each_agent_is_listed_and_what_to_do_is_said(
    world: World,
) -> None:
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("codex", "closed · no policy")
        await desk.sees("No policy is set: nothing can wake this seat.")
        await desk.sees("No message to this seat yet")
        assert not desk.line("user")


@pytest.mark.rule("W24")
async def test_each_state_of_a_window_has_its_sign_and_word(world: World) -> None:
    wakes.armed(world, "codex")
    wakes.armed(world, "gemini")
    wakes.leased(world, "gemini")
    world.run(Drain("gemini"))
    wakes.armed(world, "hermes")
    world.run(Hold("hermes"))
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("codex", "◐ active (armed)")
        await desk.sees("gemini", "◌ draining · you drained it")
        await desk.sees("hermes", "■ hold · you held it")
        world.run(Drain("codex"))
        await desk.sees("codex", "○ closed")
        await desk.sees("3 with a policy")


@pytest.mark.rule("W24")
async def test_every_state_of_an_intent_is_shown_beside_the_window(world: World) -> None:
    wakes.armed(world, hourly_quota=60, cooldown_seconds=0)
    number, lease = wakes.leased(world)
    wakes.verified(world, number, lease)
    number = wakes.wanted(world)
    wakes.answer(world, number)
    wakes.scan(world)
    number = wakes.wanted(world)
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("1 pending · 1 verified · 1 superseded")
        await desk.press("tab")
        await desk.until(lambda: desk.mode.why_not("wake.dismiss") is None, "its intent")
        await desk.press("x")
        await desk.sees("Dismiss the intent: codex")
        await desk.write("not needed")
        await desk.press("enter")
        await desk.sees("1 verified · 1 superseded · 1 dismissed")
        await desk.sees(f"#{number}", "dismissed: not needed")
        wakes.wanted(world)
        world.clock.move(seconds=1801)
        await desk.sees("1 verified · 1 superseded · 1 lapsed · 1 dismissed")
    assert set(INTENT_STATES) == set(windows.INTENTS)


@pytest.mark.rule("W25")
async def test_nothing_but_a_verified_receipt_says_that_anything_was_answered(
    world: World,
) -> None:
    wakes.armed(world, cooldown_seconds=0)
    number, lease = wakes.leased(world)
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees(f"#{number}", "claimed, no receipt proves anything yet")
        await desk.sees("runs 05:00 more")
        assert not CLAIMS.search(desk.text()), desk.text()
        assert wakes.receipt(world, lease, "watcher_only") is None
        await desk.sees("something saw the message")
        await desk.sees(f"#{number}", "claimed, no receipt proves anything yet")
        reply = wakes.answer(world, number)
        await desk.sees(f"#{number} · ◧ claimed, no receipt proves anything yet")
        assert wakes.receipt(world, lease, "sent_and_verified", reply=reply) is None
        await desk.sees(f"#{number}", f"☑ verified, answered with #{reply}")
        await desk.sees(f"checked: #{reply} is by codex, replies to #{number}")
        await desk.sees("ended by a verified receipt")


@pytest.mark.rule("W25")
def test_only_verified_is_shown_as_good() -> None:
    good = [state for state, sign in OUTCOMES.items() if "success" in sign.style]
    assert good == ["sent_and_verified"]
    for state, sign in OUTCOMES.items():
        assert not CLAIMS.search(sign.word), state


@pytest.mark.rule("W25")
async def test_a_file_that_proved_something_and_changed_since_says_so(world: World) -> None:
    wakes.armed(world)
    number, lease = wakes.leased(world)
    proof = world.folder / "proof.md"
    world.clock.move(seconds=1)
    proof.write_text(f"done under {lease}\n")
    at = world.clock.time.timestamp()
    os.utime(proof, (at, at))
    seen = wakes.seen(world, str(proof), lease)
    assert wakes.receipt(world, lease, "sent_and_verified", file=seen) is None
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees(f"#{number}", "file proof.md held the lease")
        await desk.sees("as it was")
        proof.write_text("something else\n")
        await desk.until(lambda: "changed since" in desk.text(), "the file's change")


@pytest.mark.rule("W26")
async def test_time_quiet_cycles_wakes_cooldown_and_quota_tick(world: World) -> None:
    wakes.armed(world, window_seconds=600, hourly_quota=4, cooldown_seconds=30)
    number, lease = wakes.leased(world)
    wakes.verified(world, number, lease)
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("codex", "10:00", "1/10", "0/3", "3/4", "00:30")
        world.clock.move(seconds=12)
        await desk.sees("codex", "09:48", "1/10", "0/3", "3/4", "00:18")
        world.clock.move(seconds=50)
        await desk.sees("codex", "08:58", "1/3", "3/4", "—")
        await desk.sees("used", "wakes 1/10 · quiet cycles 1/3")


@pytest.mark.rule("W26")
async def test_what_ticks_asks_the_disk_nothing(world: World) -> None:
    wakes.armed(world)
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("codex", "30:00")
        asked: list[object] = []
        bridge = desk.app.bridge
        assert bridge is not None
        screen = desk.mode
        screen.ask = lambda *given, **more: asked.append(given)  # type: ignore[attr-defined]
        world.clock.move(seconds=5)
        screen.second_passed()
        await desk.sees("codex", "29:55")
        assert asked == []


@pytest.mark.rule("W27")
async def test_what_no_line_says_yet_is_shown_as_the_time_has_made_it(world: World) -> None:
    wakes.armed(world, window_seconds=60)
    wakes.leased(world)
    async with opened(world) as desk:
        desk.app._scanning = True  # nobody writes it meanwhile
        await at_wake(desk)
        await desk.sees("codex", "◐ active (armed)")
        before = world.log()
        world.clock.move(seconds=61)
        await desk.sees("codex", "◌ draining · its deadline has passed", "00:00")
        assert world.log() == before


@pytest.mark.rule("W31")
async def test_an_armed_window_that_nobody_scans_says_so_with_the_command(world: World) -> None:
    wakes.armed(world, scan_interval_seconds=60)
    async with opened(world) as desk:
        desk.app._scanning = True
        wakes.wanted(world)
        scanned.leave(world.paths, "codex", world.clock.moment())
        world.clock.move(seconds=181)
        await at_wake(desk)
        await desk.sees("codex", "◐ active (armed) · nobody scans")
        await desk.sees("armed, nobody scans:")
        await desk.sees("wake run")
        assert not desk.line("codex", "online")


async def test_every_message_to_the_seat_has_its_answer_newest_first(world: World) -> None:
    early = world.post("user", "codex", title="too early")
    wakes.armed(world, cooldown_seconds=0)
    note = world.post("user", "codex", title="a note")
    wakes.scan(world)
    number, lease = wakes.leased(world)
    reply = wakes.verified(world, number, lease)
    world.run(Hold("codex"))
    held = world.post("user", "codex", kind="question")
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("codex (4)")
        await desk.sees(f"#{early}", "not woken, no window was open")
        await desk.sees(f"#{note}", "not woken: not a kind that the p")
        await desk.sees(f"#{number}", f"answered with #{reply}")
        await desk.sees(f"#{held}", "not woken yet, the window is on hold")
        await desk.press("tab", "end")
        await desk.sees(f"#{early} · not woken, no window was open · too early")
        await desk.press("enter")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.sees("who did what")


async def test_a_message_without_a_title_says_how_it_begins(world: World) -> None:
    wakes.set_policy(world)
    asked = world.post("codex", "user", kind="question")
    world.run(Post(("codex",), "", "First [/b].", "reply", reply_to=asked))
    async with opened(world, (200, 40)) as desk:
        await at_wake(desk)
        await desk.sees("no window was open", "you", f"re #{asked} “First [/b].”")
        await desk.sees(f"no window was open · re #{asked} “First [/b].”")


async def test_while_nobody_moves_the_cursor_the_newest_answer_is_in_sight(
    world: World,
) -> None:
    wakes.armed(world)
    async with opened(world) as desk:
        await at_wake(desk)
        for _ in range(2):
            number = world.post("user", "codex", title="look")
            await desk.sees(f"#{number} · not woken: not a kind", "look")


async def test_a_long_list_is_paged_and_the_cursor_stays_on_its_message(world: World) -> None:
    wakes.set_policy(world)
    first, *_ = [world.post("user", "codex", title=f"no {count}") for count in range(230)]
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("codex (230)")
        await desk.press("tab", "end")
        await desk.sees("▸", f"#{first}", "no window was open")
        world.post("user", "codex")
        await desk.sees("codex (231)")
        await desk.sees("▸", f"#{first} ", "no window was open")


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_tab_shows_each_part_where_there_is_no_room_for_all(
    world: World, size: tuple[int, int]
) -> None:
    wakes.armed(world)
    wakes.wanted(world)
    async with opened(world, size) as desk:
        await at_wake(desk)
        await desk.sees("codex", "◐ active (armed)")
        await desk.press("tab")
        await desk.sees("nobody has claimed")
        await desk.press("tab")
        await desk.sees("deadline", "12:30")
        await desk.press("tab")
        await desk.sees("codex", "◐ active (armed)")
        await desk.press("shift+tab")
        await desk.sees("deadline", "12:30")
        await desk.press("escape")
        await desk.sees("codex", "◐ active (armed)")


async def test_the_closing_receipt_can_be_read(world: World) -> None:
    wakes.armed(world)
    number = wakes.wanted(world)
    async with opened(world) as desk:
        await at_wake(desk)
        world.clock.move(seconds=1800)
        await desk.sees("codex", "○ closed")
        await desk.press("enter")
        await desk.sees("0 wakes: its deadline has passed")
        await desk.sees(f"lapsed: #{number}")


async def test_a_seat_can_be_gone_to(world: World) -> None:
    wakes.armed(world, "hermes")
    async with opened(world) as desk:
        await desk.app.go(Place("wake", "hermes"))
        await desk.sees("▸ hermes", "◐ active (armed)")


@pytest.mark.rule("R15")
async def test_a_hidden_seat_and_one_that_is_away_are_listed_and_say_so(world: World) -> None:
    wakes.armed(world, "hermes")
    world.run(HideSeat("hermes", world.roster))
    world.run(MarkAway("codex", "2026-11-30T12:00:00+00:00", "out"))
    async with opened(world) as desk:
        await at_wake(desk)
        await desk.sees("hermes · hidden", "◐ active (armed)")
        await desk.sees("codex · away", "○ closed")
