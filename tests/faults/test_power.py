"""A power cut at every byte and sector of an append, with HEAD old, half-written, blank (fault 24).

The model: a write that was not yet synced is on the disk in any part, byte by byte or sector by
sector, with zeros where a sector is missing; HEAD is written after the line was synced.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from state.command import Actor
from state.journal.head import SLOT
from state.journal.line import is_sealed
from state.messages.commands import Post
from state.project import Project
from tests.faults.project import made
from tests.faults.scale import scaled
from tests.faults.states import Bytes, Place, slot_of, with_slot

SECTOR = 512
USER = Actor("user", "cli")


def test_any_power_cut_loses_nothing_that_was_acknowledged(disk: Path) -> None:
    paths = made(disk / "project")
    place = Place(paths)
    with Project(paths) as project:
        project.run(Post(("agent-0",), "kept", "before the cut"), USER)
        before, anchor = place.take(), place.take_anchor()
        project.run(Post(("agent-0",), "cut off", "y" * 1200), USER)
        after = place.take()
    line = after.log[len(before.log) :]
    count = 0
    for rest, head in _states(before, after, line):
        place.put(Bytes(before.log + rest, head), anchor)
        _check(place, before.log, rest, line)
        count += 1
    assert count > scaled(400, 1000)


def _states(before: Bytes, after: Bytes, line: bytes) -> Iterator[tuple[bytes, bytes]]:
    heads = list(_heads(before, after))
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
        for head in heads:
            yield rest, head
    # Once the line is on the disk the mark itself may be cut, at any byte.
    new = 0 if slot_of(before.head, 0) != slot_of(after.head, 0) else 1
    for size in range(0, SLOT, scaled(5, 1)):
        slot = slot_of(after.head, new)[:size] + slot_of(before.head, new)[size:]
        yield line, with_slot(before.head, new, slot)


def _heads(before: Bytes, after: Bytes) -> Iterator[bytes]:
    new = 0 if slot_of(before.head, 0) != slot_of(after.head, 0) else 1
    yield before.head
    yield with_slot(before.head, new, slot_of(after.head, new)[: SLOT // 2])
    yield with_slot(before.head, new, b"")
    yield bytes(len(before.head))


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
