"""What the command palette says besides the words of the table of keys."""

from __future__ import annotations

from collections.abc import Mapping

MENU = "host and roles, hide, rename, away, close queue, deactivate, restore"
SHOW = "bring the cursor to it in the overview"
WEAR = "as long as this panel is open"
THEMES: Mapping[str, str] = {
    "sublation-dark": "theme: dark",
    "sublation-light": "theme: light",
    "sublation-plain": "theme: without colours",
}


def command(label: str, group: str) -> str:
    """One line of the table of keys, as a command."""
    return f"{label.rstrip('…')} ({group})" if group not in ("global", "list") else label


def by_key(key: str, about: str) -> str:
    """What a command does, or why it can't, after the key that does the same."""
    return f"{key}: {about}"


def menu_of(seat: str) -> str:
    """The menu of one seat."""
    return f"seat {seat}: menu"


def show(seat: str) -> str:
    """One seat in the overview."""
    return f"seat {seat}: show"
