"""R9 to R11, R15, R16: how the roster changes, who may change it, and what is shown of it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from state.command import Actor, Command
from state.errors import BadInput, Busy, RevisionConflict
from state.journal.lock import exclusive
from state.messages.tasks import AcceptTask
from state.roster import queries
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

LATER = "2026-11-30T12:00:00+00:00"

Change = Callable[[int], Command]
CHANGES: dict[str, tuple[Change, str]] = {
    "add": (lambda roster: AddSeat("new", roster, "New", "claude-code", ("writer",)), "seat_added"),
    "labels": (lambda roster: SetLabels("codex", roster, host="codex"), "seat_changed"),
    "hide": (lambda roster: HideSeat("codex", roster), "seat_hidden"),
    "show": (lambda roster: ShowSeat("unseen", roster), "seat_shown"),
    "rename": (lambda roster: RenameSeat("codex", roster, "Dex"), "seat_renamed"),
    "deactivate": (lambda roster: DeactivateSeat("codex", roster, "left"), "seat_deactivated"),
    "restore": (lambda roster: RestoreSeat("gone", roster), "seat_restored"),
}
OF_ONE_SEAT: dict[str, tuple[Command, str]] = {
    "away": (MarkAway("codex", LATER, "offline"), "seat_away"),
    "back": (MarkBack("absent"), "seat_back"),
    "close": (CloseQueue("busy", "gone"), "queue_closed"),
}


@pytest.fixture
def varied(world: World) -> World:
    """With a seat that is hidden, one inactive, one away and one that has something unread."""
    for seat in ("unseen", "gone", "absent", "busy"):
        world.run(AddSeat(seat, world.roster))
    world.run(HideSeat("unseen", world.roster))
    world.run(DeactivateSeat("gone", world.roster, "left"))
    world.run(MarkAway("absent", LATER, "offline"))
    world.post("user", "busy", kind="task")
    return world


@pytest.mark.rule("R9")
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_based_on_another_revision_is_refused_with_what_came_between(
    varied: World, name: str
) -> None:
    seen = varied.roster
    varied.post("gemini", "hermes")
    varied.clock.move(seconds=3)
    overtook = varied.run(HideSeat("gemini", seen)).rev
    last = varied.run(AddSeat("claude", overtook)).rev
    varied.run(MarkAway("hermes", LATER, "no move of the roster"))
    conflict = varied.fails(RevisionConflict, CHANGES[name][0](seen))
    assert (conflict.code, conflict.exit, conflict.entity) == ("revision_conflict", 4, "roster")
    assert (conflict.expected, conflict.actual) == (seen, last)
    assert str(seen) in conflict.message
    assert str(last) in conflict.message
    told = [(event["rev"], event["by"], event["seat"]) for event in conflict.since]
    assert told == [(overtook, "user", "gemini"), (last, "user", "claude")]
    assert conflict.since[0]["op"] == {"op": "seat_hidden", "seat": "gemini"}
    assert (conflict.since[0]["at"], conflict.since[0]["via"]) == (varied.clock.now(), "cli")
    varied.run(CHANGES[name][0](last))


@pytest.mark.rule("R9")
def test_a_revision_that_was_none_of_the_roster_is_a_conflict_one_of_the_future_is_bad_input(
    world: World,
) -> None:
    stands = world.roster
    message = world.post("user", "codex")
    conflict = world.fails(RevisionConflict, HideSeat("codex", message))
    assert (conflict.expected, conflict.actual, conflict.since) == (message, stands, ())
    world.fails(RevisionConflict, HideSeat("codex", 0))
    world.fails(BadInput, HideSeat("codex", message + 1))
    for never in (True, 1.0, "1", -1, 2**53, None):
        with pytest.raises(BadInput) as caught:
            HideSeat("codex", never)  # type: ignore[arg-type]
        assert caught.value.field == "roster"


@pytest.mark.rule("R9")
@pytest.mark.parametrize("name", OF_ONE_SEAT)
def test_what_is_about_one_seat_moves_that_seat_and_not_the_roster(
    varied: World, name: str
) -> None:
    command, _ = OF_ONE_SEAT[name]
    before = varied.roster
    varied.post("user", "hermes")
    rev = varied.run(command).rev
    assert varied.roster == before
    seat = varied.lines()[-1]["ops"][0]["seat"]
    assert varied.seat(seat).revision == rev


@pytest.mark.rule("R9", "R10")
def test_messages_and_acknowledgements_move_neither_roster_nor_seat(world: World) -> None:
    before = (world.roster, world.seat("codex").revision)
    task = world.post("user", "codex", kind="task")
    world.acknowledge("codex", task)
    world.run(AcceptTask(task), "codex")
    assert (world.roster, world.seat("codex").revision) == before


@pytest.mark.rule("R10")
@pytest.mark.parametrize("name", [*CHANGES, *OF_ONE_SEAT])
def test_each_change_is_one_event_appended_to_the_chain(varied: World, name: str) -> None:
    before, roster = varied.log(), varied.roster
    if name in CHANGES:
        command, op = CHANGES[name][0](roster), CHANGES[name][1]
    else:
        command, op = OF_ONE_SEAT[name]
    committed = varied.run(command)
    after = varied.log()
    assert after.startswith(before)
    added = varied.lines()[len(before.splitlines()) :]
    assert [[o["op"] for o in line["ops"]] for line in added] == [[op]]
    assert added[0]["prev"] == sha256(before.splitlines(keepends=True)[-1]).hexdigest()
    assert (added[0]["rev"], added[0]["seat"]) == (committed.rev, "user")
    assert added[0]["guards"] == ({"roster": roster} if name in CHANGES else {})
    if name in CHANGES:
        assert varied.roster == committed.rev


@pytest.mark.rule("R10")
@pytest.mark.parametrize("name", [*CHANGES, *OF_ONE_SEAT])
def test_no_change_is_written_while_another_holds_the_lock(varied: World, name: str) -> None:
    command = CHANGES[name][0](varied.roster) if name in CHANGES else OF_ONE_SEAT[name][0]
    before, now = varied.log(), varied.clock.now()
    with (
        exclusive(varied.paths.mutex, seat="gemini", since=now, wait=5.0),
        pytest.raises(Busy),
    ):
        varied.project.run(command, Actor("user", "tui"), wait=0.02)
    assert varied.log() == before
    varied.run(command)


@pytest.mark.rule("R10")
def test_what_stands_already_is_not_written_again(world: World) -> None:
    world.run(SetLabels("codex", world.roster, host="codex", roles=("writer",)))
    world.refused("R10", SetLabels("codex", world.roster, roles=("writer",)))
    world.refused("R10", RenameSeat("codex", world.roster, "codex"))


@pytest.mark.rule("R11")
@pytest.mark.parametrize("actor", ["hermes", "nobody", "system"])
@pytest.mark.parametrize("name", [*CHANGES, *OF_ONE_SEAT])
def test_only_the_user_changes_the_roster(varied: World, name: str, actor: str) -> None:
    command = CHANGES[name][0](varied.roster) if name in CHANGES else OF_ONE_SEAT[name][0]
    assert actor in varied.refused("R11", command, actor).message


@pytest.mark.rule("R11")
def test_not_even_its_own_seat_is_changed_by_an_agent(world: World) -> None:
    world.refused("R11", RenameSeat("codex", world.roster, "Dex"), "codex")
    world.refused("R11", MarkAway("codex", LATER, "tea"), "codex")
    # Who may do it is answered before whether the seat exists.
    world.refused("R11", HideSeat("nobody", world.roster), "codex")


@pytest.mark.rule("R15")
def test_what_needs_the_person_is_shown_although_its_seat_is_hidden(world: World) -> None:
    question = world.post("codex", "user", kind="question", title="merge?")
    world.post("user", "codex", title="long unread")
    world.run(HideSeat("codex", world.roster))
    world.clock.move(minutes=16)
    needs = world.overview().needs
    assert [(need.kind, need.seat, need.hidden) for need in needs] == [
        ("question", "codex", True),
        ("due", "codex", True),
    ]
    assert needs[0].id == question
    world.run(ShowSeat("codex", world.roster))
    assert [need.hidden for need in world.overview().needs] == [False, False]


@pytest.mark.rule("R16")
def test_status_visibility_and_mode_have_their_values(varied: World) -> None:
    with varied.look() as view:
        found = {s.seat: (s.status, s.visibility, s.mode) for s in queries.seats(view)}
    plain = ("active", "visible", "queue_only")
    assert found == {
        **dict.fromkeys(("user", "codex", "gemini", "hermes", "absent", "busy"), plain),
        "unseen": ("active", "hidden", "queue_only"),
        "gone": ("inactive", "visible", "queue_only"),
    }
    varied.run(HideSeat("gone", varied.roster))
    assert (varied.seat("gone").status, varied.seat("gone").visibility) == ("inactive", "hidden")


def test_seats_stand_in_the_order_in_which_they_first_came(varied: World) -> None:
    varied.run(RestoreSeat("gone", varied.roster))
    with varied.look() as view:
        found = [seat.seat for seat in queries.seats(view)]
    named = ["user", "codex", "gemini", "hermes"]
    assert found == [*named, "unseen", "gone", "absent", "busy"]


def test_a_label_that_is_not_given_stays(world: World) -> None:
    world.run(SetLabels("codex", world.roster, host="codex", roles=("a", "b", "a")))
    world.run(SetLabels("codex", world.roster, roles=()))
    world.run(SetLabels("codex", world.roster, host=""))
    states = [(event["op"]["host"], event["op"]["roles"]) for event in events(world)]
    assert states == [("codex", ["a", "b"]), ("codex", []), ("", [])]


def events(world: World) -> list[dict[str, dict[str, object]]]:
    with world.look() as view:
        found = queries.history(view, "codex")
    return [event for event in found if event["op"]["op"] == "seat_changed"]


def test_the_folder_of_the_project_gets_nothing_but_its_own(varied: World) -> None:
    assert [path.name for path in Path(varied.folder).iterdir()] == [".sublation-panel"]
