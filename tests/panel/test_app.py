"""The panel as a whole: modes, keys, help, palette, copying, sizes, colours (fault 42)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Size

from panel import keymap
from panel.screens.help import Help
from panel.screens.seat_menu import SeatMenu
from panel.widgets.banner import Banner
from panel.widgets.header_line import HeaderLine
from panel.widgets.key_footer import KeyFooter
from panel.widgets.say_line import SayLine
from tests.panel.desk import Desk, opened
from tests.state.world import World

SIZES = [(200, 60), (120, 40), (80, 24), (60, 20), (40, 10), (30, 8), (20, 5), (1, 1)]


def busy(world: World) -> None:
    world.post("hermes", "user", title="merge the two crawler skills?", kind="question")
    world.post("codex", "user", title="approve the release", kind="task")
    world.post("user", "all", title="hello everybody")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_it_works_at_any_size(world: World, size: tuple[int, int]) -> None:
    busy(world)
    async with opened(world, size) as desk:
        await desk.press("tab", "down", "s")
        await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
        await desk.press("escape", "question_mark")
        await desk.until(lambda: isinstance(desk.app.screen, Help), "the help")
        await desk.press("escape")
        width, height = size
        shown = desk.text().splitlines()
        assert len(shown) == height
        assert all(len(line) <= width for line in shown)


async def test_at_forty_columns_needs_and_decision_keys_are_there(world: World) -> None:
    busy(world)
    async with opened(world, (40, 10)) as desk:
        await desk.sees("Needs you (2)")
        await desk.sees("?", "hermes", "asks: merge")
        await desk.sees("☐", "codex", "has a task")
        await desk.sees("k", "r", "t", "m", "s", "q", "?")
        await desk.sees("shop", "r1", "4 ✓", "●")


async def test_at_eighty_columns_nothing_is_lost(world: World) -> None:
    busy(world)
    async with opened(world, (80, 24)) as desk:
        await desk.sees("shop", "roster r1", "4 lines verified ✓", "watching ●", "UTC+2")
        await desk.sees("asks: merge the two crawler skills?")
        await desk.sees("seat", "unread", "tasks", "looked")
        await desk.sees("hello everybody")
        await desk.press("tab", "down")
        await desk.sees("agent · queue only")
        await desk.sees("window", "○ closed")


async def test_it_may_be_resized_while_it_works(world: World) -> None:
    busy(world)
    async with opened(world) as desk:
        for size in (*SIZES, *reversed(SIZES)):
            await desk.pilot.resize_terminal(*size)
            await desk.press("tab", "down")
            assert desk.app.size == Size(*size)
        world.post("gemini", "user", title="still there?", kind="question")
        await desk.sees("asks: still there?")


async def test_without_colour_every_state_has_its_sign_and_word(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    busy(world)
    async with opened(world) as desk:
        await desk.sees("4 lines verified ✓", "watching ●")
        await desk.sees("?", "asks")
        await desk.sees("○ closed")
        strips = desk.app.screen._compositor.render_strips()
        for line_filter in desk.app.get_line_filters():
            strips = [
                strip.apply_filter(line_filter, desk.app.screen.background_colors[1])
                for strip in strips
            ]
        styles = [segment.style for strip in strips for segment in strip if segment.style]
        assert styles
        assert all(style.color is None or style.color.is_default for style in styles)
        assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)


async def test_without_colour_the_mode_stays_in_sight_below_a_dialog(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(world) as desk:
        await desk.press("question_mark")
        await desk.sees("Keys · Overview")
        assert desk.app.screen.styles.background.is_transparent


@pytest.mark.parametrize("theme", ["sublation-dark", "sublation-light", "sublation-plain"])
async def test_each_theme_is_worn_from_the_palette(world: World, theme: str) -> None:
    async with opened(world) as desk:
        desk.app.theme = theme
        await desk.sees("Nobody needs you")


async def test_numbers_switch_modes_and_those_not_built_do_nothing(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("2")
        assert desk.mode.MODE == "queue"
        for key in ("5", "6", "7"):
            await desk.press(key)
            assert desk.mode.MODE == "queue"
        await desk.press("1")
        assert desk.mode.MODE == "overview"


async def test_the_help_says_the_keys_as_they_are_bound(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "config" / "sublation-panel"
    place.mkdir(parents=True)
    (place / "keys.json").write_text('{"seat.menu": "z", "no.such": "x"}')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert keymap.place() == place / "keys.json"
    async with opened(world) as desk:
        notes = [note.message for note in desk.app._notifications]
        assert any("no.such: no such binding" in note for note in notes)
        await desk.press("question_mark")
        await desk.sees("z  add, label, hide")
        await desk.sees("k  acknowledge the next message due to you")
        await desk.press("escape", "s")
        assert desk.app.screen is desk.mode
        await desk.press("z")
        await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")


async def palette(desk: Desk, text: str) -> None:
    await desk.press("ctrl+p")
    await desk.sees("Search for commands")
    await desk.write(text)


async def test_the_palette_finds_keys_and_seats(world: World) -> None:
    async with opened(world) as desk:
        await palette(desk, "seat codex menu")
        await desk.sees("seat codex: menu")
        await desk.press("enter")
        await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
        await desk.sees("Seat: codex")
        await desk.press("escape")
        await palette(desk, "overview")
        await desk.press("enter")
        assert desk.mode.MODE == "overview"


async def test_what_can_not_act_says_why_in_one_line(world: World) -> None:
    async with opened(world) as desk:
        await desk.cannot("acknowledge", "unread")
        await desk.sees("k·ack")
        await desk.press("k")
        assert "unread" in desk.said
        first = desk.said
        await desk.press("r")
        assert desk.said
        assert desk.said != first
        assert "\n" not in desk.said


async def test_what_is_under_the_cursor_is_copied_with_nothing_unseen_in_it(
    world: World,
) -> None:
    world.post("hermes", "user", title="look\u202e at\x1b]52;c;x\x07 this", kind="question")
    async with opened(world) as desk:
        await desk.press("y")
        copied = desk.app.clipboard
        assert copied == desk.said.removeprefix("copied: ")
        assert "hermes asks: look⟨U+202E⟩ at" in copied
        assert copied.isprintable()
        await desk.press("tab", "down", "y")
        assert desk.app.clipboard == "codex"


async def test_the_mouse_reaches_what_keys_reach(world: World) -> None:
    busy(world)
    async with opened(world) as desk:
        await desk.pilot.click("#seats", offset=(6, 3))
        await desk.sees("▸ codex")
        await desk.pilot.click("KeyFooter", offset=(desk.line("s seat…").index("s seat…"), 0))
        await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")
        await desk.sees("Seat: codex")


async def test_a_mode_that_is_not_seen_may_take_an_answer_while_the_panel_ends(
    world: World,
) -> None:
    async with opened(world) as desk:
        await desk.press("2")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        footer = desk.mode.query_one(KeyFooter)
        await desk.press("1")
    assert desk.app.screen_stack == []
    with desk.app._context():
        footer.refresh_keys()


async def test_a_second_that_passes_while_the_panel_ends_finds_a_mode_without_its_widgets(
    world: World,
) -> None:
    async with opened(world) as desk:
        desk.app.stop_working()
        for kind in (HeaderLine, SayLine, Banner):
            await desk.mode.query_one(kind).remove()
        desk.app.second_passed()
        desk.app.say("too late")
        desk.app.show_snapshot()
        assert desk.app.base is desk.mode
