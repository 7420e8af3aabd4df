"""A power cut at every byte and sector of an append, with HEAD old, half-written, blank (fault 24).

The model: a write that was not yet synced is on the disk in any part, byte by byte or sector by
sector, with zeros where a sector is missing; HEAD is written after the line was synced.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from state.command import Actor
from state.journal.head import SLOT
from state.journal.line import is_sealed
from state.messages.commands import Post
from state.project import Project
from tests.faults.conftest import Tally
from tests.faults.project import made
from tests.faults.scale import scaled
from tests.faults.states import Bytes, Place, slot_of, with_slot

SECTOR = 512
USER = Actor("user", "cli")


@pytest.mark.parametrize("mark", ["old", "half", "blank", "none", "cut"])
def test_any_power_cut_loses_nothing_that_was_acknowledged(
    real_disk: Path, tally: Tally, mark: str
) -> None:
    paths = made(real_disk / "project")
    place = Place(paths)
    with Project(paths) as project:
        project.run(Post(("agent-0",), "kept", "before the cut"), USER)
        before, anchor = place.take(), place.take_anchor()
        project.run(Post(("agent-0",), "cut off", "y" * 1200), USER)
        after = place.take()
    line = after.log[len(before.log) :]
    count = 0
    for rest, head in _states(before, after, line, mark):
        place.put(Bytes(before.log + rest, head), anchor)
        _check(place, before.log, rest, line)
        count += 1
    assert count > scaled(80, 500)
    tally("states of the disk after a power cut", count)


def _states(before: Bytes, after: Bytes, line: bytes, mark: str) -> Iterator[tuple[bytes, bytes]]:
    if mark == "cut":
        yield from _cut_marks(before, after, line)
        return
    head = _head(before, after, mark)
    step = scaled(11, 1)
    cuts = [line[:size] for size in range(0, len(line), step)]
    sectors = -(-len(line) // SECTOR)
    torn = []
    for there in product((False, True), repeat=sectors):
        parts = [line[at * SECTOR : (at + 1) * SECTOR] for at in range(sectors)]
        torn.append(
            b"".join(
                part if kept else bytes(len(part)) for part, kept in zip(parts, there, strict=True)
            )
        )
    for rest in (*cuts, *torn):
        yield rest, head


def _cut_marks(before: Bytes, after: Bytes, line: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Once the line is on the disk the mark itself may be cut, at any byte."""
    new = 0 if slot_of(before.head, 0) != slot_of(after.head, 0) else 1
    for size in range(0, SLOT, scaled(5, 1)):
        slot = slot_of(after.head, new)[:size] + slot_of(before.head, new)[size:]
        yield line, with_slot(before.head, new, slot)


def _head(before: Bytes, after: Bytes, mark: str) -> bytes:
    """HEAD as it was, with half of the new mark, with a blank slot in its place, or all blank."""
    new = 0 if slot_of(before.head, 0) != slot_of(after.head, 0) else 1
    return {
        "old": before.head,
        "half": with_slot(before.head, new, slot_of(after.head, new)[: SLOT // 2]),
        "blank": with_slot(before.head, new, b""),
        "none": bytes(len(before.head)),
    }[mark]


def _check(place: Place, kept: bytes, rest: bytes, line: bytes) -> None:
    whole = rest == line
    assert whole == is_sealed(rest)
    with Project(place.paths) as project:
        project.run(Post(("agent-0",), "after the cut"), USER)
        with project.view() as view:
            titles = [title for (title,) in view.rows("SELECT title FROM message ORDER BY id")]
    expected = ["kept", "cut off", "after the cut"] if whole else ["kept", "after the cut"]
    assert titles == expected
    log = place.take().log
    assert log.startswith(kept + line if whole else kept)
    assert place.quarantined() == (b"" if whole else rest)
    assert log.count(b'"op":"recovered"') == (0 if whole or not rest else 1)
