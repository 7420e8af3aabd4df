"""A change is shown when the journal comes back with it; a busy lock holds up no key (fault 7)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from panel.screens.confirm import Confirm
from panel.screens.form import Form
from panel.screens.seat_menu import SeatMenu
from state.journal import follow as following
from state.journal.follow import News
from state.journal.journal import Journal
from state.roster.commands import HideSeat
from tests.panel.desk import Desk, holding_lock, opened
from tests.state.world import World


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The follower gives its first news, then holds the others back until this is set."""
    released = threading.Event()
    follow = following.follow

    def slow(journal: Journal, stop: threading.Event) -> Iterator[News]:
        for number, news in enumerate(follow(journal, stop)):
            while number and not released.is_set() and not stop.is_set():
                released.wait(0.01)
            yield news

    monkeypatch.setattr(following, "follow", slow)
    yield released
    released.set()


async def menu(desk: Desk) -> None:
    await desk.press("tab", "down", "s")
    await desk.until(lambda: isinstance(desk.app.screen, SeatMenu), "the seat menu")


@pytest.mark.rule("R10")
async def test_nothing_but_saving_is_shown_until_the_follower_brings_it(
    world: World, held: threading.Event
) -> None:
    async with opened(world) as desk:
        await desk.until(lambda: desk.app.followed is not None, "the first news")
        await menu(desk)
        await desk.press("escape")
        await desk.sees("▸ codex")
        before = [line for line in desk.text().splitlines() if "○ closed" in line]
        await desk.press("s", "h")
        await desk.until(lambda: len(world.lines()) == 2, "the line on the disk")
        # Longer than the panel needs to look at the project by itself.
        for _ in range(5):
            world.clock.move(seconds=1)
            desk.app.second_passed()
            desk.app.retake()
            await desk.pilot.pause(0.05)
            assert desk.said == "saving…"
            shown = [line for line in desk.text().splitlines() if "○ closed" in line]
            assert shown == before
            assert "Seats (4)" in desk.text()
            assert "roster r1" in desk.text()
        held.set()
        await desk.until(lambda: desk.said.startswith("saved as r2"), "saved")
        await desk.sees("Seats (4 · 1 hidden with 0 unread)")


async def test_a_form_stays_until_the_follower_brings_it(
    world: World, held: threading.Event
) -> None:
    async with opened(world) as desk:
        await desk.until(lambda: desk.app.followed is not None, "the first news")
        await menu(desk)
        await desk.press("n")
        await desk.until(lambda: isinstance(desk.app.screen, Form), "the form")
        await desk.write("X")
        await desk.press("enter")
        await desk.until(lambda: len(world.lines()) == 2, "the line on the disk")
        await desk.sees("saving…")
        await desk.sees("name", "X")
        # Sent once, however often the key is pressed.
        await desk.press("f2", "enter")
        assert isinstance(desk.app.screen, Form)
        held.set()
        await desk.until(lambda: desk.app.screen is desk.mode, "the overview")
        assert desk.said.startswith("saved as r2")
    assert len(world.lines()) == 2


async def test_keys_answer_while_another_process_holds_the_lock(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("panel.bridge.WAIT_SECONDS", 60.0)
    world.post("hermes", "user", title="which branch?", kind="question")
    async with opened(world) as desk:
        with holding_lock(world.paths, "hermes") as pid:
            await menu(desk)
            await desk.press("h")
            await desk.until(lambda: str(pid) in desk.said, "who holds the lock")
            assert desk.said.startswith("saving… the project's lock is held by process")
            assert "(seat hermes)" in desk.said
            await desk.press("question_mark")
            await desk.sees("Keys · Overview")
            await desk.press("escape", "H")
            await desk.press("2")
            await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
            await desk.press("1")
            await desk.sees("Needs you (1)")
            assert len(world.lines()) == 2
        await desk.until(lambda: desk.said.startswith("saved as r3"), f"saved, not {desk.said!r}")
    assert world.seat("codex").visibility == "hidden"


async def test_a_lock_that_is_never_let_go_is_named_and_nothing_is_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("panel.bridge.WAIT_SECONDS", 1.0)
    async with opened(world) as desk:
        with holding_lock(world.paths, "gemini") as pid:
            before = world.log()
            await menu(desk)
            await desk.press("n")
            await desk.until(lambda: isinstance(desk.app.screen, Form), "the form")
            await desk.write("X")
            await desk.press("enter")
            await desk.sees("the project's lock is held by process", str(pid), "; waited ")
            await desk.sees("name", "X")
            assert world.log() == before
        await desk.press("f2")
        await desk.until(lambda: desk.said.startswith("saved as r2"), "saved")


async def test_leaving_asks_only_while_something_is_being_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("panel.bridge.WAIT_SECONDS", 60.0)
    async with opened(world) as desk:
        with holding_lock(world.paths, "hermes"):
            await menu(desk)
            await desk.press("h")
            await desk.until(lambda: desk.app.is_writing, "writing")
            await desk.press("q")
            await desk.until(lambda: isinstance(desk.app.screen, Confirm), "the question")
            await desk.sees("Leaving now does not undo it")
            await desk.press("n")
            assert not desk.app._exit
        await desk.until(lambda: desk.said.startswith("saved as r2"), "saved")
        await desk.press("q")
        await desk.until(lambda: desk.app._exit, "the end")


async def test_what_another_process_writes_is_shown_without_a_key(world: World) -> None:
    async with opened(world) as desk:
        await desk.sees("Seats (4)")
        world.run(HideSeat("codex", 1))
        await desk.sees("Seats (4 · 1 hidden with 0 unread)")
        await desk.sees("roster r2", "2 lines verified ✓")
