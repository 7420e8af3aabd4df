"""M5, M6, M8, M11, M14, M15: queues and cursors, hops, the facts of a recipient, who is due."""

from __future__ import annotations

import pytest

from state import looked
from state.errors import BadInput
from state.looked import Look
from state.messages import queries as messages
from state.messages.actions import message_actions, next_due
from state.messages.commands import Acknowledge
from state.messages.operations import NoEvidence
from state.messages.queries import Recipient
from state.messages.tasks import AcceptTask, FinishTask, tasks
from state.messages.threads import tree
from state.overview import overview
from state.roster import queries as roster
from state.roster.actions import seat_actions
from state.roster.commands import (
    CloseQueue,
    MarkAway,
    MarkBack,
)
from state.roster.decide import is_away
from tests.state.world import World


def look(world: World, seat: str) -> None:
    """The seat reads its queue, as its `inbox` does."""
    with world.look() as view:
        looked.leave(world.paths, seat, Look(world.clock.now(), view.rev))


def facts(world: World, number: int, seat: str) -> Recipient:
    with world.look() as view:
        looks = looked.read_all(world.paths, ("codex", "gemini", "hermes"))
        found = messages.get(view, number, looks).recipients
    return next(one for one in found if one.seat == seat)


def due(world: World) -> list[str]:
    return [need.seat for need in world.overview().needs if need.kind == "due"]


def hops(world: World, number: int) -> int:
    return world.message(number).hops


@pytest.mark.rule("M5")
def test_a_queue_is_what_came_after_the_cursor_oldest_first(world: World) -> None:
    first = world.post("user", "codex")
    world.post("user", "gemini")
    second = world.post("gemini", "all")
    world.post("codex", "user")
    third = world.post("hermes", "codex", "user")
    assert world.queue("codex") == (first, second, third)
    world.acknowledge("codex", first)
    codex = world.seat("codex")
    assert (codex.cursor, codex.unread, codex.next_due) == (first, 2, second)
    assert world.queue("codex") == (second, third)


@pytest.mark.rule("M5")
def test_an_acknowledgement_out_of_order_is_refused_and_names_the_next_due(world: World) -> None:
    first, second, third = (world.post("user", "codex") for _ in range(3))
    foreign = world.post("user", "gemini")
    assert f"#{first}" in world.refused("M5", Acknowledge(second), "codex").message
    assert f"#{first}" in world.refused("M5", Acknowledge(foreign), "codex").hint
    world.refused("M5", Acknowledge(foreign, through=True), "codex")
    world.refused("M5", Acknowledge(foreign + 7, through=True), "codex")
    world.acknowledge("codex", first)
    # Forward only: what was passed is never acknowledged again.
    assert f"#{second}" in world.refused("M5", Acknowledge(first), "codex").hint
    world.refused("M5", Acknowledge(first, through=True), "codex")
    world.acknowledge("codex", second)
    world.acknowledge("codex", third)
    world.refused("M5", Acknowledge(third), "codex")
    assert (world.seat("codex").cursor, world.seat("codex").unread) == (third, 0)


@pytest.mark.rule("M5")
def test_through_passes_each_message_up_to_it_in_one_line(world: World) -> None:
    numbers = []
    for _ in range(3):
        numbers.append(world.post("user", "codex"))
        world.post("user", "gemini")
    last = world.post("user", "all")
    committed = world.acknowledge("codex", numbers[2], through=True)
    assert committed.ops == [
        {
            "op": "acknowledged",
            "seat": "codex",
            "first": numbers[0],
            "through": numbers[2],
            "count": 3,
            "cursor": numbers[2],
        }
    ]
    assert world.queue("codex") == (last,)
    for number in numbers:
        assert facts(world, number, "codex").acknowledged == world.clock.now()
    assert facts(world, last, "codex").acknowledged is None
    assert world.seat("gemini").unread == 4


