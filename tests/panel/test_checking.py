"""How many lines the panel says it has checked."""

from __future__ import annotations

import pytest

from panel.app import PanelApp
from tests.panel.desk import Desk
from tests.state.world import World


async def test_nothing_is_called_verified_before_it_was_checked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.post("codex", "user", title="a line to be checked")
    # Neither the check nor the follower ever begins: the first picture stays what it was.
    monkeypatch.setattr(PanelApp, "begin", lambda app: None)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 24)) as pilot:
        desk = Desk(app, pilot)
        await desk.sees("checking 0 %")
        assert "verified" not in desk.text()
        app.stop_working()
