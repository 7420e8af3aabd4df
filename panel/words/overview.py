"""What the first screen says."""

from __future__ import annotations

PROGRAM = "sublation-panel"
WATCHING = "watching"
POLLING = "polling"
NOT_VERIFIED = "a line is wrong ✗"


def roster(revision: int) -> str:
    """The roster's revision."""
    return f"roster r{revision}"


def lines_verified(count: str) -> str:
    """Every line that is known was checked."""
    return f"{count} line{'' if count == '1' else 's'} verified ✓"


def checking(share: str) -> str:
    """Not all lines are checked yet."""
    return f"checking {share}"
