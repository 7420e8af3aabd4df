"""What must be on the disk, or open, before the next step is taken (faults 6, 10, 18, 23, 24)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from state import files
from state.errors import NotCommitted
from state.journal import blobs
from state.journal import writer as writers
from state.journal.journal import Journal
from tests.state.journal_support import Disk, append, appended, made, written


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    found = Disk(made(tmp_path / "project"))
    written(found.paths, 3)
    return found


class Dies(BaseException):
    """The end of a process at one call of the seam."""


class Seen:
    """The calls of the seam in their order, each with the name of what it is about."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, str]] = []
        for name in ("sync_folder", "rename", "pwrite", "truncate", "write"):
            patch.setattr(files, name, self._noting(name, getattr(files, name)))

    def _noting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(target: Any, *given: Any) -> Any:
            path = os.readlink(f"/proc/self/fd/{target}") if isinstance(target, int) else target
            self.calls.append((name, os.path.basename(path)))
            return call(target, *given)

        return noted

    def before(self, first: tuple[str, str], second: tuple[str, str]) -> bool:
        return first in self.calls and self.calls.index(first) < self.calls.index(second)


def dies_at(patch: pytest.MonkeyPatch, name: str, folder: str, act: Callable[[], object]) -> None:
    """Does it with a seam at which the process dies before the names of one folder are synced."""
    call = getattr(files, name)

    def dying(path: str) -> None:
        if os.path.basename(path) == folder:
            raise Dies
        call(path)

    with patch.context() as context:
        context.setattr(files, name, dying)
        with pytest.raises(Dies):
            act()


def test_a_new_segment_that_is_taken_over_has_its_name_on_the_disk_before_it_is_marked(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SEGMENT_BYTES", 1000)
    dies_at(monkeypatch, "sync_folder", "log", lambda: append(Journal(disk.paths)))
    seen = Seen(monkeypatch)
    append(Journal(disk.paths))
    assert seen.before(("sync_folder", "log"), ("pwrite", "HEAD"))


def test_what_was_kept_by_a_recovery_that_died_is_on_the_disk_before_it_is_cut(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.add(b'{"v":1,"rev":5')
    dies_at(monkeypatch, "sync_folder", "quarantine", lambda: append(Journal(disk.paths)))
    seen = Seen(monkeypatch)
    assert [ops for _, _, ops in appended(disk.paths)] == [["recovered"], ["message_posted"]]
    assert seen.before(("sync_folder", "quarantine"), ("truncate", "00000001.jsonl"))


def test_a_long_text_that_was_there_is_on_the_disk_before_a_line_names_it(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"x" * 20_000
    dies_at(monkeypatch, "sync_folder", "blobs", lambda: blobs.put(disk.paths, text))
    seen = Seen(monkeypatch)
    digest = blobs.put(disk.paths, text)
    assert blobs.get(disk.paths, digest) == text
    assert seen.calls == [("sync_folder", "blobs")]


def test_a_head_that_cannot_be_opened_is_found_before_the_line_is_written(
    disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = disk.everything()
    update = files.open_update

    def refusing(path: str) -> int:
        if path == disk.paths.head:
            raise OSError(5, "no")
        return update(path)

    monkeypatch.setattr(files, "open_update", refusing)
    for limit in (writers.SEGMENT_BYTES, 1000):
        monkeypatch.setattr(writers, "SEGMENT_BYTES", limit)
        with pytest.raises(NotCommitted):
            append(Journal(disk.paths))
        assert disk.everything() == before
