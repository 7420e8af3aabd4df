"""The question whether a project was moved or is a copy, and what its answers do (fault 26)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from panel.screens.moved import Moved
from state.command import Actor
from state.journal import anchor as anchors
from state.journal.anchor import Anchor
from state.messages.commands import Post
from state.paths import FOLDER, Paths
from state.project import Project
from tests.panel.desk import Desk, opened
from tests.panel.test_states import started
from tests.state.journal_support import Disk
from tests.state.world import World


@pytest.fixture
def copy(world: World, tmp_path: Path) -> Paths:
    """The whole project, copied beside the first one."""
    world.post("hermes", "user", title="which branch?", kind="question")
    shutil.copytree(world.folder, tmp_path / "copy")
    return Paths(str(tmp_path / "copy" / FOLDER))


async def asked(desk: Desk) -> None:
    await desk.until(lambda: isinstance(desk.app.screen, Moved), "the question")
    await desk.sees("Moved or copied?")


async def test_a_copy_is_asked_about_and_becomes_a_project_of_its_own(
    world: World, copy: Paths
) -> None:
    before = world.log()
    async with opened(world, paths=copy) as desk:
        await asked(desk)
        await desk.press("c")
        await desk.until(lambda: desk.app.screen is desk.mode, "the overview")
        assert desk.app.snapshot is not None
        assert desk.app.snapshot.health.writable
        await desk.press("tab", "down", "s", "h")
        await desk.until(lambda: desk.said.startswith("saved as r"), "saved")
    assert world.log() == before
    assert b"project_forked" in Disk(copy).log.read_bytes()


async def test_a_copy_of_an_older_state_is_sound_once_it_is_said_to_be_one(
    world: World, copy: Paths
) -> None:
    with Project(world.paths) as project:
        project.run(Post(("user",), "later"), Actor("hermes", "cli"))
        head, root = project.journal.head(), project.journal.root_inode
        anchors.write(Anchor(head.project, head.rev, head.hash, root, project.clock.now()))
    # Not every line is found sound before the answer.
    async with started(Path(copy.project)) as desk:
        await asked(desk)
        await desk.sees("a line is wrong")
        await desk.press("c")
        await desk.until(lambda: desk.app.screen is desk.mode, "the overview")
        await desk.sees("3 lines verified")
        await desk.misses("had been written already")


async def test_a_moved_project_is_the_same_one(world: World, copy: Paths) -> None:
    shutil.rmtree(world.paths.root)
    async with opened(world, paths=copy) as desk:
        await asked(desk)
        await desk.press("m")
        await desk.until(lambda: desk.app.screen is desk.mode, "the overview")
        assert desk.app.snapshot is not None
        assert desk.app.snapshot.health.writable
        await desk.press("tab", "down", "s", "h")
        await desk.until(lambda: desk.said.startswith("saved as r3"), "saved")
    assert b"project_forked" not in Disk(copy).log.read_bytes()


async def test_who_only_looks_is_asked_again_from_what_needs_them(
    world: World, copy: Paths
) -> None:
    before = Disk(copy).everything()
    async with opened(world, paths=copy) as desk:
        await asked(desk)
        await desk.press("escape")
        await desk.sees("■ moved or copied: nothing is written until you say which it is")
        await desk.sees("Needs you (2)")
        await desk.press("s")
        assert desk.app.screen is desk.mode
        await desk.press("home", "enter")
        await asked(desk)
    assert Disk(copy).everything() == before
