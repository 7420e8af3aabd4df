"""An index that is missing, foreign, behind, ahead, damaged or no file at all (faults 27, 50)."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from state.command import USER, Actor
from state.errors import StateError
from state.index import store
from state.index.names import CODE
from state.index.view import IndexFailed
from state.index.writer import IndexWriter
from state.messages.commands import Post
from state.project import Project
from tests.state.index_support import AGENTS, Rows, index_of, live, remove_index, rows_of, spoil
from tests.state.world import World
from tests.support import environment


@pytest.fixture
def lived(world: World) -> World:
    """A project in which things have happened; its index is up to date."""
    live(world, random.Random("faults"), 60)
    return world


def answers(world: World) -> Rows:
    with world.look() as view:
        return rows_of(view)


def _settled(index: Path) -> None:
    """What stands in the write-ahead log goes into the file."""
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _missing(world: World, index: Path) -> None:
    shutil.rmtree(index.parent)


def _empty(world: World, index: Path) -> None:
    index.write_bytes(b"")


def _garbage(world: World, index: Path) -> None:
    index.write_bytes(random.Random(1).randbytes(20_000))


def _truncated(world: World, index: Path) -> None:
    os.truncate(index, index.stat().st_size // 2)


def _foreign(world: World, index: Path) -> None:
    index.unlink()
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("CREATE TABLE meta(code, rev)")
        connection.execute("INSERT INTO meta VALUES('1', 5)")
        connection.commit()


def _of_other_code(world: World, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("UPDATE meta SET code='0', messages=0")
        connection.execute("DELETE FROM message")
        connection.commit()


def _with_words_for_numbers(world: World, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("UPDATE meta SET rev='many'")
        connection.commit()


def _without_a_table(world: World, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("DROP TABLE involved")
        connection.commit()


def _ahead(world: World, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("UPDATE meta SET rev=rev+3")
        connection.commit()


def _of_another_history(world: World, index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("UPDATE meta SET rev=rev-2, hash=?", ("0" * 64,))
        connection.execute("UPDATE message SET title='never written'")
        connection.commit()


def _of_another_project(world: World, index: Path) -> None:
    (world.folder / "other").mkdir()
    other = World(world.folder / "other", *AGENTS)
    live(other, random.Random("other"), 70)
    other.close()
    _settled(index_of(other.project))
    shutil.copy(index_of(other.project), index)


def _folder(world: World, index: Path) -> None:
    index.unlink()
    index.mkdir()
    (index / "mine").write_text("kept")


def _link(world: World, index: Path) -> None:
    index.rename(index.with_name("elsewhere"))
    index.symlink_to(index.with_name("elsewhere"))


def _second_name(world: World, index: Path) -> None:
    os.link(index, index.with_name("elsewhere"))


def _spoilt(world: World, index: Path) -> None:
    spoil(index, random.Random(3))


WAYS = (
    *(_missing, _empty, _garbage, _truncated, _foreign, _of_other_code, _with_words_for_numbers),
    *(_without_a_table, _ahead, _of_another_history, _of_another_project, _folder, _link),
    *(_second_name, _spoilt),
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("first", ["read", "write"])
def test_whatever_became_of_the_index_the_answers_are_the_same(
    lived: World, way: Callable[[World, Path], None], first: str
) -> None:
    wanted = answers(lived)
    lived.close()
    index = index_of(lived.project)
    _settled(index)
    way(lived, index)
    if first == "write":
        lived.project = Project(lived.paths, lived.clock)
        assert lived.post("user", "codex", title="after all") == wanted["line"][-1][0] + 1  # type: ignore[operator]
    else:
        assert answers(lived) == wanted
    again = answers(lived)
    remove_index(lived.project)
    assert answers(lived) == again
    assert store.quick_check(lived.project.journal, lived.clock)


def test_what_was_in_place_of_the_index_is_not_destroyed(lived: World) -> None:
    index = index_of(lived.project)
    lived.close()
    _folder(lived, index)
    answers(lived)
    assert [path.read_text() for path in index.parent.glob("*.aside/mine")] == ["kept"]


def test_an_index_that_is_behind_is_caught_up_by_the_next_writer(lived: World) -> None:
    lived.close()
    index = index_of(lived.project)
    _settled(index)
    older = index.read_bytes()
    live(lived, random.Random("more"), 30)
    wanted = answers(lived)
    lived.close()
    _settled(index)
    index.write_bytes(older)
    assert answers(lived) == wanted
    assert index.read_bytes() == older
    lived.post("user", "codex")
    with closing(sqlite3.connect(index)) as connection:
        rev, code = connection.execute("SELECT rev, code FROM meta").fetchone()
    assert (rev, code) == (lived.lines()[-1]["rev"], CODE)


def test_a_quick_check_drops_an_index_that_sqlite_finds_damaged(lived: World) -> None:
    journal, index = lived.project.journal, index_of(lived.project)
    assert store.quick_check(journal, lived.clock)
    wanted = answers(lived)
    lived.close()
    _settled(index)
    spoil(index, random.Random(5))
    assert not store.quick_check(journal, lived.clock)
    assert not index.exists()
    assert answers(lived) == wanted
    assert store.quick_check(journal, lived.clock)


def test_an_index_that_fails_after_the_commit_is_dropped_and_fails_no_command(
    lived: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: IndexWriter, appended: object) -> None:
        raise IndexFailed("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(IndexWriter, "take", fails)
        rev = lived.post("user", "codex", title="written all the same")
    assert not index_of(lived.project).exists()
    assert lived.message(rev).title == "written all the same"
    assert lived.post("user", "codex") == rev + 1


def test_sqlites_errors_stay_inside(lived: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with lived.look() as view:
        # Not the index is at fault but the question, so that a new one doesn't help.
        with pytest.raises(StateError, match="index") as caught:
            view.rows("SELECT nothing FROM nowhere")
        assert caught.value.code == "error"
    assert lived.post("user", "codex") > 0


def test_where_no_index_can_be_kept_commands_go_on(lived: World) -> None:
    wanted = answers(lived)
    lived.close()
    # Neither the project's cache nor the person's can hold a file.
    shutil.rmtree(lived.paths.cache)
    Path(lived.paths.cache).write_text("in the way")
    Path(os.environ["XDG_CACHE_HOME"]).rmdir()
    Path(os.environ["XDG_CACHE_HOME"]).write_text("in the way")
    assert answers(lived) == wanted
    with Project(lived.paths, lived.clock) as project:
        last = wanted["line"][-1][0]
        for number in range(3):
            done = project.run(Post(("codex",), "again"), Actor(USER, "cli"))
            assert done.rev == last + 1 + number  # type: ignore[operator]
        with project.view() as view:
            assert view.number("SELECT count(*) FROM line") == done.rev


FULL = """
import resource, signal, sys
from state.command import Actor
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
import filelock, sqlite3, tempfile
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
with Project(Paths(sys.argv[1])) as project:
    with project.view() as view:
        print(view.rev, view.number("SELECT count(*) FROM message"))
    print(project.run(Post(("codex",), "no room for an index"), Actor("user", "cli")).rev)
