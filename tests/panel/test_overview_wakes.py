"""Wake windows on the first screen: states by the time, what ticks, and what needs the person."""

from __future__ import annotations

from pathlib import Path

import pytest

from panel.app import PanelApp
from state.wake import scanned
from state.wake.window_commands import Hold
from tests.panel.desk import Desk, opened
from tests.state.wake_world import armed, scan
from tests.state.world import World


@pytest.mark.rule("W24", "W26")
async def test_an_armed_window_is_called_armed_and_its_time_ticks(world: World) -> None:
    armed(world)
    async with opened(world) as desk:
        await desk.sees("codex", "◐ active")
        await desk.sees("Nobody needs you · 4 queues, 1 open window, ")
        desk.app.screen.query_one("#seats").focus()
        await desk.press("down")
        await desk.sees("◐ active (armed)", "30:00 left")
        await desk.sees("wakes 0/10", "quiet cycles 0/3")
        await desk.sees("quota 6 of 6 left", "cooldown —")
        world.clock.move(seconds=48)
        await desk.sees("29:12 left")
        assert "online" not in desk.text()
        assert "running" not in desk.text()


@pytest.mark.rule("W27")
async def test_a_deadline_that_has_passed_reads_as_draining_before_anyone_wrote_it(
    world: World,
) -> None:
    armed(world)
    before = world.overview().rev
    world.clock.move(minutes=31)
    assert {seat.seat: seat.window for seat in world.overview().seats}["codex"] == "draining"
    assert world.overview().rev == before
    scan(world)
    assert {seat.seat: seat.window for seat in world.overview().seats}["codex"] == "closed"


@pytest.mark.rule("R15")
async def test_a_window_on_hold_needs_the_person(world: World) -> None:
    armed(world)
    world.run(Hold("codex"))
    async with opened(world) as desk:
        await desk.sees("Needs you (1)")
        await desk.sees("■", "codex", "on hold: you held it")
        await desk.sees("codex", "■ hold")


@pytest.mark.rule("W31")
async def test_an_armed_window_that_nobody_scans_needs_the_person(world: World) -> None:
    armed(world, scan_interval_seconds=10)
    scanned.leave(world.paths, "codex", world.clock.moment())
    assert [need.kind for need in world.overview().needs] == []
    world.clock.move(seconds=31)
    assert [(need.kind, need.seat) for need in world.overview().needs] == [("unscanned", "codex")]
    scanned.leave(world.paths, "codex", world.clock.moment())
    assert world.overview().needs == ()


@pytest.mark.rule("W13")
async def test_in_a_journal_that_does_not_verify_an_open_window_reads_as_held(
    world: World,
) -> None:
    """The damaged line is an old one: everything that is asked of the index is answered still."""
    world.post("codex", "user", title="note 1")
    armed(world)
    log = Path(world.paths.segment(1))
    data = bytearray(log.read_bytes())
    data[data.index(b"note 1")] ^= 1
    log.write_bytes(data)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 40)) as pilot:
        desk = Desk(app, pilot)
        await desk.sees("codex", "■ hold")
        app.screen.query_one("#seats").focus()
        await desk.press("down")
        await desk.sees("the journal isn't sound")
        app.stop_working()
