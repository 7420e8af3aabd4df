"""HEAD: the commit mark for readers, two slots written in place in turn."""

from errno import ENOSPC
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from state import files
from state.journal.line import MAX_LINE, is_hash, is_id, is_sealed, newer, seal
from state.journal.storable import MAX_INTEGER
from state.paths import HEAD_SIZE

VERSION = 1
SLOT = 512
OFFSETS = (0, 4096)
KEYS = ["v", "project", "gen", "rev", "seg", "last", "off", "hash", "sum"]


class Head(NamedTuple):
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
        "v": VERSION,
        "project": head.project,
        "gen": head.gen,
        "rev": head.rev,
        "seg": head.seg,
        "last": head.last,
        "off": head.off,
        "hash": head.hash,
    }
    return seal(orjson.dumps(fields)[:-1]).ljust(SLOT)


def whole(head: Head) -> bytes:
    """All bytes of a file HEAD with one valid slot."""
    content = bytearray(HEAD_SIZE)
    at = OFFSETS[head.gen % 2]
    content[at : at + SLOT] = encode(head)
    return bytes(content)


@lru_cache(maxsize=4)
def decode(slot: bytes) -> Head | None:
    """The head in one slot, None for a slot that is blank or torn. NewerFormat by its version.

    The same bytes say the same: whoever commits reads twice what he has just written.
    """
    raw = slot.rstrip(b" ")
    if len(slot) != SLOT or not is_sealed(raw):
        return None
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict):
        return None
    version = fields.get("v")
    if type(version) is int and version > VERSION:
        raise newer(None, f"HEAD version {version}")
    return _head(fields) if version == VERSION and list(fields) == KEYS else None


def read(fd: int) -> Head | None:
    """The valid slot of the higher generation, None when both are bad."""
    data = files.pread_exact(fd, OFFSETS[1] + SLOT, 0)
    slots = [decode(data[offset : offset + SLOT]) for offset in OFFSETS]
    valid = [head for head in slots if head is not None]
    return max(valid, key=lambda head: head.gen, default=None)


def write(fd: int, head: Head) -> None:
    """Writes the slot that `head.gen` names; the other one stays readable throughout."""
    if files.pwrite(fd, encode(head), OFFSETS[head.gen % 2]) != SLOT:
        raise OSError(ENOSPC, "HEAD was written in part")


def _head(fields: dict[str, Any]) -> Head | None:
    numbers = [fields[key] for key in ("gen", "rev", "seg", "last", "off")]
    if not all(type(number) is int and 0 <= number <= MAX_INTEGER for number in numbers):
        return None
    gen, rev, seg, last, off = numbers
    if min(gen, rev, seg) < 1 or not 0 < off - last <= MAX_LINE:
        return None
    if not is_hash(fields["hash"]) or not is_id(fields["project"]):
        return None
    return Head(fields["project"], gen, rev, seg, last, off, fields["hash"])
