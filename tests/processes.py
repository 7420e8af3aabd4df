"""Finds processes that a test run has left behind."""

from __future__ import annotations

import os
from pathlib import Path

MARK = "PANEL_TEST_RUN"


def left_behind(mark: str) -> dict[int, str]:
    """Living processes that carry the mark in their environment or are our children.

    Where there is no `/proc` the answer is always empty.
    """
    wanted = f"{MARK}={mark}".encode()
    found: dict[int, str] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        pid = int(entry.name)
        if pid == os.getpid():
            continue
        try:
            state, parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            command = (
                (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            )
            marked = wanted in (entry / "environ").read_bytes().split(b"\0")
        except OSError:  # it ended while we looked, or belongs to somebody else
            continue
        tracker = "multiprocessing.resource_tracker" in command
        if state != b"Z" and not tracker and (marked or int(parent) == os.getpid()):
            found[pid] = command
    return found