@pytest.mark.rule("M6")
def test_reading_never_moves_a_cursor_nor_writes_a_line(world: World) -> None:
    number = world.post("user", "codex", kind="task")
    before = (world.log(), world.seat("codex"))
    with world.look() as view:
        assert messages.queue(view, "codex", 50) == (number,)
        messages.get(view, number, {})
        tree(view, number)
        overview(view, world.clock.moment())
        tasks(view)
        for seat in roster.seats(view):
            seat_actions(view, seat.seat, world.clock.moment())
            message_actions(view, number, seat.seat)
            next_due(view, seat.seat)
    look(world, "codex")
    assert (world.log(), world.seat("codex")) == before
    assert world.queue("codex") == (number,)


@pytest.mark.rule("M6")
def test_nobody_else_moves_a_seats_cursor_but_closing_its_queue_does(world: World) -> None:
    number = world.post("gemini", "codex", "hermes")
    for other in ("user", "gemini"):
        world.refused("M5", Acknowledge(number), other)
    for nobody in ("nobody", "system"):
        world.refused("M6", Acknowledge(number), nobody)
    world.acknowledge("hermes", number)
    world.post("codex", "gemini", reply_to=number)
    assert (world.seat("codex").cursor, world.seat("codex").unread) == (0, 1)
    world.run(CloseQueue("codex", "gone"))
    assert (world.seat("codex").cursor, world.seat("codex").unread) == (number, 0)


@pytest.mark.rule("M8")
def test_a_message_of_the_user_has_no_hops_and_a_reply_one_more_than_what_it_answers(
    world: World,
) -> None:
    number = world.post("user", "codex")
    counted = [hops(world, number)]
    for seat, other in (("codex", "gemini"), ("gemini", "codex"), ("codex", "gemini")):
        number = world.post(seat, other, reply_to=number)
        counted.append(hops(world, number))
    assert counted == [0, 1, 2, 3]
    assert hops(world, world.post("user", "codex", reply_to=number)) == 0


@pytest.mark.rule("M8")
def test_a_new_message_counts_what_its_agent_acknowledged_in_the_last_hour(world: World) -> None:
    assert hops(world, world.post("codex", "gemini")) == 1
    number = world.post("user", "codex")
    for seat, other in (("codex", "gemini"), ("gemini", "codex")) * 2:
        number = world.post(seat, other, reply_to=number)
    assert (hops(world, number), number) == (4, world.queue("codex")[-1])
    assert hops(world, world.post("codex", "hermes")) == 1
    world.acknowledge("codex", number, through=True)
    world.clock.move(minutes=59)
    low = world.post("user", "codex")
    world.acknowledge("codex", low)
    # The highest of all of them, not that of the last one.
    assert hops(world, world.post("codex", "hermes")) == 5
    assert hops(world, world.post("codex", "hermes", reply_to=low)) == 1
    assert hops(world, world.post("gemini", "hermes")) == 1
    world.clock.move(minutes=1, seconds=1)
    assert hops(world, world.post("codex", "hermes")) == 1


@pytest.mark.rule("M8")
def test_a_result_counts_as_the_reply_that_it_is(world: World) -> None:
    task = world.post("codex", "gemini", kind="task")
    world.run(AcceptTask(task), "gemini")
    result = world.run(FinishTask(task, NoEvidence()), "gemini").rev
    assert (hops(world, task), hops(world, result)) == (1, 2)


@pytest.mark.rule("M11")
def test_none_of_the_four_facts_is_derived_from_another(world: World) -> None:
    number = world.post("user", "codex", "gemini", "hermes", title="once")
    nothing = Recipient("codex", None, None, (), None, None)
    assert facts(world, number, "codex") == nothing

    world.clock.move(minutes=1)
    look(world, "codex")
    seen = world.clock.now()
    world.clock.move(minutes=1)
    acknowledged = world.clock.now()
    world.acknowledge("gemini", number)
    answer = world.post("hermes", "user", reply_to=number)
    assert facts(world, number, "codex") == Recipient("codex", seen, None, (), None, None)
    assert facts(world, number, "gemini") == Recipient("gemini", None, acknowledged, (), None, None)
    assert facts(world, number, "hermes") == Recipient("hermes", None, None, (answer,), None, None)
    # Answering is no acknowledgement, looking neither: both still have it unread.
    assert [world.seat(seat).unread for seat in ("codex", "gemini", "hermes")] == [1, 0, 1]
    # An earlier look saw nothing of what came later.
    later = world.post("user", "codex")
    assert facts(world, later, "codex").looked_at is None
    world.acknowledge("codex", later, through=True)
    assert facts(world, later, "codex") == Recipient(
        "codex", None, world.clock.now(), (), None, None
    )


