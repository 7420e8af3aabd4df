"""Readers and writers of one project at once, while the index is dropped and put in place anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from state.index import store
from state.journal.verify import verify
from state.messages import listing
from state.messages.listing import Filter
from state.project import Project
from tests.state.index_support import remove_index, rows_of
from tests.state.world import World
from tests.support import environment

POSTS = 60

WRITES = """
import sys
from state.command import Actor
from state.messages.commands import Acknowledge, Post
from state.messages import queries
from state.paths import Paths
from state.project import Project
root, seat, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
other = {"codex": "gemini", "gemini": "hermes", "hermes": "user", "user": "codex"}[seat]
way = "tty" if seat == "user" else "cli"
with Project(Paths(root)) as project:
    for number in range(count):
        rev = project.run(Post((other,), f"{seat} {number}"), Actor(seat, way), wait=60).rev
        # Whoever was answered finds what was written, in the index too.
        with project.view() as view:
            assert view.rev >= rev
            assert view.row("SELECT title FROM message WHERE id=?", rev) == (f"{seat} {number}",)
        if number % 7 == 6:
            with project.view() as view:
                due = queries.queue(view, seat, 3)
            if due:
                project.run(Acknowledge(due[-1], through=True), Actor(seat, way), wait=60)
print("written")
"""

READS = """
import os, sys, time
from state.messages import listing, queries
from state.messages.listing import Filter
from state.overview import overview
from state.paths import Paths
from state.project import Project
root, stop = sys.argv[1:]
last = looks = 0
with Project(Paths(root)) as project:
    while not os.path.exists(stop):
        before = project.journal.head().rev
        with project.view() as view:
            assert view.rev >= max(before, last), (view.rev, before, last)
            last = view.rev
            assert view.number("SELECT count(*) FROM line") == view.number(
                "SELECT max(rev) FROM line") == last
            seen = overview(view, project.clock.moment())
            assert listing.count(view, Filter()) == seen.messages
            for seat in seen.seats:
                assert len(queries.queue(view, seat.seat, 10000)) == seat.unread
        looks += 1
        if looks == 1:
            print("begun", flush=True)
print(looks)
"""

DROPS = """
import os, sys, time
from state.clock import SystemClock
from state.index import store
from state.index.rebuild import ensure, locked
from state.journal.journal import Journal
from state.paths import Paths
root, stop = sys.argv[1:]
journal, times = Journal(Paths(root)), 0
while not os.path.exists(stop):
    if times % 2:
        ensure(journal, SystemClock())
    else:
        with locked(journal, SystemClock()) as held:
            if held:
                store.drop(journal)
    times += 1
    if times == 1:
        print("begun", flush=True)
    time.sleep(0.02)
print(times)
"""


def started(code: str, *args: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *(os.fspath(arg) for arg in args)]
    return subprocess.Popen(
        command,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.strip()


@pytest.mark.parametrize("dropped", [False, True], ids=["kept", "dropped"])
def test_readers_see_one_moment_while_four_write(
    world: World, tmp_path: Path, dropped: bool
) -> None:
    stop = tmp_path / "stop"
    root = world.paths.root
    readers = [started(READS, root, stop) for _ in range(2)]
    droppers = [started(DROPS, root, stop)] if dropped else []
    for process in (*readers, *droppers):
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n", process.communicate()
    writers = [
        started(WRITES, root, seat, str(POSTS)) for seat in ("user", "codex", "gemini", "hermes")
    ]
    try:
        assert [ended(process) for process in writers] == ["written"] * 4
    finally:
        stop.touch()
    assert all(int(ended(process)) > 0 for process in (*readers, *droppers))
    with world.look() as view:
        rows = rows_of(view)
        titles = {row.title for row in listing.page(view, Filter(), 0, 10_000)}
    assert titles == {
        f"{seat} {number}"
        for seat in ("user", "codex", "gemini", "hermes")
        for number in range(POSTS)
    }
    with Project(world.paths) as project:
        assert verify(project.journal).ok
        assert store.quick_check(project.journal, world.clock)
        remove_index(project)
        with project.view() as view:
            assert rows_of(view) == rows
    # Nothing that was built and not put in place is left.
    left = [path.name for path in Path(world.paths.cache).iterdir() if path.is_file()]
    assert all(name.startswith("index-") for name in left), left
