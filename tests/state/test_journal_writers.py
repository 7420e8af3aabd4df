"""Several writers: revisions, retries, the lock and who holds it (faults 1-3, 5, 7, 9)."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from state.command import Actor
from state.errors import BadInput, Busy, Refused, RevisionConflict
from state.journal.journal import Journal
from state.journal.lock import WAIT_SECONDS, exclusive
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from state.roster.commands import AddSeat, HideSeat
from tests.state.journal_support import CLOCK, Disk, append, made, python, ran

USER = Actor("user", "cli")


HOLD = """
import sys
from state.journal.lock import WAIT_SECONDS, exclusive
with exclusive(sys.argv[1], seat="codex", since="2026-11-30T10:00:00.000000+00:00"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(paths: Paths) -> Iterator[int]:
    """Another process holds the lock; its pid."""
    process = python(HOLD, paths.mutex)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process.pid
    finally:
        process.kill()
        process.communicate()


def test_a_writer_that_never_pauses_lets_the_others_have_their_turn(tmp_path: Path) -> None:
    """Fault 8. Each gap is far shorter than the time between two looks of one who waits."""
    mutex = made(tmp_path / "project").mutex
    since = CLOCK.now()
    waiting, done = threading.Event(), threading.Event()

    def wait() -> None:
        waiting.set()
        with exclusive(mutex, seat="codex", since=since, wait=WAIT_SECONDS * 12):
            done.set()

    thread = threading.Thread(target=wait)
    turns = 0
    with exclusive(mutex, seat="user", since=since):
        thread.start()
        waiting.wait()
    while not done.is_set():
        turns += 1
        with exclusive(mutex, seat="user", since=since):
            time.sleep(0.006)
    thread.join()
    # Without a turn of its own it would find one gap in a thousand.
    assert turns < 200


def test_a_stale_revision_writes_nothing_and_tells_what_came_between(tmp_path: Path) -> None:
    disk = Disk(made(tmp_path))
    with Project(disk.paths) as project:
        project.run(HideSeat("codex", 1), USER)
        before = disk.everything()
        with pytest.raises(RevisionConflict) as found:
            project.run(AddSeat("gemini", 1), USER)
        assert disk.everything() == before
    assert (found.value.expected, found.value.actual) == (1, 2)
    assert [(event["rev"], event["seat"]) for event in found.value.since] == [(2, "codex")]


def test_a_revision_from_the_future_is_bad_input(tmp_path: Path) -> None:
    disk = Disk(made(tmp_path))
    before = disk.everything()
    with Project(disk.paths) as project, pytest.raises(BadInput, match="doesn't exist yet"):
        project.run(HideSeat("codex", 9), USER)
    assert disk.everything() == before


def test_the_same_request_twice_is_one_line(tmp_path: Path) -> None:
    disk = Disk(made(tmp_path))
    with Project(disk.paths) as project:
        first = project.run(Post(("codex",), "once"), USER, key="k")
        again = project.run(Post(("codex",), "once"), USER, key="k")
        assert (again.rev, again.repeated) == (first.rev, True)
        assert len(disk.lines) == first.rev
        with pytest.raises(Refused, match="says something else"):
            project.run(Post(("codex",), "other"), USER, key="k")
        assert project.run(Post(("codex",), "next"), USER).rev == first.rev + 1


COLD = """
import sys
from state.command import Actor
from state.messages.commands import Post
from state.project import open_project
sys.stdin.readline()
with open_project(sys.argv[1]) as project:
    print(project.run(Post(("user",), "from " + sys.argv[2]), Actor("codex", "cli"), wait=60).rev)
"""


def test_twenty_cold_writers_lose_nothing(tmp_path: Path) -> None:
    paths = made(tmp_path)
    started = [python(COLD, tmp_path, str(number)) for number in range(20)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0] * 20, outcomes
    assert sorted(int(out) for out, _ in outcomes) == list(range(2, 22))
    with Project(paths) as project, project.view() as view:
        titles = {title for (title,) in view.rows("SELECT title FROM message")}
        assert verify(project.journal).ok
    assert titles == {f"from {number}" for number in range(20)}


def test_a_killed_holder_leaves_the_lock_free(tmp_path: Path) -> None:
    paths = made(tmp_path)
    journal = Journal(paths)
    with held(paths) as pid:
        os.kill(pid, signal.SIGKILL)
        append(journal, wait=0.1)
    journal.close()


def test_a_stopped_holder_is_named(tmp_path: Path) -> None:
    paths = made(tmp_path)
    journal = Journal(paths)
    with held(paths) as pid:
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(Busy) as found:
            append(journal, wait=0.2)
        assert found.value.holder is not None
        assert (found.value.holder["pid"], found.value.holder["seat"]) == (pid, "codex")
        assert str(pid) in found.value.message
        # Reading needs no lock.
        assert journal.head().rev == 1
    append(journal, wait=0.1)
    journal.close()


def test_the_hint_of_a_dead_holder_is_not_believed(tmp_path: Path) -> None:
    disk = Disk(made(tmp_path))
    mutex = Path(disk.paths.mutex)
    for hint in (b'{"pid":1,"seat":"codex","since":"x"}\n', b"\xff\0 no json", b"[1]"):
        mutex.write_bytes(hint)
        journal = Journal(disk.paths)
        append(journal, wait=0.1)
        journal.close()
        assert json.loads(mutex.read_bytes())["pid"] == os.getpid()


def test_two_journals_of_one_process_take_turns(tmp_path: Path) -> None:
    paths = made(tmp_path)
    with exclusive(paths.mutex, seat="user", since=CLOCK.now()), pytest.raises(Busy):
        append(Journal(paths), wait=0.05)


FORK = """
import os, sys
from state.errors import StateError
from state.project import open_project
project = open_project(sys.argv[1])
child = os.fork()
if child == 0:
    try:
        project.view()
    except StateError as error:
        print(error.message, flush=True)
        os._exit(0)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
project.view().close()
"""


def test_a_forked_process_is_told_to_open_its_own(tmp_path: Path) -> None:
    made(tmp_path)
    assert ran(FORK, tmp_path) == "this project was opened before the process forked\n"


FORK_HOLDING = """
import os, sys
from state.journal.lock import WAIT_SECONDS, exclusive
with exclusive(sys.argv[1], seat="codex", since="2026-11-30T10:00:00.000000+00:00"):
    child = os.fork()
    if child == 0:
        sys.stdin.read()
        os._exit(0)
print(child, flush=True)
sys.stdin.read()
os.kill(child, 9)
os.waitpid(child, 0)
"""


def test_a_child_of_the_holder_holds_nothing(tmp_path: Path) -> None:
    paths = made(tmp_path)
    process = python(FORK_HOLDING, paths.mutex)
    try:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        append(Journal(paths), wait=0.1)
    finally:
        process.communicate()
