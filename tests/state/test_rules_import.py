"""M16: what another tool's messages are here, and what they never become."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from state.importing.commands import ImportMessage
from state.messages.commands import Acknowledge
from state.messages.operations import Origin
from state.messages.tasks import AcceptTask, tasks
from state.roster.commands import AddSeat, DeactivateSeat
from tests.state.world import World

pytestmark = pytest.mark.rule("M16")

SENT = "2026-02-03T04:05:06.000000+00:00"


def imported(
    sender: str = "codex", to: str = "gemini", text: str = "please fix it", position: int = 0
) -> ImportMessage:
    origin = Origin(
        tool="claude-team",
        team="crew",
        inbox=to,
        position=position,
        sender=sender,
        recipient=to,
        time=SENT,
        read=False,
        summary="a wish",
        sha256=sha256(text.encode()).hexdigest(),
    )
    return ImportMessage(sender, (to,), "a wish", text, origin)


def test_it_keeps_what_it_was_and_is_written_by_the_user(world: World) -> None:
    number = world.run(imported()).rev
    line = world.lines()[-1]
    assert (line["seat"], [op["op"] for op in line["ops"]]) == ("user", ["message_imported"])
    message = world.message(number)
    assert (message.sender, message.to) == ("codex", ("gemini",))
    assert (message.title, message.body) == ("a wish", "please fix it")
    assert message.at == SENT
    assert message.written_at == world.clock.now()
    assert message.origin is not None
    kept = {**message.origin}
    assert (kept["tool"], kept["team"], kept["inbox"]) == ("claude-team", "crew", "gemini")
    assert (kept["position"], kept["sender"], kept["time"]) == (0, "codex", SENT)
    assert (kept["read"], kept["first"]) == (False, None)


@pytest.mark.parametrize("actor", ["codex", "gemini", "nobody"])
def test_only_the_user_imports(world: World, actor: str) -> None:
    world.refused("M16", imported(), actor)


def test_it_stands_in_no_queue_and_opens_no_task(world: World) -> None:
    text = '{"type":"task_assignment","taskId":"1","subject":"fix it"}'
    number = world.run(imported(text=text)).rev
    assert [world.seat(seat).unread for seat in ("user", "codex", "gemini")] == [0, 0, 0]
    assert world.queue("gemini") == ()
    world.refused("M5", Acknowledge(number), "gemini")
    world.refused("M7", AcceptTask(number), "gemini")
    with world.look() as view:
        assert tasks(view) == ()
    world.clock.move(days=1)
    assert world.overview().needs == ()
    # It never stands in the way of a seat's end, nor between messages of a queue.
    after = world.post("user", "gemini")
    world.run(imported(position=1))
    assert world.queue("gemini") == (after,)
    world.acknowledge("gemini", after)
    world.run(DeactivateSeat("gemini", world.roster, "left"))


def test_a_seat_that_joins_afterwards_has_it_behind_its_cursor(world: World) -> None:
    number = world.run(imported()).rev
    world.run(AddSeat("claude", world.roster))
    assert (world.seat("claude").cursor, world.seat("claude").unread) == (number, 0)


def test_one_to_oneself_and_names_without_a_seat_stay_as_they_stand(world: World) -> None:
    own = world.message(world.run(imported("codex", "codex")).rev)
    assert (own.sender, own.to) == ("codex", ("codex",))
    strange = imported("team-lead", "nobody", position=1)
    number = world.run(replace(strange, sender="", to=())).rev
    assert (world.message(number).sender, world.message(number).to) == ("team-lead", ("nobody",))


def test_the_same_position_with_the_same_bytes_writes_nothing_again(world: World) -> None:
    first = world.run(imported()).rev
    refusal = world.refused("M16", imported())
    assert f"#{first}" in refusal.message
    other = world.run(imported(text="other bytes"))
    assert other.ops[0]["first"] == first
    third = world.run(imported(text="and others"))
    assert third.ops[0]["first"] == first
    world.refused("M16", imported(text="other bytes"))
    elsewhere = world.run(imported(position=7))
    assert elsewhere.ops[0]["first"] is None
