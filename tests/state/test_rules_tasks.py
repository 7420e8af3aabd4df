"""M7: how tasks move, who moves them, and what a result says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from state.command import Command
from state.errors import BadInput, NotFound
from state.importing.commands import ImportMessage
from state.messages.evidence import take_file
from state.messages.operations import (
    FileEvidence,
    MessageEvidence,
    NoEvidence,
    Origin,
)
from state.messages.tasks import (
    AcceptTask,
    CancelTask,
    DeclineTask,
    FinishTask,
    Task,
    find,
    of_message,
)
from state.roster.commands import DeactivateSeat
from tests.state.world import World

pytestmark = pytest.mark.rule("M7")

LONG_AGO = "2026-01-01T00:00:00.000000+00:00"

STEPS: dict[str, Callable[[int], Command]] = {
    "accepted": AcceptTask,
    "done": lambda number: FinishTask(number, NoEvidence()),
    "declined": lambda number: DeclineTask(number, "can't"),
    "cancelled": lambda number: CancelTask(number, "not wanted"),
}
ALLOWED = {
    "open": {"accepted", "declined", "cancelled"},
    "accepted": {"done", "declined", "cancelled"},
    "done": set(),
    "declined": set(),
    "cancelled": set(),
}
WAYS: dict[str, tuple[str, ...]] = {
    "open": (),
    "accepted": ("accepted",),
    "done": ("accepted", "done"),
    "declined": ("declined",),
    "cancelled": ("accepted", "cancelled"),
}


def task_of(world: World, number: int, holder: str = "codex") -> Task:
    with world.look() as view:
        task = find(view, number, holder)
    assert task is not None
    return task


def step(world: World, number: int, state: str, holder: str = "codex") -> dict[str, Any]:
    """Moves the task to that state as whoever may, and gives the line."""
    world.run(STEPS[state](number), "user" if state == "cancelled" else holder)
    return world.lines()[-1]


@pytest.fixture
def number(world: World) -> int:
    """A task that gemini gave to codex."""
    return world.post("gemini", "codex", kind="task", title="fix the flaky test")


@pytest.mark.parametrize("state", WAYS)
def test_a_task_moves_only_as_the_rule_says(world: World, number: int, state: str) -> None:
    for way in WAYS[state]:
        step(world, number, way)
    assert task_of(world, number).state == state
    for wanted in ALLOWED[state] ^ set(STEPS):
        actor = "user" if wanted == "cancelled" else "codex"
        refusal = world.refused("M7", STEPS[wanted](number), actor)
        assert state in refusal.message
        if (state, wanted) == ("open", "done"):
            assert f"accept it first: task accept {number}" in refusal.hint
    for wanted in sorted(ALLOWED[state]):
        other = world.post("gemini", "codex", kind="task")
        for way in (*WAYS[state], wanted):
            step(world, other, way)
        assert task_of(world, other).state == wanted


def test_each_recipient_holds_a_task_of_its_own(world: World) -> None:
    number = world.post("user", "all", kind="task")
    step(world, number, "accepted", "codex")
    step(world, number, "declined", "gemini")
    with world.look() as view:
        held = {task.holder: (task.state, task.by) for task in of_message(view, number)}
    assert held == {
        "codex": ("accepted", "codex"),
        "gemini": ("declined", "gemini"),
        "hermes": ("open", "user"),
    }
    step(world, number, "done", "codex")
    assert task_of(world, number, "hermes").state == "open"


@pytest.mark.parametrize("state", ["accepted", "done", "declined"])
@pytest.mark.parametrize("actor", ["user", "gemini", "hermes", "nobody", "system"])
def test_only_its_holder_accepts_finishes_or_declines(
    world: World, number: int, state: str, actor: str
) -> None:
    if state == "done":
        step(world, number, "accepted")
    world.refused("M7", STEPS[state](number), actor)


def test_only_its_author_or_the_user_cancels(world: World, number: int) -> None:
    for actor in ("codex", "hermes", "nobody"):
        world.refused("M7", CancelTask(number, "no"), actor)
    world.run(CancelTask(number, "changed my mind"), "gemini")
    task = task_of(world, number)
    assert (task.state, task.by, task.reason) == ("cancelled", "gemini", "changed my mind")
    other = world.post("gemini", "codex", kind="task")
    world.run(CancelTask(other, "no time"))
    assert task_of(world, other).by == "user"


def test_without_a_seat_every_holders_task_that_is_not_final_is_cancelled(world: World) -> None:
    number = world.post("user", "all", kind="task")
    step(world, number, "accepted", "codex")
    step(world, number, "declined", "gemini")
    world.run(CancelTask(number, "enough"))
    assert world.lines()[-1]["ops"][0]["holders"] == ["codex", "hermes"]
    states = {seat: task_of(world, number, seat).state for seat in ("codex", "gemini", "hermes")}
    assert states == {"codex": "cancelled", "gemini": "declined", "hermes": "cancelled"}


def test_with_a_seat_only_that_holders_task_is_cancelled(world: World) -> None:
    number = world.post("gemini", "all", kind="task")
    world.run(CancelTask(number, "not you", "codex"), "gemini")
    states = {seat: task_of(world, number, seat).state for seat in ("codex", "hermes", "user")}
    assert states == {"codex": "cancelled", "hermes": "open", "user": "open"}
    world.refused("M7", CancelTask(number, "again", "codex"))
    for nobody in ("gemini", "nobody"):
        world.refused("M7", CancelTask(number, "who", nobody))


def test_reasons_are_needed_and_evidence_is_named_or_denied(world: World, number: int) -> None:
    for reason in ("", " "):
        with pytest.raises(BadInput, match="reason"):
            DeclineTask(number, reason)
        with pytest.raises(BadInput, match="reason"):
            CancelTask(number, reason)
    for nothing in (None, "report.txt", {"kind": "none"}):
        with pytest.raises(BadInput) as caught:
            FinishTask(number, nothing)  # type: ignore[arg-type]
        assert caught.value.field == "evidence"
    world.fails(NotFound, CancelTask(number + 7, "which"))
    world.refused("M7", AcceptTask(number + 7), "codex")


@pytest.mark.parametrize("state", ["done", "declined"])
def test_an_end_by_the_holder_is_told_to_the_author_in_the_same_line(
    world: World, number: int, state: str
) -> None:
    if state == "done":
        step(world, number, "accepted")
    before = len(world.lines())
    line = step(world, number, state)
    assert len(world.lines()) == before + 1
    assert [op["op"] for op in line["ops"]] == [f"task_{state}", "message_posted"]
    result = world.message(line["rev"])
    assert (result.sender, result.to, result.kind) == ("codex", ("gemini",), "result")
    assert (result.reply_to, result.title) == (number, f"{state}: fix the flaky test")
    assert result.body == ("evidence: none" if state == "done" else "can't")
    assert world.queue("gemini") == (result.id,)
    assert world.message(number).recipients[0].answered == (result.id,)


def test_a_title_of_the_longest_kind_still_gives_a_result(world: World) -> None:
    number = world.post("gemini", "codex", kind="task", title="x" * 200)
    line = step(world, number, "declined")
    assert world.message(line["rev"]).title == ("declined: " + "x" * 200)[:200]


@pytest.mark.parametrize("state", ["accepted", "cancelled"])
def test_accepting_and_cancelling_post_nothing(world: World, number: int, state: str) -> None:
    line = step(world, number, state)
    assert [op["op"] for op in line["ops"]] == [f"task_{state}"]


@pytest.mark.parametrize("state", ["done", "declined"])
def test_an_author_whose_seat_is_inactive_gets_no_result(
    world: World, number: int, state: str
) -> None:
    if state == "done":
        step(world, number, "accepted")
    world.run(DeactivateSeat("gemini", world.roster, "left"))
    line = step(world, number, state)
    assert [op["op"] for op in line["ops"]] == [f"task_{state}"]
    assert task_of(world, number).state == state


def test_evidence_by_message_is_one_of_the_holder_after_the_acceptance(
    world: World, number: int
) -> None:
    early = world.post("codex", "user", title="early")
    step(world, number, "accepted")
    foreign = world.post("gemini", "codex", title="not codex's")
    origin = Origin("claude-team", "t", "lead", 0, "codex", "lead", LONG_AGO, True, "", "0" * 64)
    imported = world.run(ImportMessage("codex", ("gemini",), "there", "", origin)).rev
    assert "older" in world.refused("M7", finish(number, early), "codex").message
    assert "gemini" in world.refused("M7", finish(number, foreign), "codex").message
    world.refused("M7", finish(number, imported), "codex")
    world.refused("M7", finish(number, imported + 9), "codex")
    proof = world.post("codex", "gemini", title="here it is")
    line = world.run(finish(number, proof), "codex")
    assert line.ops[0]["evidence"] == {"kind": "message", "message": proof}
    assert task_of(world, number).evidence == {"kind": "message", "message": proof}
    assert world.message(line.rev).body == f"evidence: message #{proof}"


def test_evidence_by_file_is_kept_as_path_and_hash(world: World, number: int) -> None:
    step(world, number, "accepted")
    report = Path(world.folder, "out", "report.txt")
    report.parent.mkdir()
    report.write_text("all green")
    taken = take_file(str(world.folder), str(report))
    line = world.run(FinishTask(number, taken), "codex")
    # What sha256sum says of "all green".
    digest = "8c5ab583e7c4e1f7c512f74e3802f2f1047231d3330636a624bb8b4158460b43"
    assert taken == FileEvidence("out/report.txt", digest, 9)
    evidence = {"kind": "file", "path": "out/report.txt", "sha256": digest, "bytes": 9}
    assert task_of(world, number).evidence == line.ops[0]["evidence"] == evidence
    assert "out/report.txt" in (world.message(line.rev).body or "")


def test_no_evidence_is_said_in_so_many_words(world: World, number: int) -> None:
    step(world, number, "accepted")
    line = step(world, number, "done")
    assert line["ops"][0]["evidence"] == {"kind": "none"}
    assert line["ops"][1]["body"] == "evidence: none"
    assert task_of(world, number).evidence == {"kind": "none"}


def finish(number: int, message: int) -> FinishTask:
    return FinishTask(number, MessageEvidence(message))


def test_each_unfinished_task_of_a_seat_is_counted_until_it_ends(world: World) -> None:
    tasks = [world.post("user", "codex", kind="task", title=f"task {n}") for n in range(3)]
    assert world.seat("codex").open_tasks == 3
    world.run(AcceptTask(tasks[0]), "codex")
    assert world.seat("codex").open_tasks == 3
    world.run(FinishTask(tasks[0], NoEvidence()), "codex")
    world.run(CancelTask(tasks[1], "not wanted"))
    assert world.seat("codex").open_tasks == 1
