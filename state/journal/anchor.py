"""The anchor: revision, hash and root inode, kept outside the project.

It shows a rolled-back, restored or copied folder. That it can't be written (a sandbox) never
fails a command; up to 100 revisions or 60 seconds of rollback may escape it.
"""

import os
from dataclasses import dataclass

import orjson

from state import files
from state.clock import TIMESTAMP, seconds_between
from state.journal.line import is_hash
from state.paths import anchor_file

EVERY_REVISIONS = 100
EVERY_SECONDS = 60.0
LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Anchor:
    """What was last seen of a project: `root` is the inode of its `.sublation-panel` folder."""

    project: str
    rev: int
    hash: str
    root: int
    at: str


def read(project: str) -> Anchor | None:
    """The anchor of a project id, None when there is none or it can't be read as one."""
    try:
        raw = files.read_whole(anchor_file(project), LIMIT)
        fields = orjson.loads(raw)
        anchor = Anchor(
            fields["project"], fields["rev"], fields["hash"], fields["root"], fields["at"]
        )
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return None
    if type(fields["rev"]) is not int or type(fields["root"]) is not int:
        return None
    timed = isinstance(fields["at"], str) and TIMESTAMP.fullmatch(fields["at"]) is not None
    return anchor if timed and is_hash(fields["hash"]) else None


def is_due(anchor: Anchor | None, rev: int, now: str) -> bool:
    """Whether the anchor lags by 100 revisions or 60 seconds, by its own content."""
    if anchor is None:
        return True
    age = seconds_between(anchor.at, now)
    return rev - anchor.rev >= EVERY_REVISIONS or not 0 <= age < EVERY_SECONDS


def write(anchor: Anchor) -> bool:
    """Replaces the anchor by rename; False when it can't be written. Forward is the caller's."""
    target = anchor_file(anchor.project)
    data = orjson.dumps({"v": 1, **{name: getattr(anchor, name) for name in Anchor.__slots__}})
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        scratch = f"{target}.{os.getpid()}.{os.urandom(4).hex()}"
        files.replace_file(target, data + b"\n", scratch)
    except OSError:
        return False
    return True
