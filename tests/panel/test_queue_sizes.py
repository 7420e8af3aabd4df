"""Queue mode at every size, by mouse, without colour; copying."""

from __future__ import annotations

import pytest

from panel.widgets.paged_list import PagedList
from tests.panel.desk import opened
from tests.panel.test_hostile_overview import colours
from tests.panel.test_queue import cursor, queue, type_filter
from tests.state.world import World


async def test_copying_gives_the_number_and_title_or_the_whole_text(world: World) -> None:
    number = world.post("codex", "user", title="the title", body="line 1\nline 2")
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees("line 2")
        await desk.press("y")
        await desk.until(lambda: desk.app.clipboard == f"#{number} the title", "number and title")
        await desk.press("Y")
        await desk.until(lambda: desk.app.clipboard == "line 1\nline 2", "the text")
        assert desk.said.startswith("copied: the text of")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20), (40, 10), (20, 5), (1, 1)])
async def test_every_size_shows_the_list_and_the_message(
    world: World, size: tuple[int, int]
) -> None:
    number = world.post("codex", "user", title="the title", body="the text")
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees("the text")
        await desk.pilot.resize_terminal(*size)
        await desk.press("enter", "down", "escape", "down", "enter")
        if size[0] >= 40:
            await desk.sees(f"#{number}")
        await desk.pilot.resize_terminal(120, 40)
        await desk.press("escape")
        await desk.sees(f"#{number}", "the title")


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_a_message_opened_from_another_mode_is_read_in_place_of_the_list(
    world: World, size: tuple[int, int]
) -> None:
    world.post("codex", "user", title="which branch?", body="main or next", kind="question")
    for number in range(5):
        world.post("codex", "hermes", title=f"note {number}")
    async with opened(world, size) as desk:
        await desk.press("enter")
        await desk.sees("which branch?")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.press("end")
        await desk.sees("main or next")
        await desk.press("escape")
        await desk.until(lambda: desk.mode.MODE == "overview", "where it was opened")
        await desk.press("2")
        await desk.until(lambda: "which branch?" in cursor(desk), "its row")


async def test_the_mouse_points_and_opens(world: World) -> None:
    numbers = [world.post("codex", "user", title=f"note {n}", body=f"text {n}") for n in range(3)]
    async with opened(world, (80, 24)) as desk:
        paged = await queue(desk)
        await desk.until(lambda: paged.row is not None, "the rows")
        await desk.pilot.click(PagedList, offset=(20, 2))
        await desk.until(lambda: f"#{numbers[1]}" in cursor(desk), "the second row")
        await desk.pilot.double_click(PagedList, offset=(20, 3))
        await desk.sees("text 0")
        await desk.press("escape")
        await desk.until(lambda: f"#{numbers[0]}" in cursor(desk), "back in the list")


async def test_the_seat_menu_and_a_new_message_are_about_what_is_listed(world: World) -> None:
    world.post("codex", "hermes", title="a note")
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: desk.mode.seat_in_hand == "codex", "who wrote it")
        await type_filter(desk, "seat:hermes state:unread")
        await desk.sees("hermes's queue: 1 unread")
        assert desk.mode.seat_in_hand == "hermes"
        await desk.press("m")
        await desk.sees("goes to hermes")


async def test_without_colour_every_state_still_has_its_sign_and_word(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    world.post("codex", "user", title="urgent task", kind="task", urgent=True)
    async with opened(world, (200, 40)) as desk:
        await queue(desk)
        await desk.sees("▸", "!•", "☐ urgent task", "☐ open · • unread", "task")
        await desk.sees("your task ☐ open")
        await desk.press("slash", "escape", "enter", "escape", "m")
        await desk.sees("◉ note")
        assert {colour.ansi for colour in colours(desk)} <= {-1}  # the terminal's own
