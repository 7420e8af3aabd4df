"""Long texts in files of their own, left-overs, and files of somebody else."""

from __future__ import annotations

from errno import ENOSPC
from hashlib import sha256
from pathlib import Path

import pytest

from state.command import Actor
from state.errors import BadInput, NotCommitted
from state.journal import blobs
from state.journal.journal import Journal
from state.journal.verify import verify
from state.journal.writer import writing
from state.messages.commands import Post
from state.project import Project
from tests.state.journal_support import CLOCK, Disk, append, author, broken, note

USER = Actor("user", "cli")


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


def test_a_line_that_is_too_long_leaves_no_blob_either(disk: Disk) -> None:
    text = b"x" * 20_000
    before = disk.everything()
    with writing(Journal(disk.paths), seat="user", now=CLOCK.now) as writer:
        with pytest.raises(BadInput):
            writer.append(author(), CLOCK.now(), [note("x" * 70_000)], [text])
        assert disk.everything() == before
        writer.append(author(), CLOCK.now(), [note()], [text])
    assert blobs.get(disk.paths, sha256(text).hexdigest()) == text