@pytest.mark.rule("M14")
@pytest.mark.parametrize(("urgent", "minutes"), [(False, 15), (True, 5)])
def test_a_seat_is_due_when_its_oldest_unread_message_is_older_than_the_limit(
    world: World, urgent: bool, minutes: int
) -> None:
    world.post("user", "codex", urgent=urgent)
    world.clock.move(minutes=minutes)
    assert due(world) == []
    world.clock.move(microseconds=1)
    assert due(world) == ["codex"]
    need = world.overview().needs[0]
    assert (need.id, need.since) == (world.queue("codex")[0], "2026-11-30T10:00:00.000000+00:00")


@pytest.mark.rule("M14")
def test_it_is_the_oldest_message_that_counts(world: World) -> None:
    normal = world.post("user", "codex")
    world.post("user", "codex", urgent=True)
    world.clock.move(minutes=6)
    assert due(world) == []
    world.acknowledge("codex", normal)
    assert due(world) == ["codex"]
    world.acknowledge("codex", world.queue("codex")[0])
    assert due(world) == []


@pytest.mark.rule("M14")
def test_a_look_since_it_came_takes_the_seat_off_until_another_is_oldest(world: World) -> None:
    look(world, "codex")
    first = world.post("user", "codex")
    world.clock.move(minutes=16)
    assert due(world) == ["codex"]
    look(world, "codex")
    assert due(world) == []
    world.post("user", "codex")
    world.clock.move(days=1)
    assert due(world) == []
    world.acknowledge("codex", first)
    assert due(world) == ["codex"]


@pytest.mark.rule("M14")
def test_silence_of_the_user_or_a_clock_set_back_makes_nobody_due(world: World) -> None:
    world.post("codex", "user")
    world.clock.move(days=2)
    assert due(world) == []
    world.post("user", "codex")
    world.clock.set(hours=-5)
    assert due(world) == []


@pytest.mark.rule("M15")
def test_a_seat_that_is_away_is_not_due_until_then_or_until_it_is_back(world: World) -> None:
    world.post("user", "codex")
    world.clock.move(minutes=16)
    world.run(MarkAway("codex", "2026-11-30T12:20:00+02:00", "at lunch"))
    away = world.seat("codex").away
    assert away is not None
    until = "2026-11-30T10:20:00.000000+00:00"
    assert (away.until, away.reason, away.by) == (until, "at lunch", "user")
    assert due(world) == []
    world.clock.move(minutes=4, microseconds=-1)
    assert (due(world), is_away(world.seat("codex"), world.clock.now())) == ([], True)
    world.clock.move(microseconds=1)
    assert (due(world), is_away(world.seat("codex"), world.clock.now())) == (["codex"], False)

    world.run(MarkAway("codex", "2026-12-01T00:00:00+00:00", "offline"))
    world.run(MarkAway("codex", "2026-12-02T00:00:00+00:00", "longer"))
    assert due(world) == []
    world.run(MarkBack("codex"))
    assert (due(world), world.seat("codex").away) == (["codex"], None)


@pytest.mark.rule("M15")
def test_away_needs_an_agent_a_time_to_come_and_a_reason(world: World) -> None:
    world.refused("M15", MarkAway("user", "2026-12-01T00:00:00Z", "holiday"))
    world.refused("M15", MarkBack("codex"))
    for past in (world.clock.now(), "2026-11-30T11:59:59+02:00"):
        assert world.fails(BadInput, MarkAway("codex", past, "tea")).field == "until"
    with pytest.raises(BadInput, match="reason"):
        MarkAway("codex", "2026-12-01T00:00:00Z", " ")
    for never in ("", "tomorrow", "2026-12-01", "2026-12-01T00:00:00", 1796083200, None):
        with pytest.raises(BadInput) as caught:
            MarkAway("codex", never, "tea")  # type: ignore[arg-type]
        assert caught.value.field == "until"
