"""The watcher: only a doorbell, whatever becomes of it (faults 16, 29, 33)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
import watchfiles

from state.journal import doorbell, follow
from state.journal.journal import Journal
from tests.state.journal_reader import Reader
from tests.state.journal_support import Disk, append, written
from tests.support import environment, until


@pytest.fixture
def reader(disk: Disk) -> Iterator[Reader]:
    found = Reader(disk)
    yield found
    found.end()
    assert "watcher" not in {thread.name for thread in threading.enumerate()}


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """No watcher is to be had: only the tick looks."""

    def refuse(*_: object) -> None:
        raise OSError(24, "no watcher")

    monkeypatch.setattr(doorbell, "_Watch", refuse)


def test_the_watcher_has_exactly_these_settings() -> None:
    given: dict[str, object] = {}

    def watch(*places: str, **options: object) -> Iterator[set[object]]:
        given.update(options, places=places)
        yield set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watchfiles, "watch", watch)
        bell = doorbell.Doorbell("/", threading.Event())
        bell.tend()
        until(lambda: given)
        bell.close()
    given.pop("stop_event")
    assert given == {
        "places": ("/",),
        "step": 5,
        "debounce": 100,
        "rust_timeout": 1000,
        "yield_on_timeout": True,
        "watch_filter": None,
        "recursive": False,
    }


class Stop(threading.Event):
    """Notes how long the watcher stood aside between two steps."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return super().wait(timeout)


@pytest.mark.parametrize("lively", [0.0, 3600.0])
def test_the_watcher_looks_seldom_once_nothing_has_changed_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lively: float
) -> None:
    monkeypatch.setattr(doorbell, "LIVELY_SECONDS", lively)
    stop = Stop()
    bell = doorbell.Doorbell(str(tmp_path), stop)
    until(bell.tend)
    assert bell.wait(10.0)
    for number in range(3):
        (tmp_path / f"change {number}").touch()
        assert bell.wait(10.0), number
    bell.close()
    assert set(stop.waits) == (set() if lively else {doorbell.AT_REST_SECONDS})


def test_a_written_file_rings_before_the_watcher_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def watch(*_: str, stop_event: threading.Event, **options: object) -> Iterator[set[object]]:
        while not stop_event.is_set():
            threading.Event().wait(0.001)
            yield set()

    monkeypatch.setattr(watchfiles, "watch", watch)
    file = tmp_path / "HEAD"
    file.touch()
    bell = doorbell.Doorbell(str(tmp_path), threading.Event(), str(file))
    until(bell.tend)
    assert bell.wait(10.0)
    for moment in range(3):
        os.utime(file, ns=(moment, moment))
        assert bell.wait(10.0), moment
    bell.close()


