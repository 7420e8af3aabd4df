"""Projects that are not as they should be: said in words; the last good state stays.

On the screen: faults 14, 20, 21, 28, 30, 31 and 39.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from panel.app import PanelApp
from panel.screens.first_start import FirstStart
from state.create import create
from state.journal import writer as writers
from state.paths import FOLDER, Paths
from state.project import Project
from tests.panel.desk import Desk, opened
from tests.state.clocks import SetClock
from tests.state.journal_support import Disk
from tests.state.world import World


@asynccontextmanager
async def started(folder: Path, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Desk]:
    """A panel on a folder in which there may be no project that can be opened."""
    app = PanelApp(Paths(str(folder / FOLDER)), SetClock())
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        yield Desk(app, pilot)
        app.stop_working()
    assert app.faults == []


# The first start.


async def test_a_folder_without_a_project_is_offered_one(tmp_path: Path) -> None:
    async with started(tmp_path) as desk:
        await desk.sees("No project here yet")
        await desk.sees("no project is open")
        await desk.sees("A project is a folder .sublation-panel/ in it, which only you can read.")
        await desk.sees("export SUBLATION_SEAT=codex")
        assert os.listdir(tmp_path) == []
        await desk.press("tab", "tab")
        await desk.write("codex hermes")
        await desk.press("enter")
        await desk.sees("Nobody needs you", "3 queues, verified to line 1")
        await desk.sees("codex", "○ closed")
    with Project(Paths(str(tmp_path / FOLDER))) as project:
        view = project.view()
        assert view.meta("name") == tmp_path.name
        view.close()


async def test_who_declines_writes_nothing(tmp_path: Path) -> None:
    async with started(tmp_path) as desk:
        await desk.sees("No project here yet")
        await desk.press("escape")
        await desk.until(lambda: desk.app._exit, "the end")
    assert os.listdir(tmp_path) == []


async def test_what_is_wrong_with_the_wish_is_said_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    async with started(tmp_path) as desk:
        await desk.sees("No project here yet")
        await desk.press("tab", "tab")
        await desk.write("Codex")
        await desk.press("enter")
        await desk.sees("'Codex' can't be a seat id")
        assert os.listdir(tmp_path) == []


async def test_a_project_that_somebody_else_makes_meanwhile_is_opened(tmp_path: Path) -> None:
    async with started(tmp_path) as desk:
        await desk.sees("No project here yet")
        create(str(tmp_path), name="theirs", clock=SetClock(), via="cli")
        desk.app.second_passed()
        await desk.sees("theirs", "roster r1")
        await desk.until(lambda: not isinstance(desk.app.screen, FirstStart), "the overview")


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_the_first_start_fits_small_terminals(tmp_path: Path, size: tuple[int, int]) -> None:
    async with started(tmp_path, size) as desk:
        await desk.sees("No project here yet")
        await desk.sees("c create")
        await desk.press("c")
        await desk.sees("Nobody needs you")


# Projects that can't be opened.


async def test_a_folder_that_others_may_write_is_refused_until_that_is_mended(
    world: World,
) -> None:
    os.chmod(world.paths.root, 0o770)
    async with started(world.folder) as desk:
        await desk.sees("the project can't be opened", "group or others may write")
        await desk.sees("chmod -R go-w")
        await desk.press("s")
        assert "no project is open" in desk.said
        os.chmod(world.paths.root, 0o700)
        desk.app.second_passed()
        await desk.sees("Nobody needs you")
        await desk.misses("can't be opened")


async def test_a_newer_format_is_said_and_nothing_is_written(world: World) -> None:
    path = Path(world.paths.format)
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":2'))
    before = Disk(world.paths).everything()
    async with started(world.folder) as desk:
        await desk.sees("a newer program is needed")
    assert Disk(world.paths).everything() == before


# Damage while the panel looks.


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def last_line(disk: Disk) -> None:
    flip(disk.log, -100)


def cut(disk: Disk) -> None:
    disk.log.write_bytes(b"".join(disk.lines[:-1]))


def marked_again(disk: Disk) -> None:
    """As any writer would touch HEAD, so that readers look."""
    os.utime(disk.head)


@pytest.mark.parametrize(
    ("harm", "word"), [(last_line, "damaged"), (cut, "rolled back")], ids=["flipped", "cut"]
)
async def test_the_last_good_state_stays_marked_as_such(
    world: World, harm: Callable[[Disk], None], word: str
) -> None:
    world.post("hermes", "user", title="which branch?", kind="question")
    world.post("user", "codex", title="the last line")
    disk = Disk(world.paths)
    async with opened(world) as desk:
        await desk.sees("asks: which branch?")
        harm(disk)
        harmed = disk.everything()
        marked_again(disk)
        await desk.sees(f"■ {word}: what is shown is the last good state, nothing is written")
        await desk.sees("not sound ✗")
        assert not desk.line("verified ✓")
        await desk.sees("asks: which branch?")
        await desk.sees("codex", "○ closed")
        await desk.sees("the project", word)
        await desk.sees("s·seat…", "m·message")
        await desk.press("m")
        assert "line" in desk.said
        await desk.press("s")
        assert desk.app.screen is desk.mode
        assert disk.everything() == harmed


async def test_a_line_of_a_finished_segment_is_found_by_the_check(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 1000)
    for number in range(5):
        world.post("user", "codex", title=f"message {number}")
    disk = Disk(world.paths)
    disk.log.chmod(0o600)
    flip(disk.log, len(disk.lines[0]) + 200)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        desk = Desk(app, pilot)
        await desk.sees("a line is wrong ✗")
        await desk.sees("■ damaged: line 2")
        assert not desk.line("verified ✓")
        assert not desk.line("Nobody needs you")
        await desk.sees("Needs you (1)")
        await desk.press("enter")
        await desk.sees("▸   r2")
        app.stop_working()


# The folder itself.


@pytest.mark.rule("R10")
async def test_a_folder_that_goes_is_not_made_again_and_opened_when_it_returns(
    world: World, tmp_path: Path
) -> None:
    world.post("hermes", "user", title="which branch?", kind="question")
    async with opened(world) as desk:
        await desk.sees("asks: which branch?")
        away = tmp_path / "away"
        os.rename(world.paths.root, away)
        await desk.sees("the project's folder is gone")
        await desk.sees("asks: which branch?")
        await desk.press("s")
        assert "gone" in desk.said
        assert not os.path.exists(world.paths.root)
        os.rename(away, world.paths.root)
        await desk.misses("■ replaced")
        world.post("codex", "user", title="is it back?", kind="question")
        await desk.sees("asks: is it back?")
        await desk.press("s")
        await desk.sees("host and roles")


async def test_another_folder_in_its_place_is_noticed(world: World, tmp_path: Path) -> None:
    async with opened(world) as desk:
        await desk.sees("shop", "roster r1")
        os.rename(world.paths.root, tmp_path / "away")
        create(str(world.folder), name="other", clock=world.clock, via="cli")
        await desk.sees("other", "roster r1")
