"""What checks find: one thing that is not as it should be, and where."""

from dataclasses import dataclass

from state.errors import Unsound

# What damages no line.
BESIDE = frozenset({"attachment", "quarantine"})


@dataclass(frozen=True, slots=True)
class Finding:
    """`code`: `damaged`, `rolled_back` or `newer_format` for the journal itself.

    `attachment` is a blob, `quarantine` a kept file that is missing or changed: they damage no
    line. `hint` is what can be done, where more is known than `doctor` says.
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
