"""HEAD: the commit mark for readers, two slots written in place in turn."""

from dataclasses import dataclass

import orjson

from state import files
from state.journal.line import TRAILER, is_hash, is_sealed, newer, seal

SLOT = 512
OFFSETS = (0, 4096)


@dataclass(frozen=True, slots=True)
class Head:
    """The last committed line: revision, segment, where it starts and ends there, its sha256."""

    project: str
    gen: int
    rev: int
    seg: int
    last: int
    off: int
    hash: str


def encode(head: Head) -> bytes:
    """One slot, padded with spaces after its line feed."""
    fields = {
        "v": 1,
        "project": head.project,
        "gen": head.gen,
        "rev": head.rev,
        "seg": head.seg,
        "last": head.last,
        "off": head.off,
        "hash": head.hash,
    }
    return seal(orjson.dumps(fields)[:-1]).ljust(SLOT)


def decode(slot: bytes) -> Head | None:
    """The head in one slot, None for a slot that is blank or torn. NewerFormat by its version."""
    raw = slot.rstrip(b" ")
    if len(raw) <= TRAILER or not is_sealed(raw):
        return None
    fields = orjson.loads(raw)
    if fields["v"] != 1:
        raise newer(None, f"HEAD version {fields['v']}")
    numbers = [fields[key] for key in ("gen", "rev", "seg", "last", "off")]
    if not all(type(number) is int and number >= 0 for number in numbers):
        return None
    if not is_hash(fields["hash"]) or not isinstance(fields["project"], str):
        return None
    gen, rev, seg, last, off = numbers
    return Head(fields["project"], gen, rev, seg, last, off, fields["hash"])


def read(fd: int) -> Head | None:
    """The valid slot of the higher generation, None when both are bad."""
    data = files.pread_exact(fd, OFFSETS[1] + SLOT, 0)
    slots = [decode(data[offset : offset + SLOT]) for offset in OFFSETS]
    valid = [head for head in slots if head is not None]
    return max(valid, key=lambda head: head.gen, default=None)


def write(fd: int, head: Head) -> None:
    """Writes the slot that `head.gen` names; the other one stays readable throughout."""
    files.pwrite(fd, encode(head), OFFSETS[head.gen % 2])
