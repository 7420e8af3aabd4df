"""R14: how the user closes the queue of an agent that is gone."""

from __future__ import annotations

import pytest

from state.errors import BadInput
from state.messages.commands import Acknowledge
from state.messages.tasks import AcceptTask, DeclineTask, tasks
from state.roster.commands import CloseQueue, DeactivateSeat
from state.roster.decide import as_ranges
from tests.state.world import World

pytestmark = pytest.mark.rule("R14")


def test_closing_a_queue_ends_what_is_unread_and_unfinished_in_one_line(world: World) -> None:
    read = world.post("user", "codex", title="read")
    finished = world.post("gemini", "codex", kind="task", title="declined")
    taken = world.post("gemini", "codex", kind="task", title="taken")
    world.acknowledge("codex", taken, through=True)
    world.run(DeclineTask(finished, "no"), "codex")
    world.run(AcceptTask(taken), "codex")
    note = world.post("gemini", "all", title="note")
    elsewhere = world.post("user", "gemini", title="elsewhere")
    unread = world.post("user", "codex", kind="task", title="unread")
    world.clock.move(minutes=2)
    before = world.log()
    closed = world.run(CloseQueue("codex", "its machine is gone"))
    assert len(world.lines()) == len(before.splitlines()) + 1
    assert world.lines()[-1]["ops"] == [
        {
            "op": "queue_closed",
            "seat": "codex",
            "reason": "its machine is gone",
            "unread": [[note, unread]],
            "unread_count": 2,
            "tasks": [[taken, unread]],
            "task_count": 2,
            "cursor": unread,
        }
    ]
    codex = world.seat("codex")
    assert (codex.unread, codex.open_tasks, codex.cursor) == (0, 0, unread)
    for number in (note, unread):
        facts = next(one for one in world.message(number).recipients if one.seat == "codex")
        assert facts.closed_unread is not None
        assert (facts.closed_unread.rev, facts.closed_unread.by) == (closed.rev, "user")
        assert facts.closed_unread.reason == "its machine is gone"
        assert facts.closed_unread.at == world.clock.now()
        assert (facts.acknowledged, facts.looked_at, facts.answered) == (None, None, ())
    for number in (read, elsewhere):
        assert world.message(number).recipients[0].closed_unread is None
    assert world.message(read).recipients[0].acknowledged is not None
    others = [one for one in world.message(note).recipients if one.seat != "codex"]
    assert {one.closed_unread for one in others} == {None}
    assert elsewhere in world.queue("gemini")
    with world.look() as view:
        states = {task.message: (task.state, task.by, task.reason) for task in tasks(view)}
    assert states == {
        finished: ("declined", "codex", "no"),
        taken: ("cancelled", "user", "its machine is gone"),
        unread: ("cancelled", "user", "its machine is gone"),
    }
    world.refused("M5", Acknowledge(note), "codex")
    world.run(DeactivateSeat("codex", world.roster, "gone"))


def test_what_comes_after_a_closed_queue_is_due_as_ever(world: World) -> None:
    world.post("user", "codex")
    world.run(CloseQueue("codex", "gone"))
    after = world.post("user", "codex")
    assert world.queue("codex") == (after,)
    world.acknowledge("codex", after)
    assert world.message(after).recipients[0].acknowledged is not None
    assert world.message(after).recipients[0].closed_unread is None


def test_tasks_alone_are_cancelled_and_the_cursor_stays(world: World) -> None:
    tasks_ = [world.post("user", "codex", kind="task") for _ in range(3)]
    world.acknowledge("codex", tasks_[-1], through=True)
    world.run(DeclineTask(tasks_[1], "no"), "codex")
    world.run(CloseQueue("codex", "gone"))
    operation = world.lines()[-1]["ops"][0]
    assert (operation["unread"], operation["cursor"]) == ([], tasks_[-1])
    assert operation["tasks"] == [[tasks_[0]] * 2, [tasks_[2]] * 2]


def test_only_an_agents_queue_that_holds_something_is_closed_and_with_a_reason(
    world: World,
) -> None:
    world.refused("R14", CloseQueue("codex", "gone"))
    world.post("codex", "user")
    world.refused("R14", CloseQueue("user", "gone"))
    for reason in ("", " \n", "a" * 1001):
        with pytest.raises(BadInput, match="reason"):
            CloseQueue("codex", reason)


def test_ranges_hold_no_finished_task_as_long_as_a_line_has_room() -> None:
    assert as_ranges([]) == ()
    assert as_ranges([(3, True), (7, True), (8, False), (9, True)]) == ((3, 7), (9, 9))
    assert as_ranges([(3, False), (7, True), (8, False)]) == ((7, 7),)
    many = [(number, number % 2 == 0) for number in range(1002)]
    assert as_ranges(many) == ((0, 1000),)
