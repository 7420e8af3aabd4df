"""Disks that are full, slow to confirm or read only, and rights that are missing (faults 10-15)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from errno import EACCES, EDQUOT, EIO, EMFILE, ENOSPC, EROFS
from pathlib import Path
from typing import Any

import pytest

from state import files
from state.command import Actor
from state.errors import BadInput, CommitUnknown, Damaged, NotCommitted, ReadOnly, Refused
from state.health import check
from state.journal import blobs, filesystem
from state.journal.export import export
from state.journal.journal import Journal
from state.journal.settle import examine
from state.journal.verify import verify
from state.messages.commands import Post
from state.project import Project
from tests.state.journal_support import Disk, append, as_root, made, ran, written
from tests.support import environment

USER = Actor("user", "cli")
NOBODY = 65534


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths)
    return found


def broken(
    monkeypatch: pytest.MonkeyPatch, name: str, error: int, when: Callable[..., bool] | None = None
) -> list[str]:
    """From now on a call of the seam fails; gives the list of its failures."""
    original = getattr(files, name)
    failures: list[str] = []

    def fail(*given: Any) -> Any:
        if when is None or when(*given):
            failures.append(name)
            raise OSError(error, os.strerror(error))
        return original(*given)

    monkeypatch.setattr(files, name, fail)
    return failures


# Appending.


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


def test_a_long_text_that_cannot_be_stored_writes_nothing(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.everything()
    with Project(disk.paths) as project:
        with monkeypatch.context() as patch:
            broken(patch, "rename", ENOSPC)
            with pytest.raises(NotCommitted):
                project.run(Post(("codex",), "long", "x" * 20_000), USER)
        assert disk.everything() == before
        done = project.run(Post(("codex",), "long", "x" * 20_000), USER)
        blob = done.ops[0]["body"]
        assert blobs.get(disk.paths, blob["sha256"]) == b"x" * 20_000


def test_a_changed_or_linked_blob_is_one_damaged_attachment(disk: Disk, tmp_path: Path) -> None:
    with Project(disk.paths) as project:
        done = project.run(Post(("codex",), "long", "é" * 20_000), USER)
        blob = Path(disk.paths.blob(done.ops[0]["body"]["sha256"]))
        whole = blob.read_bytes()
        for damage in ("changed", "short", "missing", "linked"):
            blob.unlink(missing_ok=True)
            if damage == "linked":
                (tmp_path / "aside").write_bytes(whole)
                blob.symlink_to(tmp_path / "aside")
            elif damage != "missing":
                blob.write_bytes(whole[:-1] if damage == "short" else whole.replace(b"\xa9", b"a"))
            report = verify(project.journal, deep=True)
            assert (report.ok, [one.code for one in report.findings]) == (True, ["attachment"])
            assert project.run(Post(("codex",), f"after {damage}"), USER).rev > done.rev
        # The same text again puts the file back.
        blob.unlink()
        project.run(Post(("codex",), "again", "é" * 20_000), USER)
        assert verify(project.journal, deep=True).findings == ()


def test_what_dead_writers_left_half_way_is_swept(disk: Disk) -> None:
    tmp = Path(disk.paths.tmp)
    for name in ("blob-1-a", "segment-2", "torn-6-b-c", "head-d"):
        (tmp / name).write_bytes(b"half")
    (tmp / "of somebody else").write_bytes(b"kept")
    append(Journal(disk.paths))
    assert [path.name for path in tmp.iterdir()] == ["of somebody else"]


def test_files_of_somebody_else_are_left_alone(disk: Disk) -> None:
    root = Path(disk.paths.root)
    strange = {"notes.txt": b"a", "log/readme": b"b", "head/other": b"c", "quarantine/x": b"d"}
    for name, data in strange.items():
        (root / name).write_bytes(data)
    append(Journal(disk.paths))
    disk.add(b"torn")
    append(Journal(disk.paths))
    assert {name: (root / name).read_bytes() for name in strange} == strange


def test_a_line_that_is_too_long_leaves_no_trace(disk: Disk) -> None:
    disk.add(b"torn")
    journal = Journal(disk.paths)
    with pytest.raises(BadInput, match="the limit is 65,536"):
        append(journal, "x" * 70_000)
    assert len(disk.lines) == 6
    assert append(journal).rev == 8


# Rights.


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user of the machine can reach."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        yield Path(place)


AS_OTHER = """
import os, sys
import filelock, orjson, sqlite3
from state.command import Actor
from state.errors import StateError
from state.journal.journal import Journal
from state.journal.settle import examine
from state.journal import lock, writer, verify, follow
from state.health import check
from state.messages import queries
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.state.journal_support import append
os.setgroups([])
os.setgid({uid})
os.setuid({uid})
os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = os.environ["XDG_CACHE_HOME"] = "/nowhere"
paths = Paths(sys.argv[1])
"""

READS = (
    AS_OTHER.format(uid=NOBODY)
    + """
