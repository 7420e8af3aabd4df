"""Mode 2 on a real project: list, filters, the message beside it, what changes it and what not."""

from __future__ import annotations

import pytest

from panel.widgets.paged_list import PagedList
from panel.widgets.safe_input import SafeInput
from state import looked
from state.looked import Look
from state.messages.commands import Acknowledge
from state.messages.operations import NoEvidence
from state.messages.tasks import AcceptTask, FinishTask
from state.roster.commands import CloseQueue, DeactivateSeat
from tests.panel.desk import Desk, opened
from tests.panel.screen import lines
from tests.state.world import World


async def queue(desk: Desk) -> PagedList:
    """Goes to the queue mode; its list of messages."""
    await desk.press("2")
    await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
    await desk.sees("All messages")
    return desk.mode.query_one("#messages", PagedList)


def shown(desk: Desk) -> list[int]:
    """The numbers of the messages in the list, from the top."""
    found = []
    for line in lines(desk.app):
        words = line.lstrip("▸ ").split()
        if words and words[0].startswith("#") and words[0][1:].isdigit():
            found.append(int(words[0][1:]))
    return found


def cursor(desk: Desk) -> str:
    """The line of the list that carries the cursor."""
    return next((line for line in lines(desk.app) if line.startswith("▸")), "")


def flowing(desk: Desk) -> str:
    """All words of the right half of the screen, wherever lines end."""
    return " ".join(" ".join(line.split("│")[-1] for line in lines(desk.app)).split())


async def type_line(desk: Desk, key: str, text: str) -> None:
    """Types something into the line above the list, in place of what stands there."""
    await desk.press(key)
    await desk.until(lambda: isinstance(desk.app.focused, SafeInput), "the line above")
    await desk.press("ctrl+u")
    await desk.write(text)


async def type_filter(desk: Desk, text: str) -> None:
    await type_line(desk, "slash", text)
    await desk.press("enter")


async def test_an_empty_project_says_what_fills_the_list(world: World) -> None:
    async with opened(world) as desk:
        await desk.press("2")
        await desk.sees("No message yet. Press m to write one")
        await desk.sees("sublation-panel post SEAT")


async def test_messages_are_listed_newest_first_or_oldest_first(world: World) -> None:
    numbers = [world.post("codex", "user", title=f"note {n}") for n in range(4)]
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: shown(desk)[:4] == numbers[::-1], "newest first")
        await desk.sees("All messages: 4", "newest first")
        await desk.press("i")
        await desk.until(lambda: shown(desk)[:4] == numbers, "oldest first")
        await desk.sees("All messages: 4", "oldest first")
        assert f"#{numbers[-1]}" in cursor(desk)


@pytest.mark.rule("M11")
async def test_the_four_facts_come_from_the_journal_and_the_hint_alone(world: World) -> None:
    number = world.post("user", "codex", title="look at this")
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees("looked", "not known")
        await desk.sees("acknowledged", "no")
        world.clock.move(minutes=1)
        looked.leave(world.paths, "codex", Look(world.clock.now(), number))
        world.post("gemini", "hermes", title="something else")
        await desk.press("down")
        await desk.press("up", "down")
        await desk.sees("looked", "12:01")
        await desk.sees("acknowledged", "no")
        await desk.sees("answered", "no")
        world.clock.move(minutes=1)
        reply = world.post("codex", "user", title="yes", reply_to=number)
        await desk.sees("answered", f"#{reply}")
        await desk.sees("acknowledged", "no")
        world.clock.move(minutes=1)
        world.run(Acknowledge(number), "codex")
        await desk.sees("acknowledged", "12:03")
        message = world.message(number)
        assert message.recipients[0].answered == (reply,)
        text = desk.text().lower()
        assert not any(word in text for word in ("delivered", "online", "running", "read ✓"))


@pytest.mark.rule("M11", "R14")
async def test_a_closed_queue_is_told_apart_from_an_acknowledgement(world: World) -> None:
    world.post("user", "codex", title="for nobody")
    world.run(CloseQueue("codex", "the agent is gone"))
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees("no: closed unread by you")
        await desk.sees("the agent is gone")


@pytest.mark.rule("M6")
async def test_looking_at_messages_changes_nothing_at_all(world: World) -> None:
    for seat in ("codex", "gemini"):
        world.post("user", seat, title=f"for {seat}", kind="task")
    before = world.log()
    async with opened(world) as desk:
        await queue(desk)
        await desk.press("down", "enter", "end", "home", "escape", "T", "escape", "up", "i")
        await type_filter(desk, "seat:codex state:unread")
        await desk.sees("codex's queue: 1 unread", "looking changes nothing")
        await desk.press("enter", "escape", "escape")
        await desk.sees("All messages: 2")
    assert world.log() == before
    assert looked.read(world.paths, "codex") is None
    assert world.seat("codex").unread == 1


