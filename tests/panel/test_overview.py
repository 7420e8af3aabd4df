"""The first screen on a real project: who needs the person, the seats, one seat in full."""

from __future__ import annotations

import pytest

from state import looked
from state.looked import Look
from state.messages.commands import Acknowledge
from state.messages.operations import NoEvidence
from state.messages.tasks import AcceptTask, FinishTask
from state.roster.commands import AddSeat, HideSeat, MarkAway, SetLabels
from tests.panel.desk import opened
from tests.state.world import World


async def test_it_says_what_is_known_of_the_project(world: World) -> None:
    world.post("hermes", "user", title="merge the two crawler skills?", kind="question")
    async with opened(world) as desk:
        await desk.sees("sublation-panel · shop", "roster r1", "2 lines verified ✓")
        await desk.sees("12:00:00 UTC+2")
        await desk.sees("watching ●")


async def test_a_question_stands_in_needs_you_until_it_is_answered(world: World) -> None:
    number = world.post("hermes", "user", title="which branch?", kind="question")
    world.clock.move(minutes=3)
    async with opened(world) as desk:
        await desk.sees("Needs you (1)")
        await desk.sees("?", "hermes", "asks: which branch?", f"#{number}", "3 m")
        world.post("user", "hermes", title="main", reply_to=number)
        await desk.misses("asks: which branch?")
        await desk.sees("Nobody needs you", "4 queues, verified to line 3")


async def test_a_task_and_a_result_without_evidence_need_the_person(world: World) -> None:
    task = world.post("user", "codex", title="fix the test", kind="task")
    world.post("gemini", "user", title="approve the release", kind="task")
    world.run(AcceptTask(task), "codex")
    async with opened(world) as desk:
        await desk.sees("☐", "gemini", "has a task for you: approve the release")
        assert not desk.line("codex", "reports")
        world.run(FinishTask(task, NoEvidence()), "codex")
        await desk.sees("=", "codex", "reports", "fix the test")


@pytest.mark.rule("M14")
async def test_silence_is_an_age_and_a_due_seat_is_named(world: World) -> None:
    world.post("user", "codex", title="look at this")
    async with opened(world) as desk:
        await desk.sees("Nobody needs you")
        world.clock.move(minutes=14)
        await desk.sees("look at this", "14 m")
        assert not desk.line("codex", "due")
        world.clock.move(minutes=2)
        await desk.sees("◷", "codex", "due, no look known since: look at this", "16 m")
        text = desk.text().lower()
        assert not any(word in text for word in ("stuck", "fail", "dead", "offline"))


@pytest.mark.rule("M14")
async def test_a_seat_that_looked_is_not_due(world: World) -> None:
    number = world.post("user", "codex", title="look at this")
    world.clock.move(minutes=20)
    async with opened(world) as desk:
        await desk.sees("codex", "due")
        looked.leave(world.paths, "codex", Look(world.clock.now(), number))
        await desk.misses("codex", "due")
        world.clock.move(minutes=4)
        await desk.sees("codex", "○ closed", "4 m")


@pytest.mark.rule("M15")
async def test_a_seat_that_is_away_is_not_due_and_its_mark_names_who_made_it(world: World) -> None:
    world.post("user", "codex", title="look at this")
    world.run(MarkAway("codex", "2026-11-30T12:00:00+00:00", "holiday"), "user")
    world.clock.move(minutes=30)
    async with opened(world) as desk:
        await desk.sees("codex · away")
        assert not desk.line("due")
        await desk.press("tab", "down")
        await desk.sees("away", "until 14:00 (in 1 h), said by you:")
        await desk.sees("holiday")
        world.clock.move(hours=2)
        await desk.sees("codex", "due, no look known since: look at this")
        await desk.sees("away", "was until 14:00 (30 m), said by you:")


@pytest.mark.rule("R6")
async def test_hidden_seats_and_their_unread_are_always_told(world: World) -> None:
    world.post("user", "codex", "hermes", title="one")
    world.post("user", "codex", title="two")
    world.run(HideSeat("codex", world.roster))
    async with opened(world) as desk:
        await desk.sees("Seats (4 · 1 hidden with 2 unread)")
        assert not desk.line("codex", "○ closed")
        world.post("hermes", "codex", title="three")
        await desk.sees("Seats (4 · 1 hidden with 3 unread)")
        await desk.press("H")
        await desk.sees("codex · hidden", "3", "○ closed")