with Project(paths) as project:
    health = check(project)
    with project.view() as view:
        print(health.state, health.writable, view.rev)
    for attempt in range(2):
        try:
            project.run(Post(("codex",), "no"), Actor("user", "cli"))
        except StateError as error:
            print(error.code)
"""
)


@pytest.mark.skipif(not as_root(), reason="only root can become another user")
def test_a_folder_without_the_right_to_write_is_read_only(open_place: Path) -> None:
    disk = Disk(made(open_place / "project"))
    written(disk.paths)
    with Project(disk.paths) as project:
        project.run(Post(("codex",), "indexed"), USER)
    for path in [Path(disk.paths.project), *Path(disk.paths.project).rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
        path.chmod(0o500 if path.is_dir() else 0o400)
    before = disk.everything()
    assert ran(READS, disk.paths.root).splitlines() == [
        "read_only False 7",
        "read_only",
        "read_only",
    ]
    assert disk.everything() == before


@pytest.mark.skipif(not as_root(), reason="only root may mount")
def test_a_read_only_mount_is_read_only(open_place: Path) -> None:
    disk = Disk(made(open_place / "project"))
    written(disk.paths)
    mount = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" -c "$3" "$4"'
    code = READS.replace("os.setuid", "str").replace("os.setgid", "str")
    place, root = str(open_place), disk.paths.root
    command = ["unshare", "-m", "sh", "-c", mount, "sh", place, sys.executable, code, root]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no mount of its own here")
    assert done.stdout.splitlines() == ["read_only False 6", "read_only", "read_only"], done.stderr


OPENS = (
    AS_OTHER
    + """
try:
    Journal(paths)
    print("opened")
except StateError as error:
    print(error.code, error.message, error.hint, sep="|")
