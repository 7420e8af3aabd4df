"""What can be looked at of a receipt: its evidence file, the entry in it, the skill's file (S11).

Read only, through no link, a piece at a time; the content goes nowhere.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from state import files
from state.routing import shown
from state.routing.documents import ByHook, InFile, Receipt
from state.routing.fields import UNRESOLVED
from state.routing.known import Known
from state.routing.resolve import skill_sha256
from state.routing.roots import Root
from state.routing.shown import Claim
from state.routing.transcripts import entry_sha256

PIECE = 1 << 20
# No line of a transcript is longer than what is looked at of it.
ENTRY_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Looked:
    """`problem` is what is wrong with the evidence, as the reason of a refusal, None when nothing.

    `skill_sha256` is that of the one SKILL.md to which the name, or the folder that a transcript
    names, leads now; `unresolved` where none or several do.
    """

    problem: str | None
    skill_sha256: str = UNRESOLVED


def look(receipt: Receipt, roots: Iterable[Root], home: str) -> Looked:
    """Looks at everything that a receipt names. `home` is the folder that `~` means."""
    evidence, listed = receipt.evidence, tuple(roots)
    claim = Claim(receipt.request, receipt.host, evidence.kind, receipt.skill)
    if isinstance(evidence, ByHook):
        # Of the event itself there is nothing to look at: its adapter's word is what there is.
        return Looked(shown.by_hook(claim, evidence), _by_name(receipt, listed))
    try:
        fd = files.open_foreign(evidence.file)
    except OSError:
        return Looked("file_missing")
    try:
        found = _look(fd, evidence, claim, listed, home)
    except OSError:
        return Looked("file_missing")
    finally:
        os.close(fd)
    if isinstance(found, str):
        return Looked(found)
    return Looked(None, _by_name(receipt, listed) if found is None else found.sha256)


def _by_name(receipt: Receipt, roots: Iterable[Root]) -> str:
    return UNRESOLVED if receipt.skill is None else skill_sha256(roots, receipt.host, receipt.skill)


def _look(
    fd: int, evidence: InFile, claim: Claim, roots: Iterable[Root], home: str
) -> Known | str | None:
    """The reason of a refusal; else the skill that the entry shows, None where that isn't known."""
    there = os.fstat(fd)
    if not stat.S_ISREG(there.st_mode):
        return "file_missing"
    if there.st_size < evidence.bytes or _sum(fd, evidence.bytes) != evidence.sha256:
        return "file_changed"
    line = _line(fd, evidence.offset, evidence.bytes)
    if line is None or entry_sha256(line) != evidence.entry_sha256:
        return "entry_missing"
    named = evidence.tool_use
    if named is not None and named.encode() not in line:
        return "entry_missing"
    if shown.form_of(claim.host, claim.kind) is None:
        return None
    return shown.in_file(claim, evidence, fd, line, roots, home)


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
