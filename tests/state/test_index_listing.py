"""Lists of messages by any filter, counted, paged at any depth, and a message's place in them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.generate import generate
from state.command import Actor
from state.errors import BadInput
from state.importing.commands import ImportMessage
from state.index.names import STEP
from state.index.view import View
from state.messages import listing
from state.messages.listing import Filter, MessageRow
from state.messages.operations import NoEvidence, Origin
from state.messages.tasks import AcceptTask, DeclineTask, FinishTask
from state.project import Project
from tests.state.world import World

MESSAGES = 10_000
SEATS = ("user", "claude-code", "codex", "hermes")
CHOICES = {
    "seat": (None, None, *SEATS, "nobody"),
    "sender": (None, None, *SEATS, "ann"),
    "kind": (None, "note", "question", "task", "reply", "result"),
    "state": (None, None, "unread", "open", "accepted", "done", "declined", "cancelled"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """10,000 messages, tasks in every state, and messages imported from another time."""
    found = Project(generate(str(tmp_path_factory.mktemp("list")), MESSAGES, seed=5))
    user = Actor("user", "cli")
    for number in range(40):
        time = f"2026-0{number % 9 + 1}-02T00:00:00.000000+00:00"
        sender, to = (("codex", ("hermes",)), ("", ("codex",)), ("codex", ("codex",)))[number % 3]
        origin = Origin("t", "team", "box", number, "ann", "lead", time, None, "", f"{number:064}")
        found.run(ImportMessage(sender, to, "imported", "text", origin), user)
    with found.view() as view:
        tasks = view.rows("SELECT message, holder FROM task WHERE state='open' ORDER BY message")
    for place, (number, holder) in enumerate(tasks[-60:]):
        actor = Actor(holder, "cli") if holder != "user" else user
        if place % 3 == 0:
            found.run(DeclineTask(number, "no"), actor)
        else:
            found.run(AcceptTask(number), actor)
        if place % 3 == 1:
            found.run(FinishTask(number, NoEvidence()), actor)
    return found


def lets_through(wanted: Filter, row: MessageRow) -> bool:
    """What a filter means, said of one row."""
    states = {state for holder, state in row.tasks if wanted.seat in (None, holder)}
    unread = any(wanted.seat in (None, seat) for seat in row.unread_by)
    return (
        (wanted.seat is None or wanted.seat in (row.sender, *row.to))
        and wanted.sender in (None, row.sender)
        and wanted.kind in (None, row.kind)
        and (wanted.since is None or row.at >= wanted.since)
        and (wanted.until is None or row.at <= wanted.until)
        and (
            wanted.state is None or (unread if wanted.state == "unread" else wanted.state in states)
        )
    )


def everything(view: View) -> tuple[MessageRow, ...]:
    """All rows, newest first, without any list."""
    return listing.of(
        view, [row[0] for row in view.rows("SELECT id FROM message ORDER BY id DESC")]
    )


@pytest.mark.rule("M10")
def test_any_filter_counts_pages_and_places_what_looking_at_each_message_gives(
    project: Project,
) -> None:
    chance = random.Random("filters")
    with project.view() as view:
        rows = everything(view)
        assert len(rows) > MESSAGES > 5 * STEP
        times = [row.at for row in rows]
        for _ in range(150):
            wanted = Filter(
                **{name: chance.choice(values) for name, values in CHOICES.items()},
                since=chance.choice((None, None, chance.choice(times))),
                until=chance.choice((None, None, chance.choice(times))),
            )
            found = [row.id for row in rows if lets_through(wanted, row)]
            for _ in range(4):
                first, size = chance.randrange(len(found) + 3), chance.choice((1, 7, 100, 2500))
                page = [row.id for row in listing.page(view, wanted, first, size)]
                assert page == found[first : first + size], (wanted, first, size)
            assert listing.count(view, wanted) == len(found), wanted
            for number in (*chance.sample(range(1, view.rev), 3), *found[:1], *found[-1:]):
                place = found.index(number) if number in found else None
                assert listing.place(view, wanted, number) == place, (wanted, number)
                assert listing.lets_through(view, wanted, number) == (number in found)


@pytest.mark.rule("M10")
@pytest.mark.parametrize(
    "wanted", [Filter(), Filter(kind="note"), Filter(seat="codex"), Filter(sender="codex")], ids=str
)
def test_every_page_of_a_long_list_is_near_a_milestone(project: Project, wanted: Filter) -> None:
    with project.view() as view:
        found = [row.id for row in everything(view) if lets_through(wanted, row)]
        assert len(found) > 2 * STEP
    for start in (
        0,
        1,
        STEP - 1,
        STEP,
        STEP + 1,
        len(found) // 2,
        len(found) - STEP,
        len(found) - 3,
    ):
        # A view of its own, so that no page before helps.
        with project.view() as view:
            asked: list[int] = []
            rows = view.rows

            def note(
                sql: str, *values: object, asked: list[int] = asked, rows: object = rows
            ) -> list[tuple[object, ...]]:
                if "OFFSET" in sql:
                    asked.append(int(str(values[-1])))
                return rows(sql, *values)  # type: ignore[operator, no-any-return]

            view.rows = note  # type: ignore[method-assign]
            page = [row.id for row in listing.page(view, wanted, start, 50)]
            assert page == found[start : start + 50]
            assert asked
            assert max(asked) <= STEP


def test_rows_say_what_is_known_without_opening_the_line(world: World) -> None:
    first = world.post("user", "codex", "hermes", title="do it", kind="task", urgent=True)
    answer = world.post("codex", "user", title="why?", kind="question", reply_to=first)
    world.acknowledge("codex", first)
    world.run(AcceptTask(first), "hermes")
    with world.look() as view:
        newer, row = listing.page(view, Filter(), 0, 10)
    assert (newer.id, newer.reply_to, newer.hops) == (answer, first, 1)
    assert (row.id, row.sender, row.to, row.addressing) == (
        *(first, "user"),
        *(("codex", "hermes"), "direct"),
    )
    assert (row.kind, row.title, row.urgent, row.imported) == ("task", "do it", True, False)
    assert (row.replies, row.unread_by) == (1, ("hermes",))
    assert row.tasks == (("codex", "open"), ("hermes", "accepted"))


@pytest.mark.rule("M16")
def test_imported_rows_keep_the_names_they_came_with_and_are_never_unread(world: World) -> None:
    time = "2020-01-01T00:00:00.000000+00:00"
    origin = Origin("tool", "team", "box", 1, "ann", "bob", time, False, "", "0" * 64)
    number = world.run(ImportMessage("", (), "hello", "text", origin)).rev
    world.post("user", "codex")
    with world.look() as view:
        (row,) = listing.page(view, Filter(sender="ann"), 0, 10)
        assert (row.id, row.sender, row.to, row.at) == (number, "ann", ("bob",), time)
        assert (row.imported, row.unread_by, row.tasks) == (True, (), ())
        assert listing.count(view, Filter(until=time)) == 1
        assert listing.count(view, Filter(state="unread")) == 1


def test_a_row_of_a_number_that_is_no_message_is_left_out(world: World) -> None:
    number = world.post("user", "codex")
    with world.look() as view:
        assert [row.id for row in listing.of(view, (1, number, 99, number))] == [number, number]


def test_a_filter_names_states_and_kinds_that_there_are() -> None:
    with pytest.raises(BadInput, match="state"):
        Filter(state="read")
    with pytest.raises(BadInput, match="kind"):
        Filter(kind="mail")


def test_the_index_of_ten_thousand_is_the_same_when_built_anew(project: Project) -> None:
    from tests.state.index_support import index_of, rows_of

    with project.view() as view:
        before = rows_of(view)
    project.close()
    Path(index_of(project)).unlink()
    with project.view() as view:
        assert rows_of(view) == before
