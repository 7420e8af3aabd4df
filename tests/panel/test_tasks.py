"""Acknowledging and working on tasks by key: the rules decide, the screen says why not (M5, M7)."""

from __future__ import annotations

from hashlib import sha256

import pytest

from panel.parts.message_actions import MessageActions
from panel.screens.confirm import Confirm
from panel.screens.form import Form
from panel.screens.task_done import TaskDone
from panel.screens.task_menu import TaskMenu
from panel.widgets.choice import Choice
from panel.widgets.key_footer import KeyFooter
from panel.widgets.safe_input import SafeInput
from state.messages.tasks import AcceptTask, DeclineTask
from tests.panel.desk import Desk, opened
from tests.panel.test_queue import cursor, flowing, queue
from tests.state.world import World


def acts(desk: Desk, binding: str) -> bool:
    """Whether the footer shows that a key can act."""
    return {item.label: item.acts for item in desk.mode.query_one(KeyFooter).items()}[binding]


async def menu(desk: Desk, number: int) -> None:
    """Brings the cursor to a task and opens its menu."""
    await desk.until(lambda: f"#{number} " in cursor(desk), f"the cursor on #{number}")
    await desk.until(lambda: desk.mode.why_not("task") is None, "something may be done")
    await desk.press("t")
    await desk.until(lambda: isinstance(desk.app.screen, TaskMenu), "the menu")
    await desk.sees(f"Task #{number}")
    await desk.until(lambda: desk.line("accept") or desk.line("cancel"), "the choices")


async def closed(desk: Desk) -> None:
    """No dialog lies over the mode any more."""
    await desk.until(lambda: desk.app.screen is desk.mode, "the mode")


@pytest.mark.rule("M5")
async def test_the_next_message_due_is_acknowledged_and_stays_readable(world: World) -> None:
    first = world.post("codex", "user", title="one", body="text of one")
    second = world.post("hermes", "user", title="two")
    async with opened(world) as desk:
        await queue(desk)
        await desk.sees(f"#{first}", "•", "one")
        await desk.until(lambda: f"#{second}" in cursor(desk), "the newest is under the cursor")
        await desk.until(lambda: desk.mode.why_not("acknowledge") is None, "something is due")
        world.clock.move(minutes=1)
        await desk.press("k")
        await desk.sees("saved as r4")
        assert world.queue("user") == (second,)
        await desk.press("down")
        await desk.sees("text of one")
        await desk.sees("acknowledged", "12:01")
        mode = desk.mode
        assert isinstance(mode, MessageActions)
        await desk.until(lambda: mode._due and mode._due.number == second, "the other is due")
        await desk.press("k")
        await desk.sees("saved as r5")
        await desk.cannot("acknowledge", "nothing is unread")
        await desk.until(lambda: not acts(desk, "ack"), "nothing is due")
        await desk.press("k")
        await desk.until(lambda: "nothing is unread" in desk.said, "why not")
    assert [line["ops"][0]["through"] for line in world.lines()[3:]] == [first, second]
    assert len(world.lines()) == 5


@pytest.mark.rule("M5")
async def test_what_is_still_open_is_acknowledged_only_after_a_question(world: World) -> None:
    question = world.post("hermes", "user", title="which branch?", kind="question")
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: desk.mode.why_not("acknowledge") is None, "something is due")
        await desk.press("k")
        await desk.until(lambda: isinstance(desk.app.screen, Confirm), "the question")
        await desk.sees(f"Acknowledge #{question}?")
        await desk.sees("hermes: which branch?")
        await desk.sees("It is still open")
        await desk.press("n")
        await closed(desk)
        assert world.queue("user") == (question,)
        world.post("user", "hermes", title="main", reply_to=question)
        await desk.sees("answered", "#3")
        mode = desk.mode
        assert isinstance(mode, MessageActions)
        await desk.until(lambda: mode._due and not mode._due.still_open, "nothing to ask about")
        await desk.press("k")
        await desk.sees("saved as r4", f"#{question} from hermes acknowledged")
        assert world.queue("user") == ()


