"""Folders that are read only, of another user, or open to others (faults 13, 14)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from state.command import Actor
from state.errors import Refused
from state.journal import writer as writers
from state.journal.journal import Journal
from state.messages.commands import Post
from state.project import Project
from tests.state.journal_support import Disk, append, as_root, made, ran, written
from tests.support import environment

USER = Actor("user", "cli")


NOBODY = 65534


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
@pytest.mark.parametrize(
    "name", ["root", "project", "head", "format", "log", "head_dir", "log_dir"]
)
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


DIAGNOSED = (
    """
from state import doctor
from state.journal import shapes
from state.journal.catalogue import OPERATIONS
known = [shapes._model(shapes.operation_class(name)) for name in OPERATIONS]
"""
    + AS_OTHER.format(uid=NOBODY)
    + """
found = doctor.diagnose(paths)
print(found.state)
for one in found.findings:
    print(one.code, one.what, one.done, one.next, sep="|")
try:
    append(Journal(paths))
    print("written")
except StateError as error:
    print(error.code)
"""
)
# What may not be used, and its rights: what the doctor then says, and what comes of a change.
CLOSED = {
    "head": (0o400, "read_only", "read_only", "read_only"),
    "log": (0o400, "read_only", "read_only", "read_only"),
    "mutex_dir": (0, "refused", "refused", "read_only"),
    "tmp": (0, "read_only", "read_only", "read_only"),
    "quarantine": (0, "read_only", "read_only", "read_only"),
    "blobs": (0, "ok", "folder", "written"),
    "cache": (0, "ok", "folder", "written"),
    "sealed": (0, "refused", "refused", "written"),
}


@pytest.mark.skipif(not as_root(), reason="only root can become another user")
@pytest.mark.parametrize("name", CLOSED)
def test_the_doctor_says_what_may_not_be_used_and_no_line_is_left_without_its_mark(
    open_place: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 1000)
    disk = Disk(made(open_place / "project"))
    written(disk.paths, 6)
    for path in [Path(disk.paths.project), *Path(disk.paths.project).rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    last = len(os.listdir(disk.paths.log_dir))
    segments = {"log": disk.paths.segment(last), "sealed": disk.paths.segment(2)}
    folders = {"blobs": os.path.dirname(disk.paths.blob("x"))}
    closed = Path(segments.get(name) or folders.get(name) or getattr(disk.paths, name))
    mode, state, code, change = CLOSED[name]
    closed.chmod(mode)
    before = disk.everything()
    said, *findings, then = ran(DIAGNOSED, disk.paths.root).splitlines()
    assert (said, then) == (state, change)
    found, what, done, hint = findings[0].split("|")
    assert found == code
    assert closed.name in what or str(closed) in hint
    assert ("nothing is written" in done) == (name == "mutex_dir")
    if change == "read_only":
        assert disk.everything() == before
    if "chmod" in hint:
        _mended(hint)
        said, *_, then = ran(DIAGNOSED, disk.paths.root).splitlines()
        assert (said, then) == ("ok", "written")