"""
)


@pytest.mark.skipif(not as_root(), reason="only root can become another user")
def test_the_folder_of_another_user_is_refused_with_what_mends_it(open_place: Path) -> None:
    disk = Disk(made(open_place / "a project"))
    root = Path(disk.paths.root)
    for path in [Path(disk.paths.project), root]:
        path.chmod(0o755)
    code = OPENS.replace("{uid}", str(NOBODY))
    said, message, hint = ran(code, root).strip().split("|")
    assert said == "refused"
    assert message == "the project's folder belongs to another user (uid 0, you are 65534)"
    _mended(hint)
    assert ran(code, root) == "opened\n"
    with pytest.raises(Refused, match="belongs to another user"):
        Journal(disk.paths)


def _mended(hint: str) -> None:
    """The command that a hint ends with, carried out by a shell."""
    command = hint[hint.index("ch") :]
    subprocess.run(["sh", "-c", command], check=True)


@pytest.mark.parametrize("name", ["root", "head_dir", "log_dir", "mutex_dir"])
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_is_refused_with_what_mends_it(
    tmp_path: Path, name: str, mode: int
) -> None:
    paths = made(tmp_path / "it's a\nproject")
    os.chmod(getattr(paths, name), mode)
    with pytest.raises(Refused, match="group or others may write") as found:
        Journal(paths)
    assert found.value.hint.isprintable()
    subprocess.run(["bash", "-c", found.value.hint], check=True)
    append(Journal(paths))


@pytest.mark.skipif(not as_root(), reason="only root can become another user")
@pytest.mark.parametrize("name", ["root", "project", "head", "format", "log"])
def test_what_may_not_be_read_is_said_so(open_place: Path, name: str) -> None:
    paths = made(open_place / "project")
    for path in [Path(paths.project), Path(paths.root), *Path(paths.root).rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    closed = Path(paths.segment(1) if name == "log" else getattr(paths, name))
    closed.chmod(0)
    code = OPENS.replace("{uid}", str(NOBODY)).replace("Journal(paths)", "examine(Journal(paths))")
    said, message, hint = ran(code, paths.root).strip().split("|")
    assert said == "refused"
    assert "can't be read" in message
    _mended(hint)
    assert ran(code, paths.root) == "opened\n"


# File systems.

TABLE = b"""\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 27 0:55 / /mnt/with\\040space rw,relatime shared:1 - nfs4 server:/x rw
41 27 0:56 / /mnt/c rw,noatime - 9p drvfs rw
42 27 0:57 / /home/me/remote rw - fuse.sshfs me@there: rw
43 27 0:58 / /data rw - btrfs /dev/vdb rw
"""


@pytest.mark.parametrize(
    ("device", "path", "kind"),
    [
        ((254, 0), "/anything", "ext4"),
        ((0, 55), "/anything", "nfs4"),
        ((9, 9), "/mnt/with space/project", "nfs4"),
        ((9, 9), "/mnt/with spaces", "ext4"),
        ((9, 9), "/mnt/c", "9p"),
        ((9, 9), "/home/me/remote/deep/er", "fuse.sshfs"),
        ((9, 9), "/data/x", "btrfs"),
        ((9, 9), "/", "ext4"),
    ],
)
def test_the_mount_table_tells_the_kind(device: tuple[int, int], path: str, kind: str) -> None:
    assert filesystem.kind_in(TABLE, os.makedev(*device), path) == kind


def test_without_a_mount_table_nothing_is_refused(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "mount_table", lambda: b"")
    assert filesystem.kind_of(disk.paths.root) == ""
    append(Journal(disk.paths))
    broken(monkeypatch, "mount_table", EACCES)
    append(Journal(disk.paths))


@pytest.mark.parametrize(
    "kind",
    ["nfs", "nfs4", "9p", "drvfs", "fuse", "fuse.sshfs", "fuseblk", "cifs", "smb3", "virtiofs"],
)
def test_file_systems_that_cannot_be_trusted_are_refused(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    device = os.stat(disk.paths.root).st_dev
    entry = b"40 27 %d:%d / / rw - %b x rw" % (os.major(device), os.minor(device), kind.encode())
    monkeypatch.setattr(files, "mount_table", lambda: entry)
    before = disk.everything()
    with pytest.raises(Refused, match=f"lies on {kind}") as found:
        append(Journal(disk.paths))
    assert "--force-filesystem" in found.value.hint
    with pytest.raises(Refused):
        made(disk.log.parents[3] / "other")
    assert disk.everything() == before
    # Reading goes on, and whoever takes the risk may write.
    assert Journal(disk.paths).head().rev == 6
    assert append(Journal(disk.paths, force_filesystem=True)).rev == 7


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "apfs", "tmpfs", "overlay", "zfs"])
def test_local_file_systems_are_taken(kind: str) -> None:
    assert not filesystem.is_refused(kind)


def test_a_project_is_not_left_behind_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for call, error in (("rename", ENOSPC), ("sync_data", EIO), ("write", EROFS)):
        with monkeypatch.context() as patch:
            broken(patch, call, error)
            with pytest.raises(NotCommitted):
                made(tmp_path)
        assert list(tmp_path.iterdir()) == []
    assert Path(made(tmp_path).root).is_dir()