"""


def test_a_full_disk_takes_the_index_and_no_answer(lived: World) -> None:
    with lived.look() as view:
        rev, messages = view.rev, view.number("SELECT count(*) FROM message")
    lived.close()
    shutil.rmtree(lived.paths.cache)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, lived.paths.root],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.split() == [str(rev), str(messages), str(rev + 1)], ran.stderr
    assert lived.message(rev + 1).title == "no room for an index"


@pytest.mark.rule("R6", "M11")
def test_unread_is_the_same_everywhere_after_every_event(world: World) -> None:
    """Fault 50: seat list, queue, overview, lists; the property is in `tests/model` at length."""
    from state.messages import listing
    from state.messages.listing import Filter
    from state.overview import overview

    chance = random.Random("unread")
    for _ in range(40):
        live(world, chance, 1)
        with world.look() as view:
            seen = overview(view, world.clock.moment())
            for seat in seen.seats:
                unread = Filter(seat=seat.seat, state="unread")
                rows = listing.page(view, unread, 0, 1000)
                assert seat.unread == len(world.queue(seat.seat)) == len(rows)
                assert listing.count(view, unread) == len(rows)
                assert all(seat.seat in row.unread_by for row in rows)
            hidden = [seat for seat in seen.seats if seat.visibility == "hidden"]
            active = sum(seat.unread for seat in hidden if seat.status == "active")
            assert seen.hidden_unread == active