@pytest.mark.rule("R15")
async def test_what_a_hidden_seat_needs_is_shown_with_the_word_hidden(world: World) -> None:
    world.post("codex", "user", title="may I?", kind="question")
    world.run(HideSeat("codex", world.roster))
    async with opened(world) as desk:
        await desk.sees("Needs you (1)")
        await desk.sees("codex", "hidden · asks: may I?")


@pytest.mark.rule("R1")
async def test_the_user_seat_is_called_you(world: World) -> None:
    world.post("codex", "user", title="hello")
    async with opened(world) as desk:
        await desk.sees("▸ you", "1", "—")
        await desk.sees("codex → you")
        assert "user" not in desk.text()


@pytest.mark.rule("R13", "R16")
async def test_labels_are_shown_as_labels_and_the_mode_in_words(world: World) -> None:
    world.run(SetLabels("codex", world.roster, "codex-cli", ("builder", "reviewer")))
    async with opened(world) as desk:
        await desk.press("tab", "down")
        await desk.sees("agent · queue only")
        await desk.sees("host codex-cli · roles builder, reviewer")
        await desk.sees("window", "○ closed")


@pytest.mark.rule("M6")
async def test_looking_moves_no_cursor_and_leaves_no_hint(world: World) -> None:
    number = world.post("user", "codex", title="for codex", body="the text")
    before = world.log()
    async with opened(world) as desk:
        await desk.press("tab", "down")
        await desk.sees("queue", "1 unread", f"#{number}")
        await desk.press("enter", "enter", "escape", "1", "down", "up")
        await desk.sees("codex", "not known")
    assert world.log() == before
    assert world.queue("codex") == (number,)
    assert looked.read(world.paths, "codex") is None


async def test_the_unread_number_is_the_same_after_every_event(world: World) -> None:
    async with opened(world) as desk:
        first = world.post("user", "codex", title="one")
        await desk.sees("codex ", " 1 ", "○ closed")
        world.post("hermes", "codex", title="two")
        await desk.sees("codex ", " 2 ", "○ closed")
        world.run(Acknowledge(first), "codex")
        await desk.sees("codex ", " 1 ", "○ closed")
        assert world.seat("codex").unread == 1


async def test_enter_goes_to_what_is_needed(world: World) -> None:
    number = world.post("hermes", "user", title="which branch?", kind="question", body="main?")
    async with opened(world) as desk:
        await desk.press("enter")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.sees(f"#{number}", "which branch?")


async def test_enter_on_a_seat_lists_its_queue(world: World) -> None:
    world.post("user", "codex", title="for codex")
    world.post("user", "hermes", title="for hermes")
    async with opened(world) as desk:
        await desk.press("tab", "down", "enter")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.sees("for codex")
        await desk.misses("for hermes")


async def test_the_newest_message_stays_in_sight_until_the_person_moves(world: World) -> None:
    async with opened(world) as desk:
        for number in range(5):
            world.post("codex", "user", title=f"message {number}")
            await desk.sees(f"▸ #{number + 2}", f"message {number}")
        await desk.press("tab", "tab", "down")
        await desk.sees("▸ #5", "message 3")
        world.post("codex", "user", title="one more")
        await desk.sees("#7", "one more")
        await desk.sees("▸ #5", "message 3")


async def test_an_empty_project_teaches(tmp_path_factory: pytest.TempPathFactory) -> None:
    world = World(tmp_path_factory.mktemp("empty"))
    async with opened(world) as desk:
        await desk.sees("Nobody needs you", "1 queue, verified to line 1")
        await desk.sees("you", "—")
        await desk.sees("Press s, then a, to take an agent in")
        world.run(AddSeat("codex", 1))
        await desk.sees("Press m to write one")
    world.close()


async def test_many_needs_are_counted_in_full_and_listed_as_far_as_one_looks(
    world: World,
) -> None:
    for number in range(205):
        world.post("hermes", "user", title=f"question {number}", kind="question")
    async with opened(world) as desk:
        await desk.sees("Needs you (205)")
        await desk.press("end")
        await desk.sees("▸", "and 5 more, in your queue")
        await desk.press("enter")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.sees("question 0")
