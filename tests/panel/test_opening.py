"""Opening: what takes long says how far it is, and nothing is called checked that wasn't.

Without a watcher it polls, with a notice; a doubtful index is built anew (faults 16 and 27).
"""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from panel import live
from panel.app import PanelApp
from panel.following import UNWATCHED_SECONDS
from panel.present import header
from panel.snapshot import Verified
from state.index import build
from state.index.names import CODE
from state.journal import verify as verifying
from state.journal.doorbell import Doorbell
from state.paths import shell_word
from tests.panel.desk import Desk, opened
from tests.panel.settling import held_up
from tests.state.world import World


@pytest.mark.parametrize(
    ("checked", "said"),
    [
        (Verified(), "checking 0 %"),
        (Verified(0, 1284), "checking 0 %"),
        (Verified(437, 1284), "checking 34 %"),
        (Verified(1283, 1284), "checking 99 %"),
        (Verified(1284, 1284), "1,284 lines verified ✓"),
        (Verified(1, 1), "1 line verified ✓"),
        (Verified(1284, 1284, "line 7 is damaged"), "a line is wrong ✗"),
    ],
)
def test_the_header_says_how_much_was_checked(checked: Verified, said: str) -> None:
    assert header.verified(checked, long=True).plain == said


async def test_lines_are_called_verified_once_they_were(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        world.post("codex", "user", title=f"message {number}")
    held = threading.Event()
    verify = verifying.verify

    def slow(*args: object, **options: object) -> object:
        held.wait(60)
        return verify(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(verifying, "verify", slow)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        desk = Desk(app, pilot)
        with held_up("check"):
            await desk.sees("checking 0 %")
            world.post("codex", "user", title="one more")
            await desk.sees("one more")
            assert not desk.line("verified ✓")
            await desk.until(lambda: not desk.line("Nobody needs you", "verified to line"))
        held.set()
        await desk.sees("7 lines verified ✓")
        app.stop_working()
    assert app.faults == []


async def test_building_the_index_says_how_far_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        world.post("codex", "user", title=f"message {number}")
    world.project.close()
    for path in Path(world.paths.cache).glob("index*"):
        path.unlink()
    monkeypatch.setattr(build, "BATCH", 10)
    said: list[str] = []
    say = PanelApp.say

    def heard(app: PanelApp, text: str, *args: object, **options: object) -> None:
        said.append(text)
        say(app, text, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(PanelApp, "say", heard)
    async with opened(world) as desk:
        await desk.sees("61 lines verified ✓")
        assert desk.said == ""
    building = [text for text in said if text.startswith("building the index: ")]
    assert building
    assert building[-1].endswith("% of 61 lines")


async def test_an_index_that_sqlite_doubts_is_built_anew(world: World) -> None:
    for number in range(30):
        world.post("codex", "user", title=f"message {number}")
    world.project.close()
    index = Path(world.paths.index(CODE))
    data = bytearray(index.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 8] = b"\xff" * 8
    index.write_bytes(data)
    async with opened(world) as desk:
        await desk.sees("31 lines verified ✓")
        await desk.sees("you", "30")
        await desk.sees("message 29")


async def test_without_a_watcher_it_polls_and_says_so_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Doorbell, "tend", lambda doorbell: False)
    # Seconds pass when the test says so.
    monkeypatch.setattr(live, "TICK_SECONDS", 3600.0)
    async with opened(world) as desk:
        await desk.sees("polling ◌")
        for _ in range(UNWATCHED_SECONDS):
            desk.app.second_passed()
        assert desk.said == "no watcher is to be had: changes are looked for each second"
        await desk.press("H")
        for _ in range(2 * UNWATCHED_SECONDS):
            desk.app.second_passed()
        assert desk.said == "hidden and inactive seats are shown"
        world.post("codex", "user", title="seen all the same", kind="question")
        await desk.sees("asks: seen all the same")
        monkeypatch.undo()
        await desk.sees("watching ●")


async def test_what_can_be_done_about_a_project_that_cannot_be_opened_has_its_room(
    world: World,
) -> None:
    mends = shell_word(world.paths.head_dir)
    shutil.rmtree(world.paths.head_dir)
    app = PanelApp(world.paths, world.clock)
    async with app.run_test(size=(120, 24), notifications=True) as pilot:
        desk = Desk(app, pilot)
        await desk.sees("the project can't be opened: the folder head is missing")
        await desk.sees(mends[-20:])
        app.stop_working()
    assert app.faults == []
