"""The lines as a list, what each of them changed, and the state after one of them."""

from __future__ import annotations

import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from state.errors import Damaged, NotFound
from state.history import queries
from state.history.changes import Change, changes
from state.importing.commands import ImportMessage
from state.journal import writer
from state.journal.catalogue import OPERATIONS
from state.journal.operations import Recovered
from state.messages.operations import Origin
from state.roster.commands import CloseQueue, RenameSeat
from state.roster.operations import SeatAway
from tests.state.index_support import live
from tests.state.world import World


def test_lines_are_listed_newest_first_over_several_segments(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SEGMENT_BYTES", 3000)
    live(world, random.Random("lines"), 60)
    stored = world.lines()
    assert len(list(Path(world.paths.log_dir).iterdir())) > 3
    with world.look() as view:
        assert queries.count(view) == len(stored)
        for first, size in ((0, 10), (0, 500), (7, 13), (len(stored) - 3, 3), (0, 1), (500, 10)):
            found = queries.page(view, first, size)
            assert [row.rev for row in found] == [
                line["rev"] for line in stored[::-1][first : first + size]
            ]
            for row in found:
                line = stored[row.rev - 1]
                assert (row.ts, row.seat, row.via) == (line["ts"], line["seat"], line["via"])
                assert json.loads(json.dumps(row.ops)) == line["ops"]


def test_a_line_that_does_not_verify_is_named(world: World) -> None:
    for number in range(5):
        world.post("user", "codex", title=f"number {number}")
    log = Path(world.paths.segment(1))
    log.write_bytes(log.read_bytes().replace(b"number 2", b"NUMBER 2"))
    with world.look() as view:
        assert [row.rev for row in queries.page(view, 0, 2)] == [6, 5]
        with pytest.raises(Damaged) as caught:
            queries.page(view, 0, 6)
        assert caught.value.rev == 4
        assert [row.rev for row in queries.page(view, 3, 3)] == [3, 2, 1]


def test_there_is_no_state_after_a_line_that_does_not_exist(world: World) -> None:
    for rev in (0, 2, -1):
        with pytest.raises(NotFound):
            queries.at_revision(world.project.journal, rev)
        with world.look() as view, pytest.raises(NotFound):
            changes(view, rev)
    with closing(queries.at_revision(world.project.journal, 1)) as view:
        assert view.meta("name") == "shop"


class _Enough(Exception):
    pass


def test_building_the_past_can_be_called_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from state.index import build

    monkeypatch.setattr(build, "BATCH", 2)
    for _ in range(6):
        world.post("user", "codex")
    told: list[tuple[int, int]] = []

    def progress(done: int, of: int) -> None:
        told.append((done, of))
        if done >= 4:
            raise _Enough

    with pytest.raises(_Enough):
        queries.at_revision(world.project.journal, 7, progress)
    assert told == [(2, 7), (4, 7)]


def changed(world: World) -> list[Change]:
    """What the last line changed."""
    with world.look() as view:
        return list(changes(view, view.rev))


def test_the_first_line_makes_the_project_and_its_seats(world: World) -> None:
    with world.look() as view:
        found = changes(view, 1)
    assert [change.field for change in found if change.what == "project"] == ["id"]
    assert Change("seat:user", "status", None, "active") in found
    assert Change("seat:codex", "visibility", None, "visible") in found


def test_a_task_closing_and_acknowledging_say_what_moved(world: World) -> None:
    task = world.post("user", "codex", "gemini", kind="task")
    assert changed(world) == [
        Change(f"message:{task}", "kind", None, "task"),
        Change("seat:codex", "queue", None, task),
        Change(f"task:{task}:codex", "state", None, "open"),
        Change("seat:gemini", "queue", None, task),
        Change(f"task:{task}:gemini", "state", None, "open"),
    ]
    world.acknowledge("codex", task)
    assert changed(world) == [Change("seat:codex", "cursor", 0, task)]
    note = world.post("user", "codex")
    world.run(CloseQueue("codex", "gone"))
    assert changed(world) == [
        Change("seat:codex", "cursor", task, note),
        Change("seat:codex", "unread", 1, 0),
        Change(f"task:{task}:codex", "state", "open", "cancelled"),
    ]
    world.run(RenameSeat("codex", 1, "Codex"))
    assert changed(world) == [Change("seat:codex", "name", "codex", "Codex")]


def test_an_import_makes_a_message_and_moves_nothing(world: World) -> None:
    time = "2026-01-01T00:00:00.000000+00:00"
    origin = Origin("tool", "team", "box", 1, "ann", "codex", time, None, "", "0" * 64)
    rev = world.run(ImportMessage("", ("codex",), "hello", "text", origin)).rev
    assert changed(world) == [Change(f"message:{rev}", "kind", None, "note")]


def test_what_the_journal_writes_of_itself_changes_nothing_else() -> None:
    from state.history.changes import _READERS

    silent = {"recovered", "segment", "accepted"}
    assert set(OPERATIONS) - set(_READERS) == silent
    assert Recovered("f", 1, "0", 1, 0).op in silent
    assert SeatAway("codex", "", "").op in _READERS