@pytest.mark.rule("M10")
async def test_filters_narrow_by_seat_sender_kind_state_and_time(world: World) -> None:
    world.clock.move(minutes=-180)
    old = world.post("hermes", "user", title="old")
    world.clock.move(minutes=180)
    task = world.post("user", "codex", title="a task", kind="task")
    other = world.post("gemini", "hermes", title="a question", kind="question")
    async with opened(world) as desk:
        await queue(desk)
        for text, numbers in (
            ("from:hermes", [old]),
            ("seat:hermes", [other, old]),
            ("seat:you", [task, old]),
            ("kind:task", [task]),
            ("state:open", [task]),
            ("state:unread seat:hermes", [other]),
            ("since:1h", [other, task]),
            ("until:1h", [old]),
            ("kind:result", []),
        ):
            await type_filter(desk, text)
            await desk.until(
                lambda numbers=numbers: shown(desk) == numbers,  # type: ignore[misc]
                f"{text}: {numbers}",
            )
            assert desk.line("filter" if "unread" not in text else "queue")
        await desk.sees("No message is let through by this filter")
        await desk.press("escape")
        await desk.until(lambda: shown(desk) == [other, task, old], "the filter is gone")


@pytest.mark.rule("M10")
async def test_a_filter_that_is_not_understood_says_why_and_stays(world: World) -> None:
    world.post("hermes", "user")
    async with opened(world) as desk:
        await queue(desk)
        for text, why in (
            ("crawler", "crawler has no name before it, as in kind:task"),
            ("colour:red", "colour: can't be filtered by; there are seat:, from:, kind:"),
            ("kind:letter", "kind:letter is not known; there are note, question, task"),
            ("from:nobody", "there is no seat nobody"),
            ("since:tomorrow", "tomorrow is no time: as in 30m, 2h, 3d"),
        ):
            await type_filter(desk, text)
            await desk.sees(why)
            await desk.sees(text)
        await desk.press("escape")
        await desk.misses("tomorrow")
        await desk.sees("All messages: 1")


async def test_a_filter_is_completed_by_what_there_is(world: World) -> None:
    world.post("hermes", "user")
    async with opened(world) as desk:
        await queue(desk)
        await type_line(desk, "slash", "fr")
        await desk.sees("from:")
        await desk.press("right")
        await desk.write("h")
        await desk.sees("from:hermes")
        await desk.press("right", "space")
        await desk.write("kind:q")
        await desk.sees("from:hermes kind:question")


async def test_the_cursor_stays_on_its_message_while_others_come(world: World) -> None:
    numbers = [world.post("codex", "user", title=f"note {n}") for n in range(60)]
    async with opened(world, (120, 24)) as desk:
        await queue(desk)
        await desk.press(*["down"] * 30)
        wanted = numbers[-31]
        await desk.until(lambda: f"#{wanted}" in cursor(desk), "thirty down")
        before = shown(desk)
        for n in range(25):
            world.post("hermes", "user", title=f"more {n}")
        await desk.sees("All messages: 85")
        assert f"#{wanted}" in cursor(desk)
        assert shown(desk) == before
        await desk.sees(f"#{wanted}", "note")


async def test_going_to_a_number_takes_away_what_hides_it(world: World) -> None:
    numbers = [world.post("codex", "user", title=f"note {n}") for n in range(50)]
    async with opened(world) as desk:
        await queue(desk)
        await type_filter(desk, "kind:task")
        await desk.sees("No message is let through")
        await type_line(desk, "g", str(numbers[3]))
        await desk.press("enter")
        await desk.until(lambda: f"#{numbers[3]}" in cursor(desk), "the message")
        await desk.sees("note 3")
        assert not desk.line("filter kind:task")
        await desk.press("escape")
        await type_line(desk, "g", "abc")
        await desk.press("enter")
        await desk.sees("a number is needed, as in 1284")


async def test_a_number_that_is_no_message_is_said(world: World) -> None:
    world.post("codex", "user")
    async with opened(world) as desk:
        await queue(desk)
        await type_line(desk, "g", "1")
        await desk.press("enter")
        await desk.until(lambda: "#1" in desk.said, "there is no such message")


@pytest.mark.rule("M7")
async def test_the_state_of_a_task_and_its_evidence_are_shown_as_they_change(
    world: World,
) -> None:
    number = world.post("user", "codex", title="fix it", kind="task")
    async with opened(world, (200, 40)) as desk:
        await queue(desk)
        await desk.sees(f"#{number}", "☐ fix it", "☐ open")
        world.run(AcceptTask(number), "codex")
        await desk.sees(f"#{number}", "◧ fix it", "◧ accepted")
        world.run(FinishTask(number, NoEvidence()), "codex")
        await desk.press("end")
        await desk.sees(f"#{number}", "☑ fix it", "☑ done")
        await desk.sees("evidence: none (the holder said so)")


async def test_the_texts_of_seats_that_left_stay(world: World) -> None:
    number = world.post("codex", "user", title="my last", body="words")
    world.run(DeactivateSeat("codex", world.roster, "over"))
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees(f"#{number}", "codex → you", "my last")
        await desk.sees("words")


async def test_a_missing_text_is_one_damaged_attachment(world: World) -> None:
    number = world.post("codex", "user", title="long", body="long text " * 4000)
    digest = world.lines()[number - 1]["ops"][0]["body"]["sha256"]
    (world.folder / ".sublation-panel" / "blobs" / digest).unlink()
    after = world.post("codex", "user", title="short", body="short text")
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees(f"#{after}", "short")
        await desk.press("down")
        await desk.until(lambda: "one attachment is damaged" in flowing(desk), "the damage")
        await desk.sees(f"#{number}", "long")
        assert desk.app.snapshot is not None
        assert desk.app.snapshot.health.state == "ok"
