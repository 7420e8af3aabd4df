"""What the first screen says."""

from __future__ import annotations

PROGRAM = "sublation-panel"
WATCHING = "watching"
POLLING = "polling"
NOT_VERIFIED = "a line is wrong ✗"
NOT_SOUND = "not sound ✗"
QUEUE = "Queue"


def no_messages(write: str) -> str:
    """The list without a message, and the key and command that fill it."""
    return (
        f"No message yet. Press {write} to write one, or let an agent ask you something:\n"
        "sublation-panel post user --kind question --title 'Which branch?'"
    )


def roster(revision: int) -> str:
    """The roster's revision."""
    return f"roster r{revision}"


def lines_verified(count: str) -> str:
    """Every line that is known was checked."""
    return f"{count} line{'' if count == '1' else 's'} verified ✓"


def everyone(shown: bool) -> str:
    """What the key for hidden seats just did."""
    return "hidden and inactive seats are shown" if shown else "hidden and inactive seats left out"


def checking(share: str) -> str:
    """Not all lines are checked yet."""
    return f"checking {share}"
