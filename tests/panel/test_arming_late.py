"""What changes on disk while the confirmation stands open is noticed when it is given (W7, W22)."""

from __future__ import annotations

import pytest

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.wake.consumers import holding
from state.wake.window_commands import Hold
from tests.panel.desk import opened
from tests.panel.test_arming import arming, at_codex, enabled
from tests.state import wake_world as wakes
from tests.state.world import World


@pytest.mark.rule("W7", "W13")
@pytest.mark.parametrize("resumes", [False, True])
async def test_one_byte_of_the_adapter_that_was_shown_as_registered(
    world: World, *, resumes: bool
) -> None:
    file = world.folder / "mini.py"
    file.write_text("run")
    taken = take((str(file),))
    world.run(Register("mini", taken))
    enabled(world, adapter_id="mini", fingerprint=taken.fingerprint)
    if resumes:
        wakes.arm(world)
        world.run(Hold("codex"))
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        await desk.press("o" if resumes else "a")
        await arming(desk)
        await desk.sees("mini: as registered")
        log = world.log()
        file.write_text("ruN")
        await desk.press("y")
        await desk.sees("adapter", "mini: drifted")
        assert world.log() == log


@pytest.mark.rule("W7", "W22")
async def test_a_lock_that_another_took_since(world: World) -> None:
    enabled(world)
    async with opened(world) as desk:
        await at_codex(desk, "wake")
        await desk.press("a")
        await arming(desk)
        log = world.log()
        with holding(world.paths, "codex", "cron", world.clock.now()):
            await desk.press("y")
            await desk.sees("cron")
        assert world.log() == log
