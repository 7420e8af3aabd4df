"""What a line says beyond its place in the chain: shapes of operations, and the files they name."""

import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from state import files
from state.errors import Unsound
from state.journal import blobs
from state.journal.findings import Finding, finding
from state.journal.line import Line, damaged
from state.journal.place import open_plain
from state.journal.reader import CHUNK
from state.journal.shapes import misfit
from state.paths import Paths


def faults(paths: Paths, line: Line) -> Iterator[Finding]:
    """What is wrong with the operations of a line that chains, and with what they name."""
    for operation in line.ops:
        what = misfit(operation)
        if what:
            yield finding(damaged(line.rev, line.segment, line.offset, what))
        elif operation["op"] == "segment":
            yield from _finished(paths, line, operation)
        elif operation["op"] == "recovered":
            yield from _kept(paths, line, operation)
        elif isinstance(operation.get("body"), dict):
            yield from _attachment(paths, line, operation["body"])


def _finished(paths: Paths, line: Line, operation: dict[str, Any]) -> Iterator[Finding]:
    number = operation["number"]
    what = ""
    if (number, 0) != (line.segment, line.offset):
        what = "opens a segment, but is not its first line"
    else:
        try:
            found = _sum_of(paths.segment(number - 1))
        except (OSError, Unsound):
            # It is missing or no plain file, which is a finding of its own.
            return
        if found != (operation["size"], operation["sha256"]):
            what = f"names another size or sha256 than segment {number - 1} has"
    if what:
        yield finding(damaged(line.rev, line.segment, line.offset, what))


def _kept(paths: Paths, line: Line, operation: dict[str, Any]) -> Iterator[Finding]:
    try:
        kept = _sum_of(paths.quarantined(operation["file"]))
    except (OSError, Unsound):
        kept = (0, "")
    if kept != (operation["bytes"], operation["sha256"]):
        what = f"the bytes that line {line.rev} tells of in quarantine are missing or changed"
        yield Finding("quarantine", line.rev, line.segment, line.offset, what)


def _attachment(paths: Paths, line: Line, body: dict[str, Any]) -> Iterator[Finding]:
    text = blobs.get(paths, body["sha256"])
    if text is None or len(text) != body["bytes"]:
        what = f"the long text of message #{line.rev} is missing, changed or not to be read"
        yield Finding("attachment", line.rev, line.segment, line.offset, what)


def _sum_of(path: str) -> tuple[int, str]:
    digest, size = sha256(), 0
    fd = open_plain(path)
    try:
        while chunk := files.pread_exact(fd, CHUNK, size):
            digest.update(chunk)
            size += len(chunk)
    finally:
        os.close(fd)
    return size, digest.hexdigest()
