"""The one answer to "what may be done now, and if not, why" agrees with what really happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from state.command import Action, Actor, Command
from state.errors import NotFound, Refused
from state.messages.actions import message_actions, next_due, reply_to, task_actions
from state.messages.commands import Acknowledge, Post
from state.messages.operations import NoEvidence
from state.messages.tasks import AcceptTask, CancelTask, DeclineTask, FinishTask
from state.roster.actions import seat_actions
from state.roster.commands import (
    AddSeat,
    CloseQueue,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    MarkBack,
    RenameSeat,
    RestoreSeat,
    SetLabels,
    ShowSeat,
)
from tests.state.world import World

LATER = "2026-12-30T12:00:00+00:00"

OF_SEAT: dict[str, Callable[[str, int], Command]] = {
    "add": lambda seat, roster: AddSeat(f"{seat}-2", roster),
    "labels": lambda seat, roster: SetLabels(seat, roster, roles=("another",)),
    "hide": HideSeat,
    "show": ShowSeat,
    "rename": lambda seat, roster: RenameSeat(seat, roster, "Another"),
    "away": lambda seat, roster: MarkAway(seat, LATER, "offline"),
    "back": lambda seat, roster: MarkBack(seat),
    "close": lambda seat, roster: CloseQueue(seat, "gone"),
    "deactivate": lambda seat, roster: DeactivateSeat(seat, roster, "left"),
    "restore": RestoreSeat,
}
OF_MESSAGE: dict[str, Callable[[int], Command]] = {
    "acknowledge": Acknowledge,
    "accept": AcceptTask,
    "done": lambda number: FinishTask(number, NoEvidence()),
    "decline": lambda number: DeclineTask(number, "no"),
    "cancel": lambda number: CancelTask(number, "no"),
}


def unseen(world: World) -> None:
    world.run(HideSeat("codex", world.roster))


def gone(world: World) -> None:
    world.run(DeactivateSeat("codex", world.roster, "left"))


def absent(world: World) -> None:
    world.run(MarkAway("codex", LATER, "offline"))


def laden(world: World) -> None:
    number = world.post("user", "codex", kind="task")
    world.acknowledge("codex", number)
    world.post("gemini", "codex")


def plain(world: World) -> None:
    pass


def told(found: tuple[Action, ...]) -> dict[str, str | None]:
    return {a.name: None if a.refusal is None else a.refusal.message for a in found}


def happens(world: World, command: Command, seat: str) -> str | None:
    """What a command ends with; it is asked of the decision alone, so that nothing changes."""
    with world.look() as view:
        try:
            command.decide(view, Actor(seat, "tui"), world.clock.moment())
        except Refused as refused:
            return refused.message
    return None


@pytest.mark.rule("R1", "R3", "R4", "R6", "R11", "R14", "M15")
@pytest.mark.parametrize("prepare", [plain, unseen, gone, absent, laden])
@pytest.mark.parametrize("seat", ["user", "codex"])
@pytest.mark.parametrize("actor", ["user", "gemini"])
def test_what_a_menu_says_of_a_seat_is_what_the_command_says(
    world: World, prepare: Callable[[World], None], seat: str, actor: str
) -> None:
    prepare(world)
    with world.look() as view:
        said = told(seat_actions(view, seat, world.clock.moment(), actor))
    assert list(said) == list(OF_SEAT)
    roster = world.roster
    assert said == {
        name: happens(world, make(seat, roster), actor) for name, make in OF_SEAT.items()
    }
    if actor != "user":
        assert None not in said.values()


def test_a_refusal_that_is_kept_holds_no_view(world: World) -> None:
    with world.look() as view:
        found = seat_actions(view, "user", world.clock.moment())
    refusals = [action.refusal for action in found if action.refusal is not None]
    assert refusals
    assert {refusal.__traceback__ for refusal in refusals} == {None}


def test_nothing_is_said_of_what_does_not_exist(world: World) -> None:
    number = world.post("user", "codex")
    with world.look() as view:
        with pytest.raises(NotFound):
            seat_actions(view, "nobody", world.clock.moment())
        with pytest.raises(NotFound):
            message_actions(view, number + 1)


@pytest.mark.rule("M5", "M6", "M7")
@pytest.mark.parametrize("state", ["open", "accepted", "declined", "note", "second"])
@pytest.mark.parametrize("actor", ["user", "codex", "gemini", "hermes", "nobody"])
def test_what_a_menu_says_of_a_message_is_what_the_command_says(
    world: World, state: str, actor: str
) -> None:
    if state == "second":
        world.post("hermes", "codex")
    number = world.post("gemini", "codex", kind="note" if state == "note" else "task")
    if state in ("accepted", "declined"):
        make = OF_MESSAGE["accept" if state == "accepted" else "decline"]
        world.run(make(number), "codex")
    with world.look() as view:
        said = told(message_actions(view, number, actor))
        of_task = told(task_actions(view, number, actor))
    assert list(said) == ["acknowledge", "reply", "task", "accept", "done", "decline", "cancel"]
    for name, make in OF_MESSAGE.items():
        if (name, state) != ("cancel", "note"):
            assert said[name] == happens(world, make(number), actor), name
    assert (said["task"] is None) == (None in of_task.values())
    to = ("codex",) if actor == "gemini" else ("gemini",)
    reply = Post(to, "", "yes", reply_to=number)
    assert said["reply"] == happens(world, reply, actor)
    with world.look() as view:
        assert reply_to(view, number, actor) == to


def test_a_task_of_one_holder_is_told_apart(world: World) -> None:
    number = world.post("user", "codex", "gemini", kind="task")
    world.run(DeclineTask(number, "no"), "codex")
    with world.look() as view:
        ended = told(task_actions(view, number, holder="codex"))
        other = told(task_actions(view, number, holder="gemini"))
        anybodys = told(task_actions(view, number))
    assert ended["cancel"] is not None
    assert other["cancel"] is anybodys["cancel"] is None


@pytest.mark.rule("M5")
def test_the_next_due_is_the_oldest_and_one_still_open_is_asked_about(world: World) -> None:
    def due(seat: str = "user") -> tuple[int | None, bool, bool]:
        with world.look() as view:
            found = next_due(view, seat)
        return found.number, found.still_open, found.action.refusal is None

    assert due() == (None, False, False)
    assert due("nobody") == (None, False, False)
    question = world.post("codex", "user", kind="question")
    task = world.post("codex", "user", kind="task")
    note = world.post("codex", "user")
    assert due() == (question, True, True)
    world.post("user", "codex", title="", reply_to=question)
    assert due() == (question, False, True)
    world.acknowledge("user", question)
    assert due() == (task, True, True)
    world.run(AcceptTask(task))
    assert due() == (task, False, True)
    world.acknowledge("user", task)
    assert due() == (note, False, True)
