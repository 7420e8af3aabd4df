"""Every string of fault 41 as name, folder, description, host and locator of skills (M9)."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from panel.widgets.paged_list import PagedList
from panel.widgets.safe_input import SafeInput
from state.routing.commands import Choose
from state.routing.operations import Locator
from state.routing.root_commands import AddSkillRoot
from tests.panel import hostile
from tests.panel.desk import opened
from tests.panel.skills_desk import part, routing, skills
from tests.panel.test_hostile_overview import sound
from tests.state.routing_support import Desk as Routing
from tests.state.world import World

LABEL = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,120}")
PATHS, BODIES = hostile.paths(), hostile.bodies()
LABELS = [text for text in hostile.titles().values() if LABEL.fullmatch(text)]


@pytest.fixture
def attacked(world: World, tmp_path: Path) -> Routing:
    """A request for each hostile label, and a folder and a skill for each hostile name and text."""
    made = routing(world, tmp_path)
    for number, text in enumerate(LABELS):
        place = Locator(text, text, text, text, f"/tmp/{text}", 7, "ab" * 32)
        if number % 2:
            world.run(Choose(f"r{number}", text, "docx", "codex"))
        kind = "pre_tool_use" if number % 3 else "post_tool_use"
        made.happened(f"r{number}", kind, skill=text, locator=place)
    root = tmp_path / "evil [/a] $other 日本語"
    for text in PATHS.values():
        folder = os.fsencode(root) + b"/" + text.encode("utf-8", "surrogateescape")
        os.makedirs(folder)
        with open(folder + b"/SKILL.md", "w") as file:
            file.write("---\nname: x\ndescription: y\n---\n")
    for number, text in enumerate(BODIES.values()):
        folder_of_text = root / f"text{number}"
        folder_of_text.mkdir()
        said = json.dumps({"name": text[:200], "description": text[:20_000], text[:50]: 1})
        (folder_of_text / "SKILL.md").write_text(f"---\n{said}\n---\n")
        (folder_of_text / "routing.json").write_text(json.dumps({text[:80]: text[:200]}))
    os.symlink("[@click=app.quit]x[/]\x1b[2J", root / "away")
    world.run(AddSkillRoot(str(root), ()))
    return made


@pytest.mark.rule("M9")
@pytest.mark.parametrize("size", [(120, 40), (40, 10)])
async def test_lists_are_drawn_as_visible_text(attacked: Routing, size: tuple[int, int]) -> None:
    async with opened(attacked.world, size) as desk:
        mode = await skills(desk)
        for name in ("requests", "skills", "inventory"):
            await part(desk, name)
            paged = mode.query_one(f"#{name}")
            for _ in range(paged.virtual_size.height // max(paged.size.height - 2, 1) + 1):
                sound(desk)
                await desk.press("pagedown")
        sound(desk)


@pytest.mark.rule("M9", "S13")
async def test_what_is_opened_is_drawn_as_visible_text(attacked: Routing) -> None:
    async with opened(attacked.world, (120, 40)) as desk:
        mode = await skills(desk)
        assert mode.taken is not None
        assert len(mode.taken.inventory.skills) == 3 + len(PATHS) + len(BODIES)
        for name, step in (("requests", 9), ("skills", 11), ("inventory", 17)):
            await part(desk, name)
            await desk.press("enter")
            await desk.until(lambda: mode.pane.key is not None, "opened")
            paged = mode.query_one(f"#{name}", PagedList)
            for position in range(0, paged.count, step):
                paged.jump(position)
                await desk.pilot.pause()
                sound(desk)
                mode.pane.scroll_end(animate=False)
                await desk.pilot.pause()
                sound(desk)
                mode.action_copy()
                assert hostile.unseen(desk.app.clipboard) == set()
            await desk.press("escape")


@pytest.mark.rule("M9")
async def test_what_is_typed_as_a_filter_is_drawn_as_visible_text(attacked: Routing) -> None:
    async with opened(attacked.world, (80, 24)) as desk:
        mode = await skills(desk)
        for text in ("[/a]", "$other", "日本語"):
            await desk.press("slash")
            mode.query_one(SafeInput).value = text
            await desk.press("enter")
            await desk.sees("found · filter", text)
            sound(desk)
