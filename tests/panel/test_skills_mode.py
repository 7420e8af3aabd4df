"""Mode 4 as one uses it: parts, filters, reading the roots, empty states, sizes."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from panel.asks.skill_inventory import Reading, Stopped, take
from panel.bridge import Bridge
from state.routing.root_commands import AddSkillRoot
from tests.panel.desk import Desk, opened
from tests.panel.hostile import unseen
from tests.panel.screen import lines
from tests.panel.skills_desk import ONE, cursor, flowing, part, routing, skills, whole
from tests.panel.test_hostile_overview import colours
from tests.state.routing_support import BUILD, DEBUG, DOCX
from tests.state.world import World


async def test_an_empty_project_teaches_in_every_part(world: World) -> None:
    async with opened(world) as desk:
        mode = await skills(desk)
        for said in (
            "No request yet.",
            "adapter register builtin:claude-code",
            "hook settings claude-code",
            "route suggest --sample s-01",
            "No skill is known yet",
            "sublation-panel route index",
            "No skill was found in the roots.",
            "sublation-panel skill roots add DIR",
            "No host's adapter has asked the router yet",
        ):
            await desk.until(lambda said=said: said in flowing(desk), said)  # type: ignore[misc]
        await desk.sees("0 skills · 0 of 6 roots read")
        await desk.press("enter", "p", "enter", "p", "enter", "p", "slash", "y", "escape")
        assert mode.part == "figures"
        assert desk.app.screen is mode


async def test_one_key_goes_through_the_parts_and_the_mouse_is_not_needed(
    world: World, tmp_path: Path
) -> None:
    routing(world, tmp_path)
    async with opened(world, (80, 24)) as desk:
        await skills(desk)
        for titles in (
            ("Requests", "p: skills"),
            ("Skills (3 · index of 3 profiles by router-1)", "p: inventory"),
            ("Inventory (3 skills · 1 of 7 roots read",),
            ("Router and hosts", "p: requests"),
            ("Requests", "p: skills"),
        ):
            await desk.sees(*titles)
            shown = [name for name in ("Requests", "Skills", "Inventory") if desk.line(f"─{name}")]
            assert len(shown) <= 1
            await desk.press("p")


async def test_all_parts_stand_beside_each_other_where_there_is_room(
    world: World, tmp_path: Path
) -> None:
    routing(world, tmp_path)
    async with opened(world) as desk:
        mode = await skills(desk)
        for title in ("Requests", "Skills (3", "Inventory (3 skills", "Router and hosts"):
            await desk.sees(f" {title}")
        assert desk.line("━ Requests")
        await desk.press("tab")
        await desk.until(lambda: mode.part == "skills", "the skills have the keys")
        await desk.press("down", "enter")
        await whole(desk, "debug-it", "2 suggested never")
        await desk.press("y")
        assert desk.app.clipboard == "debug-it"


async def test_what_comes_while_one_looks_leaves_the_cursor_on_its_request(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    for number in range(3):
        made.suggest(f"r{number}", BUILD, DOCX, host="claude-code")
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("▸ r2")
        await desk.press("down")
        await desk.sees("▸ r1")
        made.suggest("r9", DEBUG, host="claude-code")
        await desk.sees("  r9")
        assert "▸ r1" in cursor(desk)
        made.happened("r1", "pre_tool_use")
        await desk.sees("▸ r1", "not invoked · requ")
        await desk.press("enter", "up")
        await whole(desk, "request r1")
        made.receipt("r1")
        await whole(desk, "● invoked: docx")
        await desk.press("escape", "y")
        assert desk.app.clipboard == "r1"


async def test_requests_are_paged_from_the_index(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    for number in range(230):
        made.choose(f"r{number:03}", "docx")
    async with opened(world) as desk:
        mode = await skills(desk)
        await desk.sees("Requests (230 · newest first)")
        assert mode.requests.rows_held < 230
        await desk.press("end")
        await desk.sees("▸ r000")
        await desk.press("slash")
        await desk.write("r11 docx")
        await desk.press("enter")
        await desk.sees("Requests (10 found · filter r11 docx)")
        await desk.sees("▸ r119")
        await desk.until(lambda: mode.requests.count == 10, "all are in the list")
        await desk.press("end", "enter")
        await whole(desk, "request r110")
        await desk.press("escape", "slash", "ctrl+u")
        await desk.write("nowhere")
        await desk.press("enter")
        await desk.sees("Nothing here is let through by this filter.")
        await desk.press("escape")
        await desk.sees("Requests (230 · newest first)")
        await desk.sees("▸ r229")


async def test_reading_the_roots_can_be_stopped_and_begun_again(
    world: World, tmp_path: Path
) -> None:
    routing(world, tmp_path)
    async with opened(world) as desk:
        mode = await skills(desk)
        await part(desk, "inventory")
        before = mode.taken
        mode.take_inventory()
        assert "folders so far" in mode.inventory_title()
        mode.leave_open()
        assert not mode.is_reading
        await desk.sees("reading stopped; what was listed before stays")
        assert mode.taken is before
        await desk.sees("docx", "◈ not promoted")
        await desk.press("u")
        await desk.until(lambda: mode.taken is not before, "read again")


def test_a_reading_that_is_stopped_looks_into_no_further_folder(
    world: World, tmp_path: Path
) -> None:
    for number in range(50):
        (tmp_path / "many" / str(number)).mkdir(parents=True)
    world.run(AddSkillRoot(str(tmp_path / "many"), ()))
    bridge = Bridge(world.paths, world.clock, Event())
    reading = Reading(Event())
    assert take(bridge, reading).inventory.folders == reading.folders == 51
    stopped = Reading(Event())
    stopped.stop()
    with pytest.raises(Stopped):
        take(bridge, stopped)
    assert stopped.folders == 1


@pytest.mark.rule("S12")
async def test_looking_writes_nothing_neither_into_skills_nor_into_the_journal(
    world: World, tmp_path: Path
) -> None:
    made = routing(world, tmp_path)
    made.suggest(ONE, BUILD, DOCX, host="claude-code")
    before = world.log(), _tree(made.skills)
    async with opened(world) as desk:
        mode = await skills(desk)
        for key in ("enter", "escape", "p", "enter", "u", "p", "down", "enter", "y", "p", "u"):
            await desk.press(key)
        await desk.until(lambda: not mode.is_reading, "read")
    assert (world.log(), _tree(made.skills)) == before


def _tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


async def test_every_size_shows_every_part_and_what_is_opened(world: World, tmp_path: Path) -> None:
    made = routing(world, tmp_path)
    made.suggest(ONE, BUILD, DOCX, host="claude-code")
    async with opened(world) as desk:
        mode = await skills(desk)
        await desk.sees("→ docx")
        for size in ((80, 24), (40, 10), (20, 5), (1, 1)):
            await desk.pilot.resize_terminal(*size)
            if size[0] >= 20:
                await desk.sees("○ not invoked")
            for _ in range(4):
                await desk.press("enter", "escape", "p")
                drawn(desk)
            if size[0] >= 40:
                await desk.press("enter")
                await desk.sees("request claude-code:s1:toolu_1")
                await desk.press("escape")
            assert mode.part == "requests"
        await desk.pilot.resize_terminal(120, 40)
        await desk.sees("Requests (1 · newest first)")


def drawn(desk: Desk) -> None:
    """Nothing on the screen is unseen."""
    for line in lines(desk.app):
        assert unseen(line) == set(), line


async def test_without_colour_every_state_still_has_its_sign_and_word(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    made = routing(world, tmp_path)
    made.suggest(ONE, BUILD, DOCX, host="claude-code")
    made.receipt(ONE)
    async with opened(world) as desk:
        await skills(desk)
        await desk.sees("◈ profiled (not promoted)", "→ docx", "· no report", "● invoked: docx")
        await desk.sees("◈ not promoted")
        await desk.sees("fallback", "░")
        assert {colour.ansi for colour in colours(desk)} <= {-1}
