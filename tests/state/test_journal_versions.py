"""What a newer or older program wrote, and a FORMAT that is none (fault 39)."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from state.errors import Damaged, NewerFormat, StateError
from state.journal import head as heads
from state.journal.journal import Journal
from state.journal.line import seal
from tests.state.journal_support import Disk, made, newest, next_line, refused, slot, written


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """A project of six lines."""
    found = Disk(made(tmp_path / "project"))
    written(found.paths)
    return found


def test_nothing_is_appended_to_a_line_of_a_newer_program(disk: Disk) -> None:
    line = next_line(disk)
    disk.add(seal(line[:-27].replace(b'"op":"message_posted"', b'"op":"message_sung"')))
    refused(disk, NewerFormat, where=7)


def test_a_newer_line_that_is_committed_is_not_appended_to(disk: Disk) -> None:
    raw = seal(next_line(disk)[:-27].replace(b'"v":1', b'"v":2'))
    _commit_raw(disk, raw)
    refused(disk, NewerFormat, where=7)


def _commit_raw(disk: Disk, raw: bytes) -> None:
    with disk.head.open("r+b") as file:
        head = heads.read(file.fileno())
        assert head is not None
        end = head.off + len(raw)
        digest = sha256(raw).hexdigest()
        heads.write(
            file.fileno(),
            head._replace(gen=head.gen + 1, rev=7, last=head.off, off=end, hash=digest),
        )
    disk.add(raw)


def test_a_head_of_a_newer_program_is_not_written(disk: Disk) -> None:
    raw = disk.head.read_bytes()[heads.OFFSETS[newest(disk)] :][: heads.SLOT]
    slot(disk, newest(disk), seal(raw.rstrip(b" ")[:-27].replace(b'"v":1', b'"v":2')).ljust(512))
    refused(disk, NewerFormat)


FORMATS = {
    b'"version":2': NewerFormat,
    b'"version":99': NewerFormat,
    b'"version":0': "older",
    b'"version":"1"': Damaged,
    b'"version":true': Damaged,
    b'"version":1.0': Damaged,
    b'"version":1,"version":1': Damaged,
    b'"version":1,"more":1': Damaged,
}


@pytest.mark.parametrize("said", FORMATS)
def test_a_format_that_says_something_else_is_not_opened(disk: Disk, said: bytes) -> None:
    path = Path(disk.paths.format)
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b'"version":1', said))
    before = disk.everything()
    with pytest.raises(StateError) as found:
        Journal(disk.paths)
    expected = FORMATS[said]
    if expected == "older":
        assert "older than any that this program can open" in found.value.message
    else:
        assert type(found.value) is expected
    assert disk.everything() == before


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"x", b"\xef\xbb\xbf{}", b"[" * 5000, b'{"format":"other"}\n']
)
def test_a_format_that_is_none_is_damage(disk: Disk, content: bytes) -> None:
    Path(disk.paths.format).write_bytes(content)
    with pytest.raises(Damaged, match="FORMAT is not as it was written"):
        Journal(disk.paths)
    Path(disk.paths.format).unlink()
    with pytest.raises(Damaged, match="FORMAT is missing"):
        Journal(disk.paths)


@pytest.mark.parametrize("project", ["..%2f..", "../../outside", "A" * 32, "a" * 31, "a" * 33, ""])
def test_a_project_id_is_no_path(disk: Disk, project: str) -> None:
    path = Path(disk.paths.format)
    whole = path.read_text()
    own = Journal(disk.paths).original
    path.write_text(whole.replace(own, project))
    with pytest.raises(Damaged):
        Journal(disk.paths)
