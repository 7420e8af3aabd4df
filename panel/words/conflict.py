"""What the dialog says when someone was faster (R9)."""

from __future__ import annotations

from collections.abc import Mapping

from panel.present import ages

TITLE = "Someone was faster"
HERE = "in this panel"
# By the way a line came.
WAYS: Mapping[str, str] = {
    "tui": "in another panel",
    "tty": "at a terminal",
    "cli": "by command",
    "import": "by an import",
    "hook": "by a hook",
    "demo": "in the demo",
}
MEANWHILE = "Meanwhile:"
NOTHING_WRITTEN = "Nothing was written."


def yours(change: str) -> str:
    """What the person wanted."""
    return f"Your change: {change}"


def revisions(expected: int, actual: int) -> str:
    """Both numbers."""
    return f"You saw the roster at r{expected}, it is at r{actual} now."


def happened(who: str, did: str, where: str, age: str) -> str:
    """One event in between."""
    return f"{who} {did} {where}, {ages.ago(age)}"
