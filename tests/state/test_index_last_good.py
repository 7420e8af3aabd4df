"""A journal that can't be read as it should be still shows its last good state (fault 28)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from state.errors import Damaged, MovedOrCopied, NewerFormat, RolledBack, StateError
from state.history.queries import at_revision
from state.index.names import CODE
from state.journal import head as heads
from state.journal.line import seal
from state.paths import cache_home
from state.project import Project
from tests.state.index_support import Rows, remove_index, rows_of
from tests.state.journal_support import Disk, anchored, made, spoiled, written

LINES = 10
KEPT = pytest.mark.parametrize("index", ["kept", "missing"])


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """Ten lines, indexed."""
    found = Disk(made(tmp_path / "project"))
    written(found.paths, LINES - 1)
    with Project(found.paths) as project, project.view():
        pass
    return found


def at(disk: Disk, rev: int) -> Rows:
    """The state after a line, while all is well."""
    with Project(disk.paths) as project, closing(at_revision(project.journal, rev)) as view:
        return rows_of(view)


def last_good(disk: Disk) -> tuple[Rows, StateError | None]:
    """What is shown; the folder is not touched by that."""
    before = _every_byte(disk)
    with Project(disk.paths) as project:
        view, trouble = project.last_good()
        with view:
            found = rows_of(view)
            assert view.rev == found["line"][-1][0]
    if trouble is not None:
        assert _every_byte(disk) == before
    return found, trouble


def without(disk: Disk, index: str) -> None:
    if index == "missing":
        with Project(disk.paths) as project:
            remove_index(project)


def _every_byte(disk: Disk) -> dict[str, bytes]:
    root = Path(disk.paths.root)
    # SQLite's side files come and go with whoever has the file open.
    return {
        str(path): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


@KEPT
def test_a_sound_project_has_no_trouble(disk: Disk, index: str) -> None:
    wanted = at(disk, LINES)
    without(disk, index)
    assert last_good(disk) == (wanted, None)


@KEPT
def test_a_last_line_that_was_changed(disk: Disk, index: str) -> None:
    # With an index HEAD and it agree on what the line did; without one it can't be known.
    wanted = at(disk, LINES if index == "kept" else LINES - 1)
    without(disk, index)
    spoiled(disk, LINES)
    found, trouble = last_good(disk)
    assert isinstance(trouble, Damaged)
    assert found == wanted


@KEPT
def test_a_log_that_was_cut(disk: Disk, index: str) -> None:
    wanted = at(disk, LINES if index == "kept" else LINES - 1)
    without(disk, index)
    os.truncate(disk.log, disk.log.stat().st_size - 5)
    found, trouble = last_good(disk)
    assert isinstance(trouble, RolledBack)
    assert found == wanted
    # A second look is as good, from what the first one left outside the project.
    assert last_good(disk)[0] == wanted


def test_a_middle_line_that_was_changed_and_no_index(disk: Disk) -> None:
    wanted = at(disk, 4)
    without(disk, "missing")
    spoiled(disk, 5)
    found, trouble = last_good(disk)
    assert isinstance(trouble, Damaged)
    assert trouble.rev == 5
    assert found == wanted


def test_an_older_index_and_the_whole_lines_after_it(disk: Disk) -> None:
    index = Path(disk.paths.index(CODE))
    older = index.read_bytes()
    written(disk.paths, 5)
    wanted = at(disk, LINES + 3)
    without(disk, "missing")
    index.write_bytes(older)
    spoiled(disk, 3, LINES + 4)
    found, trouble = last_good(disk)
    assert isinstance(trouble, Damaged)
    assert found == wanted


@KEPT
@pytest.mark.parametrize("head", ["blank", "gone"])
@pytest.mark.parametrize("torn", [b"", b'{"v":1,"rev":'])
def test_without_head_the_log_says_it(disk: Disk, index: str, head: str, torn: bytes) -> None:
    wanted = at(disk, LINES)
    without(disk, index)
    if head == "blank":
        disk.head.write_bytes(bytes(disk.head.stat().st_size))
    else:
        disk.head.unlink()
    disk.add(torn)
    assert last_good(disk) == (wanted, None)
    with Project(disk.paths) as project, project.view() as view:
        assert rows_of(view) == wanted


def _last_line_is(disk: Disk, change: Callable[[bytes], bytes]) -> None:
    """The last line says something else, and HEAD names it so."""
    raw = disk.lines[-1]
    changed = seal(change(raw[:-27]))
    with disk.head.open("rb") as file:
        head = heads.read(file.fileno())
    assert head is not None
    end = head.last + len(changed)
    digest = sha256(changed).hexdigest()
    disk.log.write_bytes(b"".join([*disk.lines[:-1], changed]))
    with disk.head.open("r+b") as file:
        heads.write(file.fileno(), head._replace(gen=head.gen + 1, off=end, hash=digest))


@pytest.mark.parametrize("index", ["kept", "missing", "older"])
def test_an_operation_of_a_newer_program(disk: Disk, index: str) -> None:
    wanted = at(disk, LINES)
    file = Path(disk.paths.index(CODE))
    older = file.read_bytes()
    written(disk.paths, 1)
    if index != "kept":
        without(disk, "missing")
    if index == "older":
        file.write_bytes(older)
    _last_line_is(disk, lambda raw: raw.replace(b'"op":"message_posted"', b'"op":"message_sung"'))
    found, trouble = last_good(disk)
    assert isinstance(trouble, NewerFormat)
    assert found == wanted


@pytest.mark.parametrize("change", [(b'"hops":0', b'"hopes":0'), (b'["codex"]', b'["nobody"]')])
def test_an_operation_that_cannot_be_taken(disk: Disk, change: tuple[bytes, bytes]) -> None:
    wanted = at(disk, LINES)
    written(disk.paths, 1)
    without(disk, "missing")
    _last_line_is(disk, lambda raw: raw.replace(*change))
    with Project(disk.paths) as project, pytest.raises(Damaged) as caught:
        project.view()
    assert caught.value.rev == LINES + 1
    found, trouble = last_good(disk)
    assert isinstance(trouble, Damaged)
    assert found == wanted


@KEPT
def test_an_old_backup_shows_what_it_holds(disk: Disk, index: str, tmp_path: Path) -> None:
    wanted = at(disk, LINES)
    log, head = disk.log.read_bytes(), disk.head.read_bytes()
    kept = Path(disk.paths.index(CODE)).read_bytes()
    written(disk.paths, 3)
    anchored(disk)
    without(disk, "missing")
    disk.log.write_bytes(log)
    disk.head.write_bytes(head)
    if index == "kept":
        Path(disk.paths.index(CODE)).write_bytes(kept)
    found, trouble = last_good(disk)
    assert isinstance(trouble, RolledBack)
    assert found == wanted


@KEPT
def test_a_copy_shows_what_it_holds(disk: Disk, index: str, tmp_path: Path) -> None:
    wanted = at(disk, LINES)
    anchored(disk)
    copy = tmp_path / "copy"
    shutil.copytree(disk.paths.project, copy)
    other = Disk(type(disk.paths)(str(copy / ".sublation-panel")))
    without(other, index)
    found, trouble = last_good(other)
    assert isinstance(trouble, MovedOrCopied)
    assert found == wanted


def test_where_nothing_can_be_read_the_trouble_itself_is_said(disk: Disk) -> None:
    without(disk, "missing")
    spoiled(disk, 1)
    with Project(disk.paths) as project, pytest.raises(Damaged):
        project.last_good()


def test_without_room_outside_the_last_good_state_is_built_in_memory(disk: Disk) -> None:
    wanted = at(disk, LINES - 1)
    without(disk, "missing")
    spoiled(disk, LINES)
    cache = Path(cache_home("x")).parent.parent
    shutil.rmtree(cache)
    cache.write_text("in the way")
    assert last_good(disk)[0] == wanted
