"""The anchor: revision, hash and root inode, kept outside the project.

It shows a rolled-back, restored or copied folder. That it can't be written (a sandbox) never
fails a command; up to 100 revisions or 60 seconds of rollback may escape it.
"""

import os
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from state import files
from state.clock import TIMESTAMP, seconds_between
from state.errors import NotCommitted, RolledBack
from state.journal.head import Head
from state.journal.journal import two_histories
from state.journal.line import is_hash, is_sealed
from state.journal.place import CAN_BE_DONE
from state.journal.reader import line_before
from state.journal.storable import MAX_INTEGER
from state.paths import Paths, anchor_file, shown

VERSION = 1
EVERY_REVISIONS = 100
EVERY_SECONDS = 60.0
LIMIT = 4096


class Anchor(NamedTuple):
    """What was last seen of a project: `root` is the inode of its `.sublation-panel` folder."""

    project: str
    rev: int
    hash: str
    root: int
    at: str


def read(project: str) -> Anchor | None:
    """The anchor of a project id, None when there is none or it can't be read as one."""
    try:
        found = _decoded(files.read_whole(anchor_file(project), LIMIT))
    except OSError:
        return None
    return found if found is not None and found.project == project else None


@lru_cache(maxsize=4)
def _decoded(data: bytes) -> Anchor | None:
    # The same bytes say the same, and most commits find those of the one before.
    try:
        fields = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict) or fields.pop("v", None) != VERSION:
        return None
    if list(fields) != list(Anchor._fields) or not _is_sound(fields):
        return None
    return Anchor(**fields)


def is_due(anchor: Anchor | None, rev: int, now: str) -> bool:
    """Whether the anchor lags by 100 revisions or 60 seconds, by its own content."""
    if anchor is None:
        return True
    age = seconds_between(anchor.at, now)
    return rev - anchor.rev >= EVERY_REVISIONS or not 0 <= age < EVERY_SECONDS


def advance(anchor: Anchor) -> bool:
    """Writes an anchor unless another process wrote a later one meanwhile.

    False when it can't be written, or when the project is anchored in another folder: which of
    the two it is, is a question for the user.
    """
    there = read(anchor.project)
    if there is not None and there.root != anchor.root:
        return False
    return (there is not None and there.rev >= anchor.rev) or write(anchor)


def write(anchor: Anchor) -> bool:
    """Replaces the anchor by rename; False when it can't be written. Forward is the caller's."""
    target = anchor_file(anchor.project)
    data = orjson.dumps({"v": VERSION, **anchor._asdict()}) + b"\n"
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        scratch = f"{target}.{os.getpid()}.{os.urandom(4).hex()}"
        files.replace_file(target, data, scratch)
    except OSError:
        return False
    return True


def unwritten(project: str) -> NotCommitted:
    """The one sentence for an anchor that must be written and can't be."""
    return NotCommitted(
        "the anchor outside the project can't be written",
        "make its folder writable, or room on its disk:"
        f" {shown(os.path.dirname(anchor_file(project)))}",
    )


def check_anchor(paths: Paths, head: Head, anchor: Anchor) -> None:
    """RolledBack when the journal is older than what was seen of it, or another history.

    A line that lies too far back to be read at once is not compared.
    """
    if head.rev < anchor.rev:
        raise behind(head, anchor)
    raw = line_before(paths, head, head.rev - anchor.rev)
    if raw is None or sha256(raw).hexdigest() == anchor.hash:
        return
    # A damaged line is another finding, which the check of the whole chain makes.
    if is_sealed(raw) and orjson.loads(raw)["rev"] == anchor.rev:
        raise two_histories(anchor.rev)


def behind(head: Head, anchor: Anchor) -> RolledBack:
    """The error for a journal that is older than its anchor."""
    return RolledBack(
        f"the journal ends with line {head.rev}; line {anchor.rev} had been written already",
        CAN_BE_DONE,
        rev=head.rev,
    )


def _is_sound(fields: dict[str, Any]) -> bool:
    numbers = [fields["rev"], fields["root"]]
    counted = all(type(number) is int and 0 < number <= 2**64 for number in numbers)
    timed = isinstance(fields["at"], str) and TIMESTAMP.fullmatch(fields["at"]) is not None
    return counted and numbers[0] <= MAX_INTEGER and timed and is_hash(fields["hash"])
