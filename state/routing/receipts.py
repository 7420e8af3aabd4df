"""What can be checked of a receipt's evidence file: its hash, and the entry in it (S11).

Read only, through no link, a piece at a time; the content goes nowhere.
"""

import os
import stat
from hashlib import sha256

from state import files
from state.routing.documents import ByHook, InFile, Receipt

PIECE = 1 << 20
# No line of a transcript is longer than what is looked at of it.
ENTRY_LIMIT = 64 * 1024 * 1024


def problem(receipt: Receipt) -> str | None:
    """What is wrong with its evidence file, as the reason of a refusal; None when nothing is.

    Of a hook event there is nothing to look at: its adapter's word is what there is.
    """
    evidence = receipt.evidence
    if isinstance(evidence, ByHook):
        return None
    try:
        fd = files.open_foreign(evidence.file)
    except OSError:
        return "file_missing"
    try:
        return _problem(fd, evidence)
    except OSError:
        return "file_missing"
    finally:
        os.close(fd)


def entry_sha256(line: bytes) -> str:
    """The hash that names an entry: of its line without the line feed."""
    return sha256(line.removesuffix(b"\n")).hexdigest()


def _problem(fd: int, evidence: InFile) -> str | None:
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        return "file_missing"
    if found.st_size < evidence.bytes or _sum(fd, evidence.bytes) != evidence.sha256:
        return "file_changed"
    line = _line(fd, evidence.offset, evidence.bytes)
    if line is None or entry_sha256(line) != evidence.entry_sha256:
        return "entry_missing"
    named = evidence.tool_use
    return None if named is None or named.encode() in line else "entry_missing"


def _sum(fd: int, size: int) -> str:
    digest, done = sha256(), 0
    while done < size:
        piece = files.pread_exact(fd, min(PIECE, size - done), done)
        if not piece:
            break
        digest.update(piece)
        done += len(piece)
    return digest.hexdigest()


def _line(fd: int, offset: int, size: int) -> bytes | None:
    """The line that begins at an offset; None where none does."""
    if offset >= size or (offset and files.pread_exact(fd, 1, offset - 1) != b"\n"):
        return None
    read = files.pread_exact(fd, min(ENTRY_LIMIT, size - offset), offset)
    return read.partition(b"\n")[0]
