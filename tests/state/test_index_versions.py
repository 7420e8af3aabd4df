"""Indexes of several versions of the program, left-overs of builders, and what is no damage."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from state.index import store
from state.index.names import CODE
from state.project import Project
from tests.state.index_support import Rows, index_of, live, remove_index, rows_of
from tests.state.world import World
from tests.support import environment


@pytest.fixture
def lived(world: World) -> World:
    """A project in which things have happened; its index is up to date."""
    live(world, random.Random("versions"), 30)
    return world


def answers(world: World) -> Rows:
    with world.look() as view:
        return rows_of(view)


def test_what_a_killed_builder_left_goes_with_the_next_one(lived: World) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    cache = Path(lived.paths.cache)
    kept = {f"index.{os.getpid()}.0123abcd", "index.txt"}
    for name in {*kept, *(f"index.{gone.pid}.0123abcd{end}" for end in ("", "-wal", "-shm"))}:
        (cache / name).write_bytes(b"half")
    before = answers(lived)
    lived.close()
    remove_index(lived.project)
    assert answers(lived) == before
    names = {path.name for path in cache.glob("index.*")}
    assert {name for name in names if not name.startswith("index-")} == kept


OTHER_VERSION = """
import sys
from state.index import names
names.CODE = "9999"
from state.command import Actor
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
with Project(Paths(sys.argv[1])) as project:
    with project.view() as view:
        print(view.rev)
    print(project.run(Post(("codex",), "of another version"), Actor("user", "cli")).rev)
"""


def test_two_versions_in_use_at_once_leave_each_other_their_index(lived: World) -> None:
    with lived.look() as view:
        rev = view.rev
    own = index_of(lived.project)
    inode = own.stat().st_ino
    for turn in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", OTHER_VERSION, lived.paths.root],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stdout.split() == [str(rev + 2 * turn), str(rev + 2 * turn + 1)], ran.stderr
        assert lived.post("user", "codex", title="of this one") == rev + 2 * turn + 2
        assert own.stat().st_ino == inode
    other = Path(lived.paths.index("9999"))
    with closing(sqlite3.connect(other)) as connection:
        assert connection.execute("SELECT code, rev FROM meta").fetchone() == ("9999", rev + 3)


@pytest.mark.parametrize(("days", "stays"), [(6, True), (8, False)])
def test_the_index_of_another_version_goes_after_a_week(
    lived: World, days: int, stays: bool
) -> None:
    answers(lived)
    lived.close()
    own, other = index_of(lived.project), Path(lived.paths.index("9999"))
    side = Path(f"{other}-wal")
    shutil.copy(own, other)
    side.write_bytes(b"")
    long_ago = own.stat().st_mtime - days * 24 * 3600
    for path in (other, side):
        os.utime(path, (long_ago, long_ago))
    with Project(lived.paths) as project:
        assert store.quick_check(project.journal, lived.clock)
    assert (own.exists(), other.exists(), side.exists()) == (True, stays, stays)


def test_an_index_that_the_system_does_not_let_read_is_not_called_damaged(
    lived: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    lived.close()
    with Project(lived.paths) as project:
        with monkeypatch.context() as patch:
            patch.setattr(store, "open_reader", full)
            assert store.quick_check(project.journal, lived.clock)
        assert Path(lived.paths.index(CODE)).exists()
