"""The index of a folder that this process may read but not write (fault 13)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from state.command import USER, Actor
from state.index.names import CODE
from state.messages.commands import Post
from state.project import Project
from tests.state.index_support import remove_index
from tests.state.journal_support import Disk, as_root, made, ran, written

NOBODY = 65534
LINES = 9

pytestmark = pytest.mark.skipif(not as_root(), reason="only root can become another user")

LOOKS = f"""
import json, os, sys
import contextlib, hashlib, sqlite3, tempfile
import filelock, orjson
from state.index import build, last_good, overlay, rebuild, store, whole
from state.messages import listing, queries
from state.messages.listing import Filter
from state.overview import overview
from state.paths import Paths
from state.project import Project
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
root, home, cache = sys.argv[1:]
os.environ["HOME"] = os.environ["XDG_STATE_HOME"] = home
os.environ["XDG_CACHE_HOME"] = cache
for _ in range(2):
    with Project(Paths(root)) as project, project.view() as view:
        rows = listing.page(view, Filter(), 0, 100)
        texts = [queries.get(view, row.id, {{}}).body for row in rows]
        seen = overview(view, project.clock.moment())
        print(json.dumps([view.rev, len(rows), len(texts), [seat.unread for seat in seen.seats]]))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user of the machine can reach."""
    with tempfile.TemporaryDirectory() as found:
        os.chmod(found, 0o755)
        yield Path(found)


@pytest.fixture
def disk(place: Path) -> Disk:
    found = Disk(made(place / "project"))
    written(found.paths, LINES - 1)
    with Project(found.paths) as project, project.view():
        pass
    return found


def looked(disk: Disk, place: Path, *, cache: bool) -> list[str]:
    """What another user sees twice, who may only read; the folder stays as it was."""
    home = place / "home"
    home.mkdir(exist_ok=True)
    os.chown(home, NOBODY, NOBODY)
    _given_to(disk, NOBODY, 0o500, 0o400)
    before = _everything(disk)
    said = ran(LOOKS, disk.paths.root, home, home / "cache" if cache else "/nowhere")
    assert _everything(disk) == before
    _given_to(disk, os.geteuid(), 0o700, 0o600)
    first, second = said.splitlines()
    assert first == second
    return [first]


def _given_to(disk: Disk, user: int, folders: int, files: int) -> None:
    for path in (Path(disk.paths.project), *Path(disk.paths.project).rglob("*")):
        os.chown(path, user, user)
        path.chmod(folders if path.is_dir() else files)


def _everything(disk: Disk) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in Path(disk.paths.root).rglob("*")
        if path.is_file()
    }


def _wanted(lines: int) -> list[str]:
    messages = lines - 1
    return [f"[{lines}, {messages}, {messages}, [0, {messages}, 0]]"]


@pytest.mark.parametrize("cache", [True, False])
def test_an_index_that_is_there_is_read_as_it_stands(disk: Disk, place: Path, cache: bool) -> None:
    assert looked(disk, place, cache=cache) == _wanted(LINES)
    assert not (place / "home" / "cache").exists()


@pytest.mark.parametrize("cache", [True, False])
def test_what_the_index_lacks_is_folded_in_memory(disk: Disk, place: Path, cache: bool) -> None:
    written(disk.paths, 4)
    assert looked(disk, place, cache=cache) == _wanted(LINES + 4)
    assert not (place / "home" / "cache").exists()


def test_without_an_index_one_is_kept_in_the_persons_cache(disk: Disk, place: Path) -> None:
    with Project(disk.paths) as project:
        remove_index(project)
    assert looked(disk, place, cache=True) == _wanted(LINES)
    (kept,) = (place / "home" / "cache").rglob("index-*.sqlite3")
    made_at = kept.stat().st_mtime_ns
    written(disk.paths, 4)
    assert looked(disk, place, cache=True) == _wanted(LINES + 4)
    assert kept.stat().st_mtime_ns == made_at


def test_without_any_place_for_an_index_there_is_memory(disk: Disk, place: Path) -> None:
    with Project(disk.paths) as project:
        remove_index(project)
    assert looked(disk, place, cache=False) == _wanted(LINES)


def test_a_file_whose_newest_rows_are_still_in_its_log_is_not_believed(
    disk: Disk, place: Path
) -> None:
    with Project(disk.paths) as project:
        # The connection stays open, so that nobody moves the rows into the file.
        project.run(Post(("codex",), "in the log"), Actor(USER, "cli"))
        index = Path(disk.paths.index(CODE))
        sides = {suffix: Path(f"{index}{suffix}").read_bytes() for suffix in ("", "-wal")}
        assert sides["-wal"]
    shutil.rmtree(disk.paths.cache)
    os.mkdir(disk.paths.cache)
    for suffix, data in sides.items():
        Path(f"{index}{suffix}").write_bytes(data)
    assert looked(disk, place, cache=True) == _wanted(LINES + 1)
