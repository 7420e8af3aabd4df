"""A hook that could not do its work needs the person, and its line can be opened (S15)."""

from __future__ import annotations

import pytest

from tests.panel.desk import opened
from tests.state.hook_support import Hooks, skill_tool
from tests.state.world import World


@pytest.mark.rule("S15")
async def test_a_hook_that_did_not_record_needs_the_person(world: World) -> None:
    hooks = Hooks(world)
    hooks.register()
    hooks.call(b"{")
    hooks.call(skill_tool(), seat=None)
    async with opened(world) as desk:
        await desk.sees("Needs you (2)")
        await desk.sees(
            "codex", "hook did not record", "what the host sent could not be read", "r3"
        )
        await desk.sees("hook did not record", "no seat was named", "r4")
        await desk.press("enter")
        await desk.until(lambda: desk.mode.MODE == "journal", "the journal")
        await desk.sees("hook_noted")
        await desk.press("1")
        hooks.call(skill_tool())
        await desk.sees("Nobody needs you")
