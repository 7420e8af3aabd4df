"""Every string of fault 41 as name, role, host, reason, title and project name, on real screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color

from panel import neutral
from panel.messages import Place
from panel.screens.conflict import Conflict
from panel.screens.form import Form
from panel.screens.refusal import Refusal
from panel.screens.seat_menu import SeatMenu
from state.clock import Clock
from state.create import create
from state.messages.commands import Post
from state.roster.commands import (
    AddSeat,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    RenameSeat,
    SetLabels,
)
from tests.panel import hostile
from tests.panel.desk import Desk, opened
from tests.panel.screen import lines
from tests.state.world import World

UNTIL = "2026-11-30T12:00:00+00:00"
NAMES = list(hostile.names().values())
TITLES = list(hostile.titles().values())


@pytest.fixture
def attacked(world: World) -> World:
    """Seats named, labelled and away, and messages titled, with everything that is hostile."""
    for number, name in enumerate(NAMES):
        seat = f"seat{number:02}"
        world.run(AddSeat(seat, world.roster, name, name[:40], (name[:40],)))
    for number, title in enumerate(TITLES):
        sender = f"seat{number % len(NAMES):02}"
        world.run(Post(("user",), title, kind="question"), sender)
        world.run(MarkAway(sender, UNTIL, title))
    return world


def sound(desk: Desk) -> None:
    """Each line has the width of the screen, and shows nothing that is unseen."""
    width = desk.app.size.width
    for line in lines(desk.app):
        assert neutral.cells(line) == width, line
        assert hostile.unseen(line) == set(), line


def colours(desk: Desk) -> set[Color]:
    return {
        Color.from_rich_color(segment.style.color)
        for strip in desk.app.screen._compositor.render_strips()
        for segment in strip
        if segment.style is not None and segment.style.color is not None
    }


@pytest.mark.rule("M9")
@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10)])
async def test_each_row_and_each_seat_is_drawn_as_visible_text(
    attacked: World, size: tuple[int, int]
) -> None:
    async with opened(attacked, size) as desk:
        sound(desk)
        for key in ("pagedown",) * 30:
            await desk.press(key)
            sound(desk)
        await desk.press("tab")
        for key in ("down",) * (len(NAMES) + 4):
            await desk.press(key)
            sound(desk)
        assert desk.app.title == "sublation-panel"


@pytest.mark.rule("M9")
async def test_dialogs_about_a_hostile_seat_draw_visible_text(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("tab", "down")
        for name in NAMES[::3]:
            if world.seat("codex").name != name:
                world.run(RenameSeat("codex", world.roster, name))
            world.run(SetLabels("codex", world.roster, name[:40], (name[:40],)))
            await desk.sees(f"roster r{world.roster}")
            await desk.press("s")
            await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
            await desk.sees("host and roles")
            sound(desk)
            for key in ("l", "n"):
                await desk.press(key)
                await desk.until(lambda: isinstance(desk.app.screen, Form), "the form")
                sound(desk)
                await desk.press("escape", "s")
                await desk.sees("host and roles")
            await desk.press("escape")


@pytest.mark.rule("M9", "R9")
async def test_a_conflict_with_hostile_events_draws_visible_text(world: World) -> None:
    reasons = [text for text in hostile.bodies().values() if 0 < len(text.strip()) <= 1000]
    async with opened(world, (100, 30)) as desk:
        await desk.press("tab", "down", "s")
        await desk.sees("host and roles")
        await desk.press("n")
        await desk.until(lambda: isinstance(desk.app.screen, Form), "the form")
        await desk.write("Builder")
        for number, reason in enumerate(reasons):
            seat = f"gone{number:02}"
            world.run(AddSeat(seat, world.roster, NAMES[number % len(NAMES)]))
            world.run(DeactivateSeat(seat, world.roster, reason))
        await desk.press("enter")
        await desk.until(lambda: isinstance(desk.app.screen, Conflict), "the conflict")
        sound(desk)
        await desk.press("x")


@pytest.mark.rule("M9")
async def test_what_stands_against_a_change_names_hostile_titles_harmlessly(
    attacked: World,
) -> None:
    attacked.post("user", "seat00", title=TITLES[0], kind="task")
    async with opened(attacked) as desk:
        await desk.app.go(Place("seat", "seat00"))
        await desk.sees("▸ seat00")
        await desk.press("s", "x")
        await desk.until(lambda: isinstance(desk.app.screen, Refusal), "what stands against it")
        sound(desk)


@pytest.mark.rule("M9")
async def test_no_text_chooses_a_colour_of_its_own(world: World, attacked: World) -> None:
    async with opened(attacked) as desk:
        await desk.press("tab", "down", "down", "down", "down")
        await desk.sees("agent · queue only")
        reds = {Color.parse("red"), Color.parse("ansi_red"), Color(128, 0, 0)}
        assert not reds & colours(desk)


@pytest.mark.rule("M9")
@pytest.mark.parametrize("name", NAMES[::3], ids=lambda name: ascii(name)[:30])
async def test_a_hostile_project_name_stays_in_its_place(
    tmp_path: Path, name: str, world: World
) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    clock: Clock = world.clock
    paths = create(str(folder), name=name, clock=clock, via="cli")
    async with opened(world, (80, 24), paths=paths) as desk:
        sound(desk)
        assert "UTC+2" in lines(desk.app)[0]
        await desk.press("ctrl+p")
        await desk.sees("Search for commands")
        sound(desk)


@pytest.mark.rule("M9")
async def test_hidden_and_needed_a_hostile_seat_is_harmless_in_the_palette(
    attacked: World,
) -> None:
    attacked.run(HideSeat("seat00", attacked.roster))
    async with opened(attacked) as desk:
        await desk.press("ctrl+p")
        await desk.sees("Search for commands")
        await desk.write("seat0")
        await desk.sees("seat seat00: menu")
        sound(desk)