@pytest.mark.rule("M5")
async def test_a_question_is_acknowledged_when_the_person_says_so(world: World) -> None:
    world.post("hermes", "user", title="do it", kind="task")
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: desk.mode.why_not("acknowledge") is None, "something is due")
        await desk.press("k")
        await desk.until(lambda: isinstance(desk.app.screen, Confirm), "the question")
        await desk.press("y")
        await desk.sees("saved as r3")
        assert world.queue("user") == ()
        await desk.sees("☐ open")


@pytest.mark.rule("M7")
async def test_a_task_is_accepted_and_then_finished_with_none_in_so_many_words(
    world: World,
) -> None:
    number = world.post("hermes", "user", title="approve", kind="task")
    async with opened(world) as desk:
        await queue(desk)
        await menu(desk, number)
        await desk.sees("d", "done", "task #2 is open; only an accepted task")
        await desk.press("d")
        await desk.sees("accept it first")
        await desk.press("a")
        await desk.sees("saved as r3")
        await desk.sees("your task ◧ accepted", "by you")
        await menu(desk, number)
        await desk.press("d")
        await desk.until(lambda: isinstance(desk.app.screen, TaskDone), "the evidence")
        await desk.press("f2")
        await desk.sees("name the file, or choose that there is none")
        desk.app.screen.query_one(Choice).value = "none"
        await desk.sees("Everyone will see “evidence: none” on this task.")
        await desk.press("f2")
        await desk.sees("saved as r4")
        await desk.sees("evidence: none (the holder said so)")
        await desk.sees("#4", "= done: approve")
    done, result = world.lines()[-1]["ops"]
    assert done["evidence"] == {"kind": "none"}
    assert (result["kind"], result["to"], result["reply_to"]) == ("result", ["hermes"], number)


@pytest.mark.rule("M7")
async def test_a_file_is_hashed_by_the_program_and_a_later_change_is_shown(world: World) -> None:
    number = world.post("hermes", "user", title="report", kind="task")
    world.run(AcceptTask(number))
    file = world.folder / "report.md"
    file.write_text("the report")
    async with opened(world) as desk:
        await queue(desk)
        await menu(desk, number)
        await desk.press("d")
        await desk.until(lambda: isinstance(desk.app.screen, TaskDone), "the evidence")
        await desk.press("tab")
        named = desk.app.screen.query_one(SafeInput)
        await desk.until(lambda: named.has_focus, "the name")
        named.value = "../outside.md"
        await desk.press("enter")
        await desk.sees("'../outside.md' lies outside the project")
        named.value = "missing.md"
        await desk.press("enter")
        await desk.sees("'missing.md' can't be read: No such file or directory")
        named.value = "report.md"
        await desk.press("enter")
        await desk.sees("saved as r4")
        await desk.until(lambda: "evidence: file report.md (10 B)" in flowing(desk), "the file")
        await desk.until(lambda: "the file is the same now" in flowing(desk), "unchanged")
        file.write_text("another one")
        await desk.until(lambda: "the file has CHANGED since" in flowing(desk), "the change")
        file.unlink()
        await desk.until(lambda: "the file is GONE" in flowing(desk), "the end of it")
    evidence = world.lines()[-1]["ops"][0]["evidence"]
    assert evidence["sha256"] == sha256(b"the report").hexdigest()


@pytest.mark.rule("M7")
async def test_a_message_as_evidence_is_ones_own_and_later(world: World) -> None:
    number = world.post("hermes", "user", title="prove it", kind="task")
    before = world.post("user", "codex", title="too early")
    world.run(AcceptTask(number))
    other = world.post("codex", "user", title="not mine")
    proof = world.post("user", "codex", title="the proof")
    async with opened(world) as desk:
        await queue(desk)
        await desk.press("end")
        await menu(desk, number)
        await desk.press("d")
        await desk.until(lambda: isinstance(desk.app.screen, TaskDone), "the evidence")
        desk.app.screen.query_one(Choice).value = "a message"
        named = desk.app.screen.query_one(SafeInput)
        await desk.sees("written after you accepted")
        for text, why in (
            ("abc", "a number is needed"),
            (str(before), "older than the acceptance"),
            (str(other), "is by codex, not by you"),
            ("99", "there is no message #99"),
        ):
            named.value = text
            await desk.press("f2")
            await desk.sees(why)
        named.value = f"#{proof}"
        await desk.press("f2")
        await desk.sees("saved as r7")
        await desk.sees(f"evidence: message #{proof}")


