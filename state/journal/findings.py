"""What checks find: one thing that is not as it should be, and where."""

from dataclasses import dataclass

from state.errors import Unsound
from state.journal.head import Head

HEAD_BLANK = "head_blank"
# What damages no line.
BESIDE = frozenset({"attachment", "quarantine", HEAD_BLANK})


@dataclass(frozen=True, slots=True)
class Finding:
    """`code`: `damaged`, `rolled_back` or `newer_format` for the journal itself.

    `attachment` is a blob, `quarantine` a kept file that is missing or changed, `head_blank` a HEAD
    that can't be read: they damage no line. `hint` is what can be done, where more is known than
    `doctor` says.
    """

    code: str
    rev: int | None
    segment: int | None
    offset: int | None
    what: str
    hint: str = ""


def finding(error: Unsound) -> Finding:
    """What an error says, as a finding."""
    place = error.rev, error.segment, error.offset
    return Finding(error.code, *place, error.message, error.hint)


def head_blank(head: Head, *, anchored: bool) -> Finding:
    """HEAD is missing or both of its slots are bad; `head` is what a scan of the log gave.

    `anchored`: an anchor tells at least how far the log must go.
    """
    what = f"HEAD can't be read; the log is whole up to line {head.rev}"
    if not anchored:
        what += ", and nothing outside the project confirms that it ended there"
    hint = "the next change writes it anew"
    return Finding(HEAD_BLANK, head.rev, head.seg, head.off, what, hint)
