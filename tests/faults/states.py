"""Putting one project's bytes into any state and back, in place, so that its inodes stay."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from state.journal.head import OFFSETS, SLOT
from state.paths import Paths, state_home
from state.project import Project


@dataclass(frozen=True, slots=True)
class Bytes:
    """Log and HEAD as they stand on disk."""

    log: bytes
    head: bytes


class Place:
    """One project of one segment; `take` and `put` copy its journal out and in."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        with Project(paths) as project:
            self.project = project.journal.original
        self._log = Path(paths.segment(1))
        self._head = Path(paths.head)
        self._anchor = Path(state_home(self.project)) / "anchor"

    def take(self) -> Bytes:
        return Bytes(self._log.read_bytes(), self._head.read_bytes())

    def take_anchor(self) -> bytes:
        return self._anchor.read_bytes()

    def put(self, wanted: Bytes, anchor: bytes | None, *, keep_index: bool = False) -> None:
        """The journal is `wanted`; nothing else is left of whatever happened before."""
        os.chmod(self._log, 0o600)
        self._log.write_bytes(wanted.log)
        self._head.write_bytes(wanted.head)
        if anchor is None:
            self._anchor.unlink(missing_ok=True)
        else:
            self._anchor.write_bytes(anchor)
        emptied = [self.paths.quarantine, self.paths.tmp]
        if not keep_index:
            emptied.append(self.paths.cache)
        for folder in emptied:
            shutil.rmtree(folder)
            os.mkdir(folder, 0o700)

    def quarantined(self) -> bytes:
        """Everything that recovery has cut off."""
        return b"".join(path.read_bytes() for path in sorted(Path(self.paths.quarantine).iterdir()))


def with_slot(head: bytes, number: int, slot: bytes) -> bytes:
    """HEAD with other bytes in one of its slots."""
    at = OFFSETS[number]
    return head[:at] + slot.ljust(SLOT, b"\0")[:SLOT] + head[at + SLOT :]


def slot_of(head: bytes, number: int) -> bytes:
    """The bytes of one slot."""
    return head[OFFSETS[number] : OFFSETS[number] + SLOT]
