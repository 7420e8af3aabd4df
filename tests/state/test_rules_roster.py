"""R1 to R8: what a seat is, how it comes, goes and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from state.clock import SystemClock
from state.command import Actor, Command
from state.create import create
from state.errors import BadInput, NotFound, Refused
from state.messages.commands import Acknowledge
from state.messages.tasks import AcceptTask, CancelTask, DeclineTask
from state.project import Project
from state.roster import queries
from state.roster.commands import (
    AddSeat,
    CloseQueue,
    DeactivateSeat,
    HideSeat,
    MarkAway,
    RenameSeat,
    RestoreSeat,
    SetLabels,
    ShowSeat,
)
from tests.state.world import World

LATER = "2026-11-30T12:00:00+00:00"


def retire(world: World, seat: str) -> None:
    world.run(DeactivateSeat(seat, world.roster, "left"))


@pytest.mark.rule("R1")
def test_init_makes_exactly_one_user_seat_and_add_never_another(world: World) -> None:
    world.run(AddSeat("claude", world.roster, roles=("user",)))
    with world.look() as view:
        kinds = {seat.seat: seat.kind for seat in queries.seats(view)}
    agents = dict.fromkeys(("codex", "gemini", "hermes", "claude"), "agent")
    assert kinds == {"user": "user", **agents}
    assert world.seat("user").status == "active"
    for taken in ("user", "you"):
        with pytest.raises(BadInput, match="reserved"):
            AddSeat(taken, 1)


@pytest.mark.rule("R1")
def test_a_folder_has_one_project(world: World) -> None:
    before = world.log()
    with pytest.raises(Refused) as caught:
        create(str(world.folder), name="again", clock=SystemClock(), via="cli")
    assert caught.value.rule == "R1"
    assert world.log() == before


@pytest.mark.rule("R1")
@pytest.mark.parametrize("seat", ["user", "you", "Codex", "codex codex"])
def test_init_names_agent_seats_only(tmp_path: Path, seat: str) -> None:
    with pytest.raises(BadInput):
        create(str(tmp_path), name="shop", seats=[(seat, "")], clock=SystemClock(), via="cli")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.rule("R1")
def test_the_user_seat_is_always_active_shown_and_called_you(world: World) -> None:
    world.refused("R1", HideSeat("user", world.roster))
    world.refused("R1", RenameSeat("user", world.roster, "boss"))
    user = world.seat("user")
    assert (user.status, user.visibility, user.name) == ("active", "visible", "you")


@pytest.mark.rule("R1")
def test_several_panels_and_terminals_act_for_the_user_at_once(world: World) -> None:
    with Project(world.paths, world.clock) as panel, Project(world.paths, world.clock) as other:
        panel.run(HideSeat("codex", world.roster), Actor("user", "tui"))
        other.run(HideSeat("gemini", world.roster), Actor("user", "tui"))
        panel.run(ShowSeat("gemini", world.roster), Actor("user", "tty"))
    assert [line["via"] for line in world.lines()[1:]] == ["tui", "tui", "tty"]
    assert world.seat("codex").visibility == "hidden"
    assert world.seat("gemini").visibility == "visible"


@pytest.mark.rule("R2")
@pytest.mark.parametrize(
    "seat",
    ["", "-a", ".a", "_a", "A", "ä", "a b", "a/b", "a\n", "a\x1b", "a" * 64, "１", "\ud800"],
)
def test_other_ids_are_refused(seat: str) -> None:
    with pytest.raises(BadInput) as caught:
        AddSeat(seat, 1)
    assert caught.value.field == "seat"


@pytest.mark.rule("R2")
@pytest.mark.parametrize("seat", ["all", "none", "system", "user", "you"])
def test_reserved_ids_are_refused(seat: str) -> None:
    with pytest.raises(BadInput, match="reserved"):
        AddSeat(seat, 1)


@pytest.mark.rule("R2")
@pytest.mark.parametrize("seat", ["a", "0", "a.b_c-d", "a" * 63, "all-2"])
def test_ids_of_the_pattern_are_taken(world: World, seat: str) -> None:
    world.run(AddSeat(seat, world.roster))
    assert world.seat(seat).name == seat


@pytest.mark.rule("R2")
def test_a_used_id_is_refused_and_one_with_a_tombstone_is_to_be_restored(world: World) -> None:
    assert "is a seat already" in world.refused("R2", AddSeat("codex", world.roster)).message
    retire(world, "codex")
    refusal = world.refused("R2", AddSeat("codex", world.roster))
    assert "seat restore codex" in refusal.hint


@pytest.mark.rule("R2")
@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "a" * 81, "a\x1b[31m", "a\nb", "a\x00", "a\u202eb", "a\u2066b", "a\u200bb"),
        *("\x9b", "\ud800", "\u2028", "\u200d", "\u0301", "\ufeff"),
    ],
)
def test_names_that_could_deceive_are_refused(world: World, name: str) -> None:
    with pytest.raises(BadInput) as caught:
        RenameSeat("codex", world.roster, name)
    assert caught.value.field == "name"
    if name:
        with pytest.raises(BadInput):
            AddSeat("new", world.roster, name)


@pytest.mark.rule("R2")
@pytest.mark.parametrize(
    "name", ["a" * 80, "日本語", "[/a]", "Zoë", "👩\u200d👧 家", "$other", "می\u200cخواهم"]
)
def test_any_printable_name_is_kept_as_it_was_written(world: World, name: str) -> None:
    world.run(RenameSeat("codex", world.roster, name))
    world.run(AddSeat("new", world.roster, name))
    assert (world.seat("codex").name, world.seat("new").name) == (name, name)


@pytest.mark.rule("R3")
def test_nobody_deactivates_the_user(world: World) -> None:
    world.refused("R3", DeactivateSeat("user", world.roster, "holiday"))
    world.refused("R11", DeactivateSeat("user", world.roster, "mutiny"), "codex")
    assert world.seat("user").status == "active"


@pytest.mark.rule("R4")
def test_a_seat_with_unread_messages_stays(world: World) -> None:
    first, second = world.post("user", "codex"), world.post("gemini", "codex")
    refusal = world.refused("R4", DeactivateSeat("codex", world.roster, "gone"))
    assert refusal.blocking == (("unread", 2, first),)
    assert f"2 unread messages (codex acknowledges, beginning with #{first})" in refusal.message
    assert "close-queue codex" in refusal.hint
    world.acknowledge("codex", second, through=True)
    retire(world, "codex")
    assert world.seat("codex").status == "inactive"


@pytest.mark.rule("R4")
@pytest.mark.parametrize("accepted", [False, True])
def test_a_seat_with_an_unfinished_task_stays(world: World, accepted: bool) -> None:
    done = world.post("user", "codex", kind="task")
    task = world.post("user", "codex", kind="task")
    world.acknowledge("codex", task, through=True)
    world.run(DeclineTask(done, "no"), "codex")
    if accepted:
        world.run(AcceptTask(task), "codex")
    refusal = world.refused("R4", DeactivateSeat("codex", world.roster, "gone"))
    assert refusal.blocking == (("tasks", 1, task),)
    assert f"1 unfinished task (codex finishes or you cancel, beginning with #{task})" in (
        refusal.message
    )
    world.run(CancelTask(task, "no longer wanted"))
    retire(world, "codex")


@pytest.mark.rule("R4")
def test_the_refusal_names_each_count(world: World) -> None:
    task = world.post("user", "codex", kind="task")
    refusal = world.refused("R4", DeactivateSeat("codex", world.roster, "gone"))
    assert refusal.blocking == (("unread", 1, task), ("tasks", 1, task))
    assert "1 unread message" in refusal.message
    assert "1 unfinished task" in refusal.message


@pytest.mark.rule("R5")
def test_deactivation_leaves_a_tombstone_and_rewrites_nothing(world: World) -> None:
    task = world.post("user", "codex", kind="task", title="tests")
    world.acknowledge("codex", task)
    world.run(AcceptTask(task), "codex")
    answer = world.post("codex", "user", title="on it", reply_to=task)
    world.run(DeclineTask(task, "can't"), "codex")
    before, told = world.log(), (world.message(task), world.message(answer))
    retire(world, "codex")
    assert world.log().startswith(before)
    assert (world.message(task), world.message(answer)) == told
    assert world.seat("codex").status == "inactive"
    with world.look() as view:
        events = queries.history(view, "codex")
    assert [event["op"]["op"] for event in events] == ["seat_added", "seat_deactivated"]
    assert (events[-1]["by"], events[-1]["op"]["reason"]) == ("user", "left")
    world.refused("R5", DeactivateSeat("codex", world.roster, "again"))
    world.refused("R5", RestoreSeat("gemini", world.roster))


@pytest.mark.rule("R6")
def test_hiding_changes_what_is_shown_and_nothing_else(world: World) -> None:
    unread, task = world.post("user", "codex"), world.post("user", "codex", kind="task")
    before = world.seat("codex")
    world.run(HideSeat("codex", world.roster))
    after = world.seat("codex")
    same = ("unread", "open_tasks", "cursor", "next_due", "status", "mode", "window", "away")
    assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]
    third = world.post("gemini", "all")
    assert world.queue("codex") == (unread, task, third)
    world.acknowledge("codex", unread)
    world.run(AcceptTask(task), "codex")
    assert world.seat("codex").open_tasks == 1
    seen = world.overview()
    assert (seen.hidden_seats, seen.hidden_unread) == (1, 2)
    world.refused("R6", HideSeat("codex", world.roster))
    world.run(ShowSeat("codex", world.roster))
    world.refused("R6", ShowSeat("codex", world.roster))
    seen = world.overview()
    assert (seen.hidden_seats, seen.hidden_unread) == (0, 0)


@pytest.mark.rule("R7")
def test_no_backlog_reaches_a_new_or_restored_seat(world: World) -> None:
    world.post("user", "all")
    last = world.post("codex", "all")
    world.run(HideSeat("gemini", world.roster))
    world.run(AddSeat("claude", world.roster))
    claude = world.seat("claude")
    assert (claude.cursor, claude.unread, claude.next_due) == (last, 0, None)
    first = world.post("user", "all")
    assert world.queue("claude") == (first,)

    world.acknowledge("claude", first)
    retire(world, "claude")
    missed = world.post("user", "all")
    world.run(RestoreSeat("claude", world.roster))
    restored = world.seat("claude")
    assert (restored.cursor, restored.unread, restored.status) == (missed, 0, "active")
    world.refused("M5", Acknowledge(missed), "claude")
    assert world.queue("claude") == ()
    after = world.post("user", "claude")
    assert world.queue("claude") == (after,)
    world.acknowledge("claude", after)
    assert world.seat("claude").unread == 0


@pytest.mark.rule("R8")
def test_a_new_or_restored_seat_is_queue_only_and_inherits_nothing(world: World) -> None:
    world.run(AddSeat("claude", world.roster, host="claude-code", roles=("reviewer", "user")))
    world.run(MarkAway("claude", LATER, "offline"))
    assert (world.seat("claude").mode, world.seat("claude").window) == ("queue_only", "closed")
    retire(world, "claude")
    files = sorted(path.name for path in Path(world.folder).iterdir())
    world.run(RestoreSeat("claude", world.roster))
    claude = world.seat("claude")
    assert (claude.mode, claude.window, claude.away) == ("queue_only", "closed", None)
    assert (claude.unread, claude.open_tasks) == (0, 0)
    assert sorted(path.name for path in Path(world.folder).iterdir()) == files
    operation = world.lines()[-1]["ops"]
    assert operation == [{"op": "seat_restored", "seat": "claude"}]


@pytest.mark.rule("R5", "R8")
def test_an_inactive_seat_does_nothing_until_it_is_restored(world: World) -> None:
    task = world.post("codex", "gemini", kind="task")
    retire(world, "codex")
    tombstoned: tuple[tuple[str, Command], ...] = (
        ("M6", Acknowledge(task)),
        ("M7", AcceptTask(task)),
        ("M7", CancelTask(task, "mine")),
    )
    for rule, command in tombstoned:
        assert "inactive" in world.refused(rule, command, "codex").message
    world.refused("M15", MarkAway("codex", LATER, "gone"))
    world.refused("R14", CloseQueue("codex", "gone"))
    world.run(HideSeat("codex", world.roster))
    world.run(SetLabels("codex", world.roster, host="old"))
    world.run(RestoreSeat("codex", world.roster))
    world.run(CancelTask(task, "mine"), "codex")


def test_a_seat_that_never_was_is_not_found(world: World) -> None:
    for seat in ("nobody", "Codex", "a\nb", "user "):
        error = world.fails(NotFound, HideSeat(seat, world.roster))
        assert "codex, gemini, hermes, user" in error.hint
