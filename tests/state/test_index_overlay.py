"""Lines that the index file lacks, folded over it in memory, say what a new index says."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from state.history.queries import at_revision
from state.index.schema import TABLES
from state.index.view import View
from state.messages import listing, queries
from state.messages.listing import Filter
from state.messages.search import search
from state.messages.threads import tree
from state.overview import overview
from tests.model.answers import of_project
from tests.state.index_support import Rows, index_of, live, remove_index, rows_of
from tests.state.world import World

STORIES = range(6)


def _copy(index: Path, to: Path) -> Path:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(shutil.copy(index, to))


@pytest.mark.parametrize("story", STORIES)
def test_an_overlay_equals_a_new_index(world: World, tmp_path: Path, story: int) -> None:
    chance = random.Random(story)
    index = index_of(world.project)
    older: list[Path] = []
    for part in range(4):
        live(world, chance, chance.randrange(5, 25))
        world.close()
        older.append(_copy(index, tmp_path / f"index-{part}"))
    remove_index(world.project)
    with world.look() as view:
        wanted, said = rows_of(view), of_project(view, world.clock.moment())
    for file in older:
        remove_index(world.project)
        shutil.copy(file, index)
        with world.look() as view:
            # The file is as it was; what it lacks is in memory.
            assert view.rev == wanted["line"][-1][0]
            assert rows_of(view) == wanted
            assert of_project(view, world.clock.moment()) == said
        assert file.read_bytes() == index.read_bytes()


@pytest.mark.parametrize("story", STORIES)
def test_a_writer_that_catches_up_equals_a_new_index(
    world: World, tmp_path: Path, story: int
) -> None:
    chance = random.Random(story)
    index = index_of(world.project)
    live(world, chance, 25)
    world.close()
    older = _copy(index, tmp_path / "index")
    live(world, chance, 25)
    world.close()
    remove_index(world.project)
    shutil.copy(older, index)
    world.post("user", "all")
    with world.look() as view:
        caught_up = rows_of(view)
    remove_index(world.project)
    with world.look() as view:
        assert rows_of(view) == caught_up


@pytest.mark.parametrize("story", STORIES)
def test_the_state_at_an_earlier_line_is_what_was_then(world: World, story: int) -> None:
    chance = random.Random(story)
    then: dict[int, Rows] = {}
    for _ in range(8):
        live(world, chance, 5)
        with world.look() as view:
            then[view.rev] = rows_of(view)
    told: list[tuple[int, int]] = []
    for rev, wanted in then.items():
        with closing(
            at_revision(world.project.journal, rev, lambda *done: told.append(done))
        ) as view:
            assert view.rev == rev
            assert rows_of(view) == wanted
            assert overview(view, world.clock.moment()).rev == rev


def test_no_question_goes_through_a_whole_table(world: World, tmp_path: Path) -> None:
    """What is asked all day is found by a key, in a file and in an overlay alike."""
    live(world, random.Random("plans"), 60)
    world.close()
    index = index_of(world.project)
    older = _copy(index, tmp_path / "index")
    live(world, random.Random("later"), 20)
    for behind in (False, True):
        world.close()
        if behind:
            remove_index(world.project)
            shutil.copy(older, index)
        with world.look() as view:
            # Under an overlay `m` is the file's table, and its own name what was found in both.
            big = ("m",) if behind else tuple(TABLES)
            assert _slow_steps(view, world, big) == []


def _slow_steps(view: View, world: World, big: tuple[str, ...]) -> list[str]:
    asked: list[tuple[str, tuple[object, ...]]] = []

    class Noting(View):
        def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
            asked.append((sql, values))
            return super().rows(sql, *values)

        def row(self, sql: str, *values: object) -> tuple[object, ...] | None:
            asked.append((sql, values))
            return super().row(sql, *values)

    view.__class__ = Noting
    now = world.clock.moment()
    numbers = [each.id for each in listing.page(view, Filter(), 0, 20)]
    overview(view, now)
    for seat in ("user", "codex"):
        queries.queue(view, seat, 50)
        queries.highest_acknowledged_hops(view, seat, now.utc)
        for wanted in (Filter(seat=seat), Filter(sender=seat), Filter(seat=seat, state="unread")):
            listing.count(view, wanted)
            listing.page(view, wanted, 0, 20)
            listing.place(view, wanted, numbers[0])
    for number in numbers:
        queries.get(view, number, {})
        tree(view, number)
    list(search(view, "alpha", Filter(seat="codex")))
    view.__class__ = View
    steps = {
        (step, sql)
        for sql, values in asked
        for *_, step in view.rows(f"EXPLAIN QUERY PLAN {sql}", *values)
    }
    return [f"{step}: {sql}" for step, sql in sorted(steps) if _is_slow(step, sql, big)]


def _is_slow(step: str, sql: str, big: tuple[str, ...]) -> bool:
    """Whether a step goes through all rows of a table that grows with the messages."""
    if any(small in sql for small in ("FROM seat", "FROM meta", "FROM milestone", "FROM policy")):
        return False
    words = step.split(" ")
    through_all = words[0] == "SCAN" and words[1] in big and "INDEX" not in words
    return through_all or step == "USE TEMP B-TREE FOR ORDER BY"