def test_a_ring_brings_a_commit_before_the_tick(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a tick that never comes, only the watcher can have told."""
    monkeypatch.setattr(follow, "TICK_SECONDS", 3600.0)
    reader = Reader(disk)
    try:
        reader.watches()
        journal = Journal(disk.paths)
        for rev in range(7, 12):
            append(journal)
            reader.sees(rev)
    finally:
        reader.end()


@pytest.mark.usefixtures("unwatched")
def test_without_a_watcher_the_tick_looks(disk: Disk, reader: Reader) -> None:
    until(lambda: reader.news)
    written(disk.paths, 2)
    reader.sees(8)
    assert not reader.last.watching


def test_stopping_takes_no_tick(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "TICK_SECONDS", 3600.0)
    reader = Reader(disk)
    reader.watches()
    reader.end()


@pytest.mark.usefixtures("unwatched")
def test_stopping_takes_no_tick_without_a_watcher(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "TICK_SECONDS", 3600.0)
    monkeypatch.setattr(doorbell, "FIRST_DELAY_SECONDS", 3600.0)
    reader = Reader(disk)
    until(lambda: reader.news)
    reader.end()


def test_a_watcher_that_keeps_failing_is_started_ever_later(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    tried: list[float] = []

    def refuse(*_: object) -> None:
        tried.append(now)
        raise OSError(24, "no watcher")

    monkeypatch.setattr(doorbell, "_Watch", refuse)
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("state.journal.doorbell.time", clock)
    bell = doorbell.Doorbell(disk.paths.head_dir, threading.Event())
    while now < 400.0:
        assert not bell.tend()
        now += 0.125
    gaps = [second - first for first, second in pairwise(tried)]
    assert gaps == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]


NO_WATCHER = """
import sys, threading
from state.journal.follow import follow
from state.journal.journal import Journal
from state.paths import Paths
from tests.state.journal_support import append
paths = Paths(sys.argv[1])
journal = Journal(paths)
stop = threading.Event()
for news in follow(Journal(paths), stop):
    print(news.watching, [line.rev for line in news.lines], news.trouble, flush=True)
    if news.lines:
        break
    append(journal)
"""


def test_where_no_watcher_is_to_be_had_it_polls(disk: Disk) -> None:
    limit = "echo 0 > /proc/sys/user/max_inotify_instances && exec"
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", f'{limit} "$1" -c "$2" "$3"']
    command += ["sh", sys.executable, NO_WATCHER, disk.paths.root]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "cannot create" in done.stderr:
        pytest.skip("no user namespace here")
    assert done.stdout.splitlines() == ["False [] None", "False [7] None"], done.stderr


def test_a_name_that_is_not_utf8_only_makes_the_watcher_start_again(
    disk: Disk, reader: Reader
) -> None:
    reader.watches()
    journal = Journal(disk.paths)
    strange = os.fsencode(disk.paths.head_dir) + b"/strange\xff"
    with open(strange, "wb"):
        pass
    until(lambda: not reader.last.watching, "the watcher's death")
    append(journal)
    reader.sees(7)
    reader.watches()
    append(journal)
    reader.sees(8)
    assert reader.revs == [7, 8]
    assert os.path.exists(strange)


def test_a_watcher_that_hears_nothing_is_started_again(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is moved away and back: the system may go on telling or not, the tick does."""
    started: list[object] = []
    original = doorbell._Watch

    class Deaf(original):  # type: ignore[misc, valid-type]
        def __init__(self, folder: str, file: str, *given: object) -> None:
            started.append(folder)
            if len(started) == 1:
                folder = file = os.path.dirname(disk.paths.cache)
            super().__init__(folder, file, *given)

        def is_sound(self) -> bool:
            return True

    monkeypatch.setattr(doorbell, "_Watch", Deaf)
    monkeypatch.setattr(follow, "TICK_SECONDS", 0.05)
    reader = Reader(disk)
    try:
        reader.watches()
        journal = Journal(disk.paths)
        for rev in range(7, 10):
            append(journal)
            reader.sees(rev)
        until(lambda: len(started) > 1, "another watcher")
        reader.watches()
    finally:
        reader.end()


def test_a_watched_folder_made_anew_is_watched_again(disk: Disk, reader: Reader) -> None:
    reader.watches()
    watched = Path(disk.paths.head_dir)
    shutil.copytree(watched, watched.with_name("anew"))
    shutil.rmtree(watched)
    watched.with_name("anew").rename(watched)
    journal = Journal(disk.paths)
    for rev in (7, 8, 9):
        append(journal)
        reader.sees(rev)
    until(lambda: reader.last.watching and reader.last.trouble is None, "watching again")


def test_the_bell_of_a_folder_made_anew_rings_for_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "watched"
    folder.mkdir()
    bell = doorbell.Doorbell(str(folder), threading.Event())
    until(bell.tend)
    folder.rename(tmp_path / "aside")
    folder.mkdir()
    assert not bell.tend()
    until(bell.tend)
    bell.wait(0.0)
    (folder / "file").write_bytes(b"x")
    assert bell.wait(30.0)
    bell.close()
