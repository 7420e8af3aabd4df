"""The first frame: what would only hold it up is not done, and an empty screen doesn't stay."""

from __future__ import annotations

import threading

import pytest
from textual.css.stylesheet import Stylesheet

from panel import live
from panel.app import PanelApp
from panel.bridge import Bridge
from tests.panel.desk import Desk
from tests.panel.settling import held_up
from tests.state.world import World


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each time that something is drawn whether there was a picture to draw."""
    display = PanelApp._display
    seen: list[bool] = []

    def noted(app: PanelApp, screen: object, renderable: object) -> None:
        if renderable is not None:
            seen.append(app.snapshot is not None)
        display(app, screen, renderable)  # type: ignore[arg-type]

    monkeypatch.setattr(PanelApp, "_display", noted)
    return seen


async def test_what_is_drawn_first_is_the_first_picture(
    world: World, drawn: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BLANK_SECONDS", 60.0)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 40)) as pilot:
        await Desk(app, pilot).until(lambda: bool(drawn))
        app.stop_working()
    assert drawn[0]


async def test_a_project_that_is_slow_to_open_has_a_screen_all_the_same(
    world: World, drawn: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = threading.Event()
    look = Bridge.look

    def slow(*args: object, **options: object) -> object:
        held.wait(60)
        return look(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Bridge, "look", slow)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 40)) as pilot:
        desk = Desk(app, pilot)
        with held_up("open"):
            await desk.until(lambda: bool(drawn))
        assert not drawn[0]
        held.set()
        await desk.sees("Nobody needs you")
        app.stop_working()


async def test_rules_are_read_once_at_the_start_and_once_for_a_mode_with_its_own(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    reparse = Stylesheet.reparse
    read: list[Stylesheet] = []

    def noted(rules: Stylesheet) -> None:
        read.append(rules)
        reparse(rules)

    monkeypatch.setattr(Stylesheet, "reparse", noted)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 40)) as pilot:
        desk = Desk(app, pilot)
        await desk.sees("Nobody needs you")
        assert len(read) == 0
        await pilot.press("2")
        await desk.sees("All messages")
        assert len(read) == 1
        await pilot.press("1", "2")
        await desk.sees("All messages")
        assert len(read) == 1
        app.stop_working()
