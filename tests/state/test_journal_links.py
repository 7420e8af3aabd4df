"""Files and folders that are links, are gone, or were replaced (faults 31, 32)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from state.errors import Damaged, Refused, Replaced
from state.journal import lock
from state.journal.journal import Journal
from tests.state.journal_support import Disk, append, made, written


def test_a_mutex_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    disk = Disk(made(tmp_path))
    journal = Journal(disk.paths)
    before = disk.everything()
    os.unlink(disk.paths.mutex)
    with pytest.raises(Replaced, match="lock file is gone"):
        append(journal)
    assert disk.everything() == before
    assert not Path(disk.paths.mutex).exists()


@pytest.mark.parametrize("name", ["mutex", "head", "log", "format"])
@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_links_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    disk = Disk(made(tmp_path / "project"))
    written(disk.paths)
    path = Path({"log": disk.paths.segment(1)}.get(name) or getattr(disk.paths, name))
    aside = tmp_path / "aside"
    if kind == "hard":
        os.link(path, aside)
    else:
        path.rename(aside)
        path.symlink_to(aside)
    before = aside.read_bytes()
    with pytest.raises(Damaged, match="is a link") as found:
        append(Journal(disk.paths))
    assert str(path) in found.value.hint
    assert aside.read_bytes() == before


@pytest.mark.parametrize("name", ["head_dir", "log_dir", "mutex_dir", "root"])
def test_a_linked_folder_is_refused(tmp_path: Path, name: str) -> None:
    paths = made(tmp_path / "project")
    path = Path(getattr(paths, name))
    path.rename(tmp_path / "aside")
    path.symlink_to(tmp_path / "aside")
    with pytest.raises(Refused, match="is a link or no folder"):
        Journal(paths)


def test_a_pipe_in_place_of_a_file_blocks_nobody(tmp_path: Path) -> None:
    disk = Disk(made(tmp_path))
    for path in (disk.head, disk.log):
        aside = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(Damaged, match="is a link"):
            append(Journal(disk.paths))
        path.unlink()
        path.write_bytes(aside)
    append(Journal(disk.paths))


def test_another_folder_in_its_place_is_noticed_before_the_lock(tmp_path: Path) -> None:
    paths = made(tmp_path / "project")
    other = made(tmp_path / "other")
    journal = Journal(paths)
    Path(paths.root).rename(tmp_path / "aside")
    with pytest.raises(Replaced, match="gone"):
        append(journal)
    assert not Path(paths.root).exists()
    Path(other.root).rename(paths.root)
    with pytest.raises(Replaced, match="another folder"):
        append(journal)
    assert len(Disk(paths).lines) == 1


def test_a_folder_made_anew_has_another_inode_while_the_old_one_is_open(tmp_path: Path) -> None:
    paths = made(tmp_path / "project")
    journal = Journal(paths)
    for closed in (False, True):
        if closed:
            journal.close()
        for _ in range(3):
            shutil.rmtree(paths.root)
            made(tmp_path / "project")
            with pytest.raises(Replaced):
                journal.check_place()
    journal.close()


def test_a_mutex_that_is_replaced_while_it_is_waited_for_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(made(tmp_path))
    before = disk.everything()
    named = lock._named

    def replaced_after(mutex: str) -> tuple[int, int]:
        found = named(mutex)
        monkeypatch.setattr(lock, "_named", named)
        (tmp_path / "new").write_bytes(b"")
        (tmp_path / "new").rename(mutex)
        return found

    monkeypatch.setattr(lock, "_named", replaced_after)
    with pytest.raises(Replaced, match="replaced meanwhile"):
        append(Journal(disk.paths))
    assert disk.everything() == before
    append(Journal(disk.paths))