@pytest.mark.rule("M7")
async def test_a_task_is_declined_with_a_reason(world: World) -> None:
    number = world.post("hermes", "user", title="do it", kind="task")
    async with opened(world) as desk:
        await queue(desk)
        await menu(desk, number)
        await desk.press("x")
        await desk.until(lambda: isinstance(desk.app.screen, Form), "the reason")
        await desk.press("f2")
        await desk.sees("a reason is needed")
        await desk.write("not now")
        await desk.press("enter")
        await desk.sees("saved as r3")
        await closed(desk)
        await desk.sees("your task ☒ declined", "by you")
        await desk.sees("reason: not now")
    declined, result = world.lines()[-1]["ops"]
    assert (declined["reason"], result["body"]) == ("not now", "not now")


@pytest.mark.rule("M7")
async def test_the_user_cancels_one_holders_task_or_everyones(world: World) -> None:
    number = world.post("hermes", "codex", "gemini", title="both", kind="task")
    async with opened(world) as desk:
        await queue(desk)
        await menu(desk, number)
        await desk.sees("a", "accept", "you hold no task")
        await desk.sees("cancel only gemini: open")
        await desk.press("down", "down", "down", "down", "down", "enter")
        await desk.until(lambda: isinstance(desk.app.screen, Form), "the reason")
        await desk.sees("Gemini's task")
        await desk.write("not needed")
        await desk.press("enter")
        await desk.sees("saved as r3")
        await closed(desk)
        await desk.sees("gemini's task ⊘ cancelled")
        await desk.sees("codex's task ☐ open")
        await menu(desk, number)
        await desk.press("c")
        await desk.until(lambda: isinstance(desk.app.screen, Form), "the reason")
        await desk.sees("Every holder's task")
        await desk.write("nor this")
        await desk.press("enter")
        await desk.sees("saved as r4")
        await closed(desk)
        await desk.cannot("task", f"you hold no task #{number}")
        await desk.until(lambda: not acts(desk, "task…"), "nothing may be done any more")
        await desk.press("t")
        await desk.until(lambda: f"you hold no task #{number}" in desk.said, "why not")
    assert [op["holders"] for line in world.lines()[2:] for op in line["ops"]] == [
        ["gemini"],
        ["codex"],
    ]


@pytest.mark.rule("M7")
async def test_another_ones_task_can_be_neither_accepted_nor_finished_by_key(
    world: World,
) -> None:
    number = world.post("user", "codex", title="yours", kind="task")
    before = world.log()
    async with opened(world) as desk:
        await queue(desk)
        await menu(desk, number)
        for key in ("a", "d", "x"):
            await desk.press(key)
            await desk.sees(f"you hold no task #{number}")
            assert isinstance(desk.app.screen, TaskMenu)
        await desk.press("escape")
        await closed(desk)
    assert world.log() == before


async def test_a_message_without_a_task_says_why_the_menu_stays_shut(world: World) -> None:
    number = world.post("codex", "user", title="just a note")
    async with opened(world) as desk:
        await queue(desk)
        await desk.until(lambda: f"#{number} " in cursor(desk), "the note")
        await desk.cannot("task", f"no task #{number}")
        await desk.until(lambda: not acts(desk, "task…"), "dimmed")
        await desk.press("t")
        await desk.until(lambda: f"no task #{number}" in desk.said, "why not")
        assert desk.app.screen is desk.mode


async def test_the_menu_follows_what_others_do(world: World) -> None:
    number = world.post("user", "codex", title="yours", kind="task")
    async with opened(world) as desk:
        await queue(desk)
        await menu(desk, number)
        assert not desk.line("cancel", "final")
        world.run(AcceptTask(number), "codex")
        world.run(DeclineTask(number, "no"), "codex")
        await desk.sees("cancel", "final")
        await desk.press("c")
        await desk.sees("nothing to cancel")
        assert isinstance(desk.app.screen, TaskMenu)
