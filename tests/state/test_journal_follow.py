"""Following with a watcher: nothing is missed, nothing given twice (faults 29, 30, 34)."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from state.create import create
from state.journal.follow import Follower
from state.journal.journal import Journal
from tests.state.journal_reader import Reader
from tests.state.journal_support import CLOCK, Disk, append, python, ran, written
from tests.support import until


@pytest.fixture
def reader(disk: Disk) -> Iterator[Reader]:
    found = Reader(disk)
    yield found
    found.end()
    assert "watcher" not in {thread.name for thread in threading.enumerate()}


def test_commits_of_another_process_are_seen(disk: Disk, reader: Reader) -> None:
    reader.watches()
    first = reader.news[0]
    assert (first.head and first.head.rev, first.lines, first.trouble) == (6, (), None)
    code = (
        "import sys\nfrom state.journal.journal import Journal\nfrom state.paths import Paths\n"
        "from tests.state.journal_support import append\n"
        "journal = Journal(Paths(sys.argv[1]))\n"
        "for number in range(20): append(journal, str(number))\n"
    )
    ran(code, disk.paths.root)
    reader.sees(26)
    assert reader.revs == list(range(7, 27))
    assert [news.opened for news in reader.news if news.opened] == []


def test_a_folder_that_is_gone_is_told_and_not_made(disk: Disk, reader: Reader) -> None:
    reader.watches()
    shutil.rmtree(disk.paths.root)
    reader.is_told("replaced")
    assert "gone" in str(reader.last.trouble)
    assert not Path(disk.paths.root).exists()
    create(disk.paths.project, name="anew", clock=CLOCK, via="cli")
    reader.is_told(None)
    assert reader.last.opened == 1
    assert reader.last.head is not None
    assert reader.last.head.rev == 1
    append(Journal(disk.paths))
    until(lambda: reader.revs == [2])
    reader.watches()


STOPPED = """
import sys, threading
from state.journal.follow import follow
from state.journal.journal import Journal
from state.paths import Paths
for news in follow(Journal(Paths(sys.argv[1])), threading.Event()):
    for line in news.lines:
        print(line.rev, flush=True)
    if news.watching and not news.lines:
        print("watching", flush=True)
"""


def test_an_overflow_of_events_loses_no_commit(disk: Disk) -> None:
    limit = Path("/proc/sys/fs/inotify/max_queued_events")
    if not limit.exists():
        pytest.skip("no inotify here")
    process = python(STOPPED, disk.paths.root)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "watching\n"
        os.kill(process.pid, signal.SIGSTOP)
        # Two files in turn, since an event equal to the one before it is not kept.
        folder = Path(disk.paths.head_dir)
        one, two = (os.open(folder / name, os.O_CREAT | os.O_WRONLY) for name in ("a", "b"))
        for _ in range(int(limit.read_text()) // 2 + 1000):
            os.pwrite(one, b"x", 0)
            os.pwrite(two, b"x", 0)
        written(disk.paths, 1)
        os.kill(process.pid, signal.SIGCONT)
        assert process.stdout.readline() == "7\n"
        os.close(one)
        os.close(two)
    finally:
        process.kill()
        process.communicate()


def test_a_storm_of_files_elsewhere_has_no_effect(disk: Disk, reader: Reader) -> None:
    reader.watches()
    looked = count_calls(Follower.poll)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Follower, "poll", looked)
        before = looked.calls
        for number in range(400):
            (Path(disk.paths.project) / f"file-{number}").write_bytes(b"x")
            (Path(disk.paths.cache) / f"file-{number}").write_bytes(b"x")
        # Only the tick, never a ring for one of these.
        assert looked.calls - before < 100
    append(Journal(disk.paths))
    reader.sees(7)
    assert reader.revs == [7]


class count_calls:  # noqa: N801
    def __init__(self, original: Callable[..., object]) -> None:
        self.calls = 0
        self._original = original

    def __get__(self, owner: object, kind: object) -> Callable[..., object]:
        def call() -> object:
            self.calls += 1
            return self._original(owner)

        return call
