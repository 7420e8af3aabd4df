"""Following: each commit once and in order, whatever becomes of watcher and folder (16, 28-34)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
import watchfiles

from state.create import create
from state.errors import Damaged, NewerFormat, Replaced, RolledBack
from state.journal import doorbell, follow
from state.journal import head as heads
from state.journal import writer as writers
from state.journal.follow import Follower, News
from state.journal.follow import follow as followed
from state.journal.journal import Journal
from state.journal.line import seal
from tests.state.journal_support import CLOCK, Disk, append, made, python, ran, written
from tests.support import environment, until


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths)
    return found


class Reader:
    """A thread that follows, as the panel's does; `stop` ends it."""

    def __init__(self, disk: Disk) -> None:
        self.news: list[News] = []
        self.stop = threading.Event()
        journal = Journal(disk.paths)
        self._thread = threading.Thread(target=self._run, args=(journal,))
        self._thread.start()

    def _run(self, journal: Journal) -> None:
        for news in followed(journal, self.stop):
            self.news.append(news)
        journal.close()

    @property
    def revs(self) -> list[int]:
        return [line.rev for news in list(self.news) for line in news.lines]

    @property
    def last(self) -> News:
        return self.news[-1]

    def sees(self, rev: int) -> None:
        until(lambda: rev in self.revs, f"line {rev}")

    def watches(self) -> None:
        until(lambda: self.news and self.last.watching, "watching")

    def is_told(self, code: str | None) -> None:
        def told() -> bool:
            trouble = self.last.trouble if self.news else None
            return (trouble.code if trouble else None) == code

        until(told, f"trouble {code}")

    def end(self) -> None:
        self.stop.set()
        self._thread.join(10.0)
        assert not self._thread.is_alive()


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


# Polling: the part that only reads.


