"""Disks that are full, fail, or do not confirm (faults 10-12)."""

from __future__ import annotations

import os
import subprocess
import sys
from errno import EACCES, EDQUOT, EIO, EMFILE, ENOSPC
from pathlib import Path

import pytest

from state import files
from state.errors import CommitUnknown, Damaged, NotCommitted, ReadOnly, Refused
from state.health import check
from state.journal.export import export
from state.journal.journal import Journal
from state.journal.settle import examine
from state.journal.verify import verify
from state.project import Project
from tests.state.journal_support import Disk, append, as_root, broken, ran, written
from tests.support import environment


@pytest.mark.parametrize("error", [ENOSPC, EDQUOT, EIO])
def test_a_write_that_fails_is_cut_back(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    journal = Journal(disk.paths)
    before = disk.everything()
    with monkeypatch.context() as patch:
        broken(patch, "write", error)
        with pytest.raises(NotCommitted, match="nothing was written"):
            append(journal)
    assert disk.everything() == before
    assert append(journal).rev == 7


@pytest.mark.parametrize("part", [1, 100, 400])
def test_a_short_write_is_cut_back(disk: Disk, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    journal = Journal(disk.paths)
    before = disk.everything()
    with monkeypatch.context() as patch:
        patch.setattr(files, "write", lambda fd, data: os.write(fd, data[:part]))
        with pytest.raises(NotCommitted, match="no room for the whole line"):
            append(journal)
    assert disk.everything() == before
    assert append(journal).rev == 7


def test_a_part_that_cannot_be_cut_back_is_not_known(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(disk.paths)
    with monkeypatch.context() as patch:
        patch.setattr(files, "write", lambda fd, data: os.write(fd, data[:50]))
        broken(patch, "truncate", EIO)
        with pytest.raises(CommitUnknown) as found:
            append(journal)
    assert "--key" in found.value.hint
    append(journal)
    assert verify(journal, deep=True).findings == ()
    assert [len(kept) for kept in disk.quarantine.values()] == [50]


def test_a_disk_that_does_not_confirm_makes_this_process_read_only(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(disk.paths)
    journal = project.journal
    with monkeypatch.context() as patch:
        failures = broken(patch, "sync_data", EIO)
        with pytest.raises(CommitUnknown):
            append(journal)
        assert failures == ["sync_data"]
        with pytest.raises(ReadOnly, match="not confirmed"):
            append(journal)
        assert failures == ["sync_data"]
    with pytest.raises(ReadOnly):
        append(journal)
    health = check(project)
    assert (health.state, health.writable) == ("read_only", False)
    assert journal.head().rev == 6
    # Another process takes the line over: it may have been acknowledged for all that is known.
    assert append(Journal(disk.paths)).rev == 8


@pytest.mark.parametrize("fault", ["fails", "is short"])
def test_a_mark_that_fails_is_not_known_and_is_taken_over(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    journal = Journal(disk.paths)
    with monkeypatch.context() as patch:
        if fault == "fails":
            broken(patch, "pwrite", EIO, lambda fd, data, offset: len(data) == 512)
        else:
            patch.setattr(files, "pwrite", lambda fd, data, at: os.pwrite(fd, data[:100], at))
        with pytest.raises(CommitUnknown, match="HEAD is not"):
            append(journal)
        with pytest.raises(NotCommitted, match="made ready"):
            append(Journal(disk.paths))
    with pytest.raises(ReadOnly):
        append(journal)
    other = Journal(disk.paths)
    assert append(other).rev == 8
    assert verify(other).ok


LIMITED = """
import os, resource, signal, sys
from state.errors import NotCommitted
from state.journal.journal import Journal
from state.paths import Paths
from tests.state.journal_support import append
journal = Journal(Paths(sys.argv[1]))
log = journal.paths.segment(1)
before = open(log, "rb").read()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, resource.RLIM_INFINITY))
try:
    append(journal)
except NotCommitted as error:
    print(error.message)
assert open(log, "rb").read() == before
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(append(journal).rev)
"""


def test_a_file_size_limit_in_the_middle_of_a_line(disk: Disk) -> None:
    head = disk.head.stat()
    assert head.st_size == 8192
    # The limit must lie above HEAD's size, so the log has to be longer than that.
    written(disk.paths, 30)
    said = ran(LIMITED, disk.paths.root).splitlines()
    assert said == ["nothing was written: no room for the whole line", "37"]


FULL = """
import os, sys
from pathlib import Path
from state.errors import NotCommitted
from state.journal.journal import Journal
from state.journal.verify import verify
from tests.state.journal_support import Disk, append, made
place = Path(sys.argv[1])
disk = Disk(made(place / "project"))
journal = Journal(disk.paths)
filler = place / "filler"
with open(filler, "wb", buffering=0) as file:
    try:
        while True:
            file.write(bytes(4096))
    except OSError:
        pass
acknowledged = 1
try:
    while True:
        acknowledged = append(journal, "x" * 180).rev
except NotCommitted as error:
    print(error.message)
head = journal.head()
assert head.rev == acknowledged
assert disk.log.stat().st_size == head.off
assert verify(journal).ok
filler.unlink()
assert append(journal).rev == acknowledged + 1
assert verify(journal).ok
"""


@pytest.mark.skipif(not as_root(), reason="only root may mount")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=256k none "$1" && exec "$2" -c "$3" "$1"'
    command = ["unshare", "-m", "sh", "-c", mount, "sh", str(tmp_path), sys.executable, FULL]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no mount of its own here")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("nothing was written")


@pytest.mark.parametrize("call", ["write", "sync_data", "rename", "sync_folder"])
def test_nothing_is_cut_that_could_not_be_kept(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    disk.add(b"torn end")
    before = disk.log.read_bytes()
    with monkeypatch.context() as patch:
        broken(patch, call, ENOSPC)
        with pytest.raises(NotCommitted, match="nothing was cut"):
            append(Journal(disk.paths))
    assert disk.log.read_bytes() == before
    append(Journal(disk.paths))
    assert list(disk.quarantine.values()) == [b"torn end"]


def test_an_adopted_line_is_on_the_disk_before_it_is_marked(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = disk.head.read_bytes()
    written(disk.paths, 1)
    disk.head.write_bytes(head)
    journal = Journal(disk.paths)
    with monkeypatch.context() as patch:
        broken(patch, "sync_data", EIO)
        with pytest.raises(NotCommitted):
            append(journal)
    assert disk.head.read_bytes() == head
    assert journal.failed


@pytest.mark.parametrize("error", [EIO, EMFILE, EACCES])
def test_no_error_of_the_system_crosses_the_border(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    kind = Refused if error == EACCES else Damaged
    for call in ("open_read", "pread_exact"):
        journal = Journal(disk.paths)
        with monkeypatch.context() as patch:
            broken(patch, call, error)
            with pytest.raises(kind, match="can't be read"):
                journal.head()
            with pytest.raises(kind, match="can't be read"):
                examine(journal)
            with pytest.raises(kind, match="can't be read"):
                verify(journal)
            with pytest.raises(kind, match="can't be read"):
                export(journal, lambda data: None)
            with pytest.raises((kind, NotCommitted, ReadOnly)):
                append(journal)
            with pytest.raises(kind):
                Journal(disk.paths)
    for call in ("open_append", "open_update"):
        journal = Journal(disk.paths)
        with monkeypatch.context() as patch:
            broken(patch, call, error)
            with pytest.raises((NotCommitted, ReadOnly, CommitUnknown)):
                append(journal)


@pytest.mark.parametrize("foreign", [b"x", b"hello\n", bytes(100)])
def test_bytes_that_another_program_writes_in_between_are_never_part_of_a_commit(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, foreign: bytes
) -> None:
    journal = Journal(disk.paths)

    def write(fd: int, data: bytes) -> int:
        disk.add(foreign)
        return os.write(fd, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write", write)
        with pytest.raises(CommitUnknown, match="without the lock"):
            append(journal)
    assert journal.head().rev == 6
    if foreign.endswith(b"\n"):
        # A whole line behind bytes that are none: nobody can say what was acknowledged.
        with pytest.raises(Damaged):
            append(journal)
    else:
        assert append(journal).rev == 8
        assert verify(journal, deep=True).findings == ()
