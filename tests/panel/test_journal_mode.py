"""Mode 8: every line, filters, one line as a whole, the check of the chain, the past."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from panel.messages import Place
from panel.screens.earlier import Earlier
from panel.screens.verify import Verify
from panel.widgets.paged_list import PagedList
from state.roster.commands import HideSeat, RenameSeat
from tests.panel import hostile
from tests.panel.big import Big
from tests.panel.desk import Desk, opened
from tests.panel.screen import lines
from tests.panel.settling import held_up
from tests.panel.test_queue import cursor, flowing, type_filter, type_line
from tests.state.world import World


async def journal(desk: Desk) -> PagedList:
    """Goes to the journal mode; its list of all lines."""
    await desk.press("8")
    await desk.until(lambda: desk.mode.MODE == "journal", "the journal")
    await desk.sees("All lines")
    return desk.mode.query_one("#lines", PagedList)


def shown(desk: Desk) -> list[int]:
    """The numbers of the lines in the list, from the top."""
    found = []
    for line in lines(desk.app):
        words = line.split("│")[0].lstrip("▸ ").split()
        if words and words[0].startswith("r") and words[0][1:].isdigit():
            found.append(int(words[0][1:]))
    return found


async def test_every_line_is_listed_newest_first_and_says_what_it_did(world: World) -> None:
    world.post("codex", "user", title="hello")
    world.run(HideSeat("gemini", world.roster))
    async with opened(world) as desk:
        await journal(desk)
        await desk.until(lambda: shown(desk) == [3, 2, 1], "three lines")
        await desk.sees("r3", "you", "hid gemini")
        await desk.sees("r2", "codex", "posted note #2 to you")
        await desk.sees("r1", "created the project shop")
        world.post("hermes", "codex", title="more")
        await desk.until(lambda: shown(desk) == [4, 3, 2, 1], "one more")
        assert "r3" in cursor(desk)


async def test_a_line_is_shown_as_a_whole(world: World) -> None:
    world.post("codex", "user", title="hello", body="the text")
    world.run(RenameSeat("codex", world.roster, "Codex the first"))
    raw = world.log().splitlines(keepends=True)
    stored = world.lines()
    async with opened(world) as desk:
        await journal(desk)
        await desk.sees("it says", "renamed codex to Codex the first")
        await desk.sees("rests on", "roster r1")
        await desk.sees("came by", "cli, a command without a terminal")
        await desk.press("down")
        await desk.sees("it says", "posted note #2 to you")
        words = flowing(desk).replace(" ", "")
        assert stored[1]["prev"] in words
        assert stored[1]["sum"] in words
        assert stored[2]["prev"] in words
        assert f"{len(raw[0]):,}to{len(raw[0]) + len(raw[1]):,}" in words
        await desk.sees('"title": "hello"')
        await desk.press("y")
        await desk.until(lambda: desk.app.clipboard == stored[2]["prev"], "the hash")
        await desk.press("Y")
        await desk.until(lambda: desk.app.clipboard == raw[1].decode().rstrip("\n"), "the bytes")


async def test_lines_are_filtered_by_seat_operation_way_and_time(world: World) -> None:
    world.post("codex", "user")
    world.post("hermes", "user")
    world.run(HideSeat("gemini", world.roster))
    async with opened(world) as desk:
        await journal(desk)
        for text, numbers in (
            ("seat:codex", [2]),
            ("seat:you", [4, 1]),
            ("op:message_posted", [3, 2]),
            ("op:message_posted seat:hermes", [3]),
            ("via:cli", [4, 3, 2, 1]),
            ("via:tui", []),
            ("since:1h op:seat_hidden", [4]),
            ("until:1h", []),
        ):
            await type_filter(desk, text)
            await desk.sees("filter", text)
            await desk.until(
                lambda numbers=numbers: shown(desk) == numbers,  # type: ignore[misc]
                f"{text}: {numbers}",
            )
        await desk.sees("No line is let through by this filter")
        await type_filter(desk, "op:unheard_of")
        await desk.sees("op:unheard_of is not known")
        await desk.press("escape", "escape")
        await desk.until(lambda: shown(desk) == [4, 3, 2, 1], "the filter is gone")


async def test_going_to_a_line(world: World) -> None:
    for _ in range(60):
        world.post("codex", "user")
    async with opened(world, (120, 24)) as desk:
        await journal(desk)
        await type_line(desk, "g", "r7")
        await desk.press("enter")
        await desk.until(lambda: "r7 " in cursor(desk), "the line")
        await type_line(desk, "g", "700")
        await desk.press("enter")
        await desk.sees("there is no line r700")


async def test_letters_act_on_the_message_that_a_line_posted(world: World) -> None:
    world.post("hermes", "user", title="which?", kind="question")
    world.run(HideSeat("gemini", world.roster))
    async with opened(world) as desk:
        await journal(desk)
        await desk.sees("it says", "hid gemini")
        await desk.cannot("reply", "no message")
        await desk.press("r")
        await desk.until(lambda: "no message" in desk.said, "why not")
        await desk.press("down")
        await desk.until(lambda: desk.mode.why_not("reply") is None, "a question")
        await desk.press("r")
        await desk.sees("Reply: #2 which?")


async def test_the_whole_chain_is_checked_with_the_result_in_words(big: Big) -> None:
    async with opened(big) as desk:
        await journal(desk)
        await desk.press("v")
        await desk.until(lambda: isinstance(desk.app.screen, Verify), "the check")
        rev = big.overview().rev
        await desk.sees(f"{rev:,} lines checked and sound")
        await desk.sees("✓ Every line is as it was written")
        await desk.press("escape")
        await desk.until(lambda: desk.app.screen is desk.mode, "closed")


async def test_the_check_can_be_stopped(big: Big, monkeypatch: pytest.MonkeyPatch) -> None:
    from state.journal import verify as module

    real = module._Check._lines
    pressed = threading.Event()

    def slow(check: module._Check, batch: list[bytes]) -> bool:
        pressed.wait()
        return real(check, batch)

    async with opened(big) as desk:
        await journal(desk)
        monkeypatch.setattr(module._Check, "_lines", slow)
        with held_up("verify"):
            await desk.press("v")
            await desk.until(lambda: isinstance(desk.app.screen, Verify), "the check")
            await desk.press("escape")
        pressed.set()
        await desk.sees("Stopped by you: the lines after that were not checked.")
        await desk.press("escape")
        await desk.until(lambda: desk.app.screen is desk.mode, "closed")


async def test_a_changed_byte_is_found_and_named(world: World) -> None:
    for number in range(5):
        world.post("codex", "user", title=f"note {number}")
    async with opened(world) as desk:
        await journal(desk)
        log = Path(world.paths.segment(1))
        data = bytearray(log.read_bytes())
        at = data.index(b"note 1")
        data[at] ^= 1
        log.write_bytes(data)
        await desk.press("v")
        await desk.sees("✗ Something is not as it was written:")
        await desk.sees("damaged at line 3")
        await desk.press("escape")
        await desk.until(lambda: desk.app.screen is desk.mode, "closed")
        paged = await journal(desk)
        paged.refresh_source(paged.count)
        await desk.sees("r3", "can't be shown: line 3")
        await desk.sees("r4", "posted note #4")
        await type_line(desk, "g", "3")
        await desk.press("enter")
        await desk.until(lambda: "can't be shown" in flowing(desk), "the pane")


async def test_the_state_at_an_earlier_line_is_marked_as_the_past(world: World) -> None:
    world.post("codex", "hermes", title="one")
    world.run(HideSeat("gemini", world.roster))
    world.clock.move(hours=2)
    world.post("codex", "hermes", title="two")
    before = world.log()
    async with opened(world) as desk:
        await journal(desk)
        await desk.until(lambda: desk.mode.why_not("line") is None, "a line")
        await desk.press("down", "down")
        await desk.until(lambda: "r2 " in cursor(desk), "line 2")
        await desk.press("e")
        await desk.until(lambda: isinstance(desk.app.screen, Earlier), "the past")
        await desk.sees("the past: nothing here can be changed")
        await desk.sees("The state as it was after line r2, 12:00 (2 h)")
        await desk.sees("1 message, roster r1")
        await desk.sees("hermes", "1", "0", "#0")
        assert not desk.line("gemini", "hidden")
        await desk.press("m", "k", "escape")
        await desk.until(lambda: desk.app.screen is desk.mode, "now")
        await desk.press("up", "e")
        await desk.sees("gemini", "hidden")
    assert world.log() == before


@pytest.mark.rule("M9")
@pytest.mark.parametrize("name", ["click", "clear", "override", "c1 all", "newline", "family"])
async def test_hostile_texts_are_harmless_in_lines_too(world: World, name: str) -> None:
    titles = hostile.titles()
    world.post("codex", "user", title=titles.get(name, "x"), body=hostile.bodies()[name])
    async with opened(world) as desk:
        await journal(desk)
        await desk.sees("r2", "posted note #2")
        await desk.press("enter", "end")
        for line in lines(desk.app):
            assert hostile.unseen(line) == set()
            assert len(lines(desk.app)) == 40


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10), (1, 1)])
async def test_every_size_shows_lines_and_dialogs(world: World, size: tuple[int, int]) -> None:
    world.post("codex", "user", title="hello")
    async with opened(world) as desk:
        await journal(desk)
        await desk.sees("it says")
        await desk.pilot.resize_terminal(*size)
        await desk.press("down", "enter", "down", "escape", "v", "escape", "escape", "e", "escape")
        await desk.until(lambda: desk.app.screen is desk.mode, "all is closed")
        if size[0] >= 40:
            await desk.sees("r1")
        await desk.pilot.resize_terminal(120, 40)
        await desk.sees("All lines: 2")


async def test_a_line_is_opened_from_elsewhere(world: World) -> None:
    for _ in range(60):
        world.post("codex", "user")
    async with opened(world, (120, 24)) as desk:
        await desk.app.go(Place("line", 7))
        await desk.until(lambda: "r7 " in cursor(desk), "the line")
        await desk.app.go(Place("line", 700))
        await desk.sees("there is no line r700")