def test_the_first_poll_gives_where_it_stands_and_no_lines(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    found = follower.poll()
    assert (found.head and found.head.rev, found.lines, found.trouble) == (6, (), None)
    assert follower.poll() == found
    follower.close()


def test_each_line_is_given_once_in_order_across_segments(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 3000)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    seen: list[int] = []
    journal = Journal(disk.paths)
    for number in range(30):
        append(journal, f"message {number}")
        if number % 3 == 0:
            seen += [line.rev for line in follower.poll().lines]
    seen += [line.rev for line in follower.poll().lines]
    assert journal.head().seg > 3
    assert seen == list(range(7, journal.head().rev + 1))


def test_lines_come_in_batches(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert follow.BATCH == 5000
    monkeypatch.setattr(follow, "BATCH", 4)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    written(disk.paths, 10)
    found = [follower.poll() for _ in range(4)]
    assert [len(one.lines) for one in found] == [4, 4, 2, 0]
    assert [one.more for one in found] == [True, True, False, False]
    assert {one.head.rev for one in found if one.head} == {16}


def test_what_is_not_marked_is_not_given(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    head = disk.head.read_bytes()
    written(disk.paths, 1)
    after = disk.head.read_bytes()
    disk.head.write_bytes(head)
    assert follower.poll().lines == ()
    assert follower.poll().trouble is None
    disk.head.write_bytes(after)
    assert [line.rev for line in follower.poll().lines] == [7]


def flip(disk: Disk, line: int) -> None:
    lines = disk.lines
    at = sum(map(len, lines[: line - 1])) + 90
    raw = bytearray(disk.log.read_bytes())
    raw[at] ^= 1
    disk.log.write_bytes(bytes(raw))


def test_damage_behind_good_lines_comes_with_them(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    whole = disk.log.read_bytes()
    written(disk.paths, 5)
    sound = disk.log.read_bytes()
    flip(disk, 9)
    found = follower.poll()
    assert [line.rev for line in found.lines] == [7, 8]
    assert isinstance(found.trouble, Damaged)
    assert (found.trouble.rev, found.head) == (9, None)
    assert follower.poll().lines == ()
    disk.log.write_bytes(sound)
    found = follower.poll()
    assert [line.rev for line in found.lines] == [9, 10, 11]
    assert found.trouble is None
    assert sound.startswith(whole)


@pytest.mark.parametrize("change", ["flipped", "cut", "emptied", "deleted", "linked"])
def test_a_touched_last_line_is_an_alarm_without_any_commit(
    disk: Disk, change: str, tmp_path: Path
) -> None:
    follower = Follower(Journal(disk.paths))
    assert follower.poll().trouble is None
    whole = disk.log.read_bytes()
    if change == "flipped":
        flip(disk, 6)
    elif change in ("cut", "emptied"):
        os.truncate(disk.log, len(whole) - 10 if change == "cut" else 0)
    else:
        disk.log.rename(tmp_path / "aside")
        if change == "linked":
            disk.log.symlink_to(tmp_path / "aside")
    trouble = follower.poll().trouble
    assert trouble is not None
    assert trouble.code == ("rolled_back" if change in ("cut", "emptied") else "damaged")
    disk.log.unlink(missing_ok=True)
    disk.log.write_bytes(whole)
    assert follower.poll().trouble is None


def test_a_head_that_went_back_is_an_alarm(disk: Disk) -> None:
    old = disk.head.read_bytes()
    written(disk.paths, 1)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    now = disk.head.read_bytes()
    disk.head.write_bytes(old)
    assert isinstance(follower.poll().trouble, RolledBack)
    disk.head.write_bytes(now)
    assert follower.poll().trouble is None
    disk.head.write_bytes(bytes(len(now)))
    assert isinstance(follower.poll().trouble, Damaged)


@pytest.mark.parametrize("longer", [0, 3])
def test_another_history_at_a_line_that_was_read_is_an_alarm(disk: Disk, longer: int) -> None:
    backup = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 2)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    disk.log.write_bytes(backup[0])
    disk.head.write_bytes(backup[1])
    written(disk.paths, 2 + longer)
    found = follower.poll()
    assert isinstance(found.trouble, RolledBack)
    assert "two histories" in found.trouble.message
    assert found.lines == ()


def test_a_newer_line_stops_the_reader_there(disk: Disk) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    old = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 1)
    line = disk.lines[-1]
    changed = seal(line[:-27].replace(b'"op":"message_posted"', b'"op":"message_sung"'))
    disk.log.write_bytes(old[0] + changed)
    head = disk.head.read_bytes()
    with disk.head.open("r+b") as file:
        file.write(head)
        file.flush()
        found = heads.read(file.fileno())
        assert found is not None
        size = found.last + len(changed)
        digest = sha256(changed).hexdigest()
        heads.write(file.fileno(), replace(found, gen=found.gen + 1, off=size, hash=digest))
    assert isinstance(follower.poll().trouble, NewerFormat)


def test_an_anchor_ahead_is_an_alarm_at_opening(disk: Disk) -> None:
    old = disk.log.read_bytes(), disk.head.read_bytes()
    written(disk.paths, 120)
    disk.log.write_bytes(old[0])
    disk.head.write_bytes(old[1])
    follower = Follower(Journal(disk.paths))
    assert isinstance(follower.poll().trouble, RolledBack)
    assert isinstance(follower.poll().trouble, RolledBack)


def test_a_folder_that_is_gone_comes_back_with_its_lines(disk: Disk, tmp_path: Path) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    root = Path(disk.paths.root)
    root.rename(tmp_path / "aside")
    for _ in range(2):
        found = follower.poll()
        assert isinstance(found.trouble, Replaced)
        assert "gone" in found.trouble.message
    assert not root.exists()
    (tmp_path / "aside").rename(root)
    written(disk.paths, 2)
    found = follower.poll()
    assert [line.rev for line in found.lines] == [7, 8]
    assert (found.trouble, follower.opened) == (None, 0)


def test_another_folder_in_its_place_is_noticed_and_then_opened(disk: Disk, tmp_path: Path) -> None:
    follower = Follower(Journal(disk.paths))
    follower.poll()
    Path(disk.paths.root).rename(tmp_path / "aside")
    made(tmp_path / "project")
    found = follower.poll()
    assert isinstance(found.trouble, Replaced)
    assert "another folder" in found.trouble.message
    found = follower.poll()
    assert (found.head and found.head.rev, found.lines, found.trouble) == (1, (), None)
    assert follower.opened == 1


def test_a_restored_backup_at_another_inode_is_an_alarm(disk: Disk, tmp_path: Path) -> None:
    root = Path(disk.paths.root)
    shutil.copytree(root, tmp_path / "backup")
    written(disk.paths, 3)
    follower = Follower(Journal(disk.paths))
    follower.poll()
    shutil.rmtree(root)
    shutil.copytree(tmp_path / "backup", root)
    assert isinstance(follower.poll().trouble, Replaced)
    for _ in range(2):
        assert isinstance(follower.poll().trouble, RolledBack)


# Following: watcher, tick and thread.


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
        "step": 10,
        "debounce": 100,
        "rust_timeout": 1000,
        "yield_on_timeout": True,
        "watch_filter": None,
        "recursive": False,
    }


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
        def __init__(self, folder: str, *given: object) -> None:
            started.append(folder)
            deaf = len(started) == 1
            super().__init__(os.path.dirname(disk.paths.cache) if deaf else folder, *given)

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
