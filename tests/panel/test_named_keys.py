"""Words on the screen name the keys that are bound now, not those of the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from panel import keymap
from tests.panel.desk import opened
from tests.panel.test_queue import type_filter
from tests.state.world import World

OWN = {
    "message.write": "w",
    "seat.menu": "z",
    "seat-menu.add": "n",
    "seat-menu.rename": "N",
    "go.back": "f9",
    "list.open": "f7",
    "line.leave": "f8",
    "skills.read": "R",
    "draft.keep": "f4",
    "skills.part": "n",
    "wake.policy": "f5",
    "wake.switch": "f6",
}


@pytest.fixture(autouse=True)
def _own_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    place = keymap.place()
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(OWN), encoding="utf-8")
    assert keymap.read(place).notes == ()


async def test_empty_lists_name_the_keys_that_fill_them(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    world = World(tmp_path_factory.mktemp("empty"))
    async with opened(world) as desk:
        await desk.sees("Press z, then n, to take an agent in")
        await desk.press("2")
        await desk.sees("No message yet. Press w to write one")
        await desk.press("3")
        await desk.sees("press z, then n")
        await desk.misses("choose an agent's seat")
    world.close()


async def test_filters_name_the_key_that_takes_them_away(world: World) -> None:
    world.post("codex", "user")
    async with opened(world) as desk:
        await desk.press("2")
        await desk.sees("All messages: 1")
        await type_filter(desk, "kind:task")
        await desk.sees("Press f9 to")
        await desk.press("f9")
        await desk.sees("All messages: 1")
        await desk.press("8")
        await type_filter(desk, "op:task_done")
        await desk.sees("Press f9 to")


async def test_rows_say_how_they_are_opened_and_menus_what_is_pressed(world: World) -> None:
    world.post("codex", "user", kind="question", title="which branch?")
    async with opened(world, (80, 24)) as desk:
        await desk.sees("which branch?", "›")
        await desk.misses("⏎")
        await desk.press("z")
        await desk.sees("N", "rename", "what is shown")
        await desk.sees("n  add", "a new agent seat")
        await desk.sees("n add l host h hide/show N name w away c·close x deactivate u·restore")


async def test_the_palette_names_the_key_of_each_command(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("ctrl+p")
        await desk.sees("Search for commands")
        await desk.write("seat")
        await desk.sees("z: add, label, hide, rename")


async def test_the_question_before_leaving_names_its_keys(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("w")
        await desk.until(lambda: getattr(desk.app.focused, "id", "") == "to", "the first field")
        await desk.write("codex")
        await desk.press("escape")
        await desk.sees("Leave what you have written?", "f4 keep as a draft")


async def test_a_seat_without_a_policy_names_the_key_of_its_form(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("3")
        await desk.sees("Press f5")
