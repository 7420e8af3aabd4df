"""What the tests of the skills mode share: a project with skills, and the way to the mode."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Static

from panel.screens.skills import SkillsScreen
from state.routing.root_commands import AddSkillRoot
from tests.panel.desk import Desk
from tests.panel.screen import lines
from tests.state.routing_support import BUILD, DEBUG, DOCX, PYTHON, TEST, write_skill
from tests.state.routing_support import Desk as Routing
from tests.state.world import World

ONE = "claude-code:s1:toolu_1"


def routing(world: World, folder: Path) -> Routing:
    """Three skills with profiles in a root, indexed, and a registered adapter."""
    (folder / "roots").mkdir()
    made = Routing(world, folder / "roots")
    write_skill(made.skills, "docx", {BUILD: 900, DOCX: 800})
    write_skill(made.skills, "debug-it", {DEBUG: 900, PYTHON: 300}, excludes=[TEST])
    write_skill(made.skills, "build-all", {BUILD: 700, TEST: 300})
    world.run(AddSkillRoot(str(made.skills), ()))
    made.register()
    made.index()
    return made


async def skills(desk: Desk) -> SkillsScreen:
    """Goes to the skills mode and waits until its lists are there."""
    await desk.press("4")
    await desk.until(lambda: desk.mode.MODE == "skills", "the skills mode")
    mode = desk.mode
    assert isinstance(mode, SkillsScreen)
    await desk.until(lambda: not mode.is_reading, "the roots are read")
    return mode


async def part(desk: Desk, name: str) -> None:
    """Goes on to a part of the mode."""
    mode = desk.mode
    assert isinstance(mode, SkillsScreen)
    while mode.part != name:
        await desk.press("p")
    await desk.until(lambda: not mode.is_reading, "the roots are read")


def cursor(desk: Desk) -> str:
    """The line with the cursor of the part that has the keys."""
    return next((line for line in lines(desk.app) if "▸" in line), "")


def flowing(desk: Desk) -> str:
    """All words of the screen, wherever lines end."""
    return " ".join(" ".join(lines(desk.app)).split())


async def whole(desk: Desk, *words: str) -> str:
    """Everything that the pane holds, once it holds these words; line ends are blanks."""
    mode = desk.mode
    assert isinstance(mode, SkillsScreen)

    def held() -> str:
        return " ".join(str(mode.pane.query_one(Static).content).split())

    await desk.until(lambda: mode.pane.has_focus and all(one in held() for one in words), "read")
    return held()
