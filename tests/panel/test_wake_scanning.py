"""The open panel scans: never more than needed, never in the way, and nothing stays behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from panel.scanning import Eyes, wait_ms
from state.wake import scanned
from tests.panel.desk import holding_lock, opened
from tests.state import wake_world as wakes
from tests.state.world import World


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How often any panel of this process has scanned."""
    scans: list[int] = []
    real = Eyes.scan

    def scan(self: Eyes) -> None:
        scans.append(1)
        real(self)

    monkeypatch.setattr(Eyes, "scan", scan)
    yield scans


@pytest.mark.rule("W31")
async def test_a_new_message_becomes_an_intent_while_the_panel_is_open(world: World) -> None:
    wakes.armed(world)
    async with opened(world) as desk:
        await desk.until(lambda: scanned.read(world.paths, "codex"), "a first scan")
        number = world.post("user", "codex", kind="question")
        await desk.until(lambda: wakes.intents(world) == {number: "pending"}, "the intent")
        line = world.lines()[-1]
        assert (line["seat"], line["via"]) == ("system", "tui")
        assert desk.app.scan_trouble is None
    number = world.post("user", "codex", kind="question")
    assert number not in wakes.intents(world)


@pytest.mark.rule("W27", "W31")
async def test_what_the_time_makes_due_is_written_once_by_two_panels(world: World) -> None:
    wakes.armed(world, window_seconds=600)
    async with opened(world), opened(world) as desk:
        await desk.until(lambda: scanned.read(world.paths, "codex"), "a first scan")
        before = world.lines()[-1]["rev"]
        world.clock.move(seconds=61)
        await desk.until(lambda: wakes.window(world).quiet == 1, "a quiet cycle")
        world.clock.move(seconds=600)
        await desk.until(lambda: wakes.state(world) == "closed", "closed")
        await desk.pilot.pause(0.3)
    names = wakes.names(world, before)
    assert names == {"seat_scanned": 1, "window_draining": 1, "window_closed": 1}


async def test_nothing_is_scanned_while_there_is_nothing_to_do(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted(monkeypatch) as scans:
        wakes.set_policy(world)
        async with opened(world) as desk:
            world.post("user", "codex")
            await desk.sees("3 lines verified")
            assert not scans
    with counted(monkeypatch) as scans:
        wakes.armed(world, maximum_hops=3)
        wakes.leased(world)
        async with opened(world) as desk:
            await desk.until(lambda: len(scans) == 1, "a first scan")
            # A quiet cycle can't be counted while a lease is live: that is due all the time.
            world.clock.move(seconds=61)
            await desk.until(lambda: len(scans) == 2, "the next one")
            for _ in range(3):
                desk.app.second_passed()
                await desk.pilot.pause(0.05)
            assert len(scans) == 2


def test_how_long_it_can_wait(world: World) -> None:
    wakes.armed(world, window_seconds=600, scan_interval_seconds=60)
    wake, start = wakes.written(world), world.clock.moment()
    assert wait_ms([], None, start) is None
    assert wait_ms([wake], None, start) == 0
    assert wait_ms([wake], start, start) == 60_000
    world.clock.move(seconds=70)
    due = world.clock.moment()
    assert wait_ms([wake], start, due) == 0
    wakes.scan(world)
    assert wait_ms([wakes.written(world)], due, due) == 60_000
    world.clock.move(seconds=600)
    assert wait_ms([wake], due, world.clock.moment()) == 0
    wakes.scan(world)
    assert wait_ms([wakes.written(world)], due, world.clock.moment()) is None


async def test_a_lock_that_is_held_is_quiet_and_shown_and_the_screen_goes_on(
    world: World,
) -> None:
    wakes.armed(world)
    async with opened(world) as desk:
        await desk.press("3")
        await desk.sees("codex", "◐ active (armed)")
        with holding_lock(world.paths, "hermes"):
            world.clock.move(seconds=61)
            await desk.until(lambda: desk.app.scan_trouble is not None, "trouble")
            await desk.sees("this panel can't scan:")
            assert not desk.said
            await desk.press("tab")
            await desk.sees("No message to this seat yet")
        world.clock.move(seconds=6)
        await desk.until(lambda: wakes.window(world).quiet == 1, "scanned after all")
        await desk.until(lambda: desk.app.scan_trouble is None, "no trouble")


@pytest.mark.rule("W13")
async def test_a_damaged_project_is_not_scanned_and_its_windows_read_as_held(
    world: World,
) -> None:
    wakes.armed(world)
    world.post("user", "codex", kind="question", title="hello")
    last = max(Path(world.paths.log_dir).glob("*.jsonl"))
    damaged = last.read_bytes().replace(b'"hello"', b'"hallo"')
    async with opened(world) as desk:
        await desk.press("3")
        await desk.sees("codex", "◐ active (armed)")
        await desk.until(lambda: wakes.intents(world), "scanned")
        last.write_bytes(damaged)
        await desk.sees("codex", "■ hold · the journal isn't sound")
        world.clock.move(seconds=61)
        await desk.until(lambda: desk.app.scan_trouble is not None, "trouble")
        await desk.press("o")
        await desk.until(lambda: "missing or changed" in desk.said, "why not")
        assert last.read_bytes() == damaged


async def test_a_panel_that_ends_scans_no_more(world: World) -> None:
    wakes.armed(world)
    async with opened(world) as desk:
        await desk.until(lambda: scanned.read(world.paths, "codex"), "a first scan")
        desk.app.stop_working()
        await desk.app.workers.wait_for_complete()
        log = world.log()
    world.clock.move(seconds=600)
    assert world.log() == log
