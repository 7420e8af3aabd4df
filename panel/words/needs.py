"""What the panel says about what waits for the person."""

from __future__ import annotations

from collections.abc import Mapping

from panel.words import routing, signs, wake
from panel.words.signs import KINDS, Sign
from state.needs import Need

HIDDEN = "hidden"
# At the end of a row that leads somewhere, where the key has a name of more than one cell.
LEADS = "›"
NOBODY = "Nobody needs you"

# By the kind of need; `due` is an age and no judgement (M14).
NEEDS: Mapping[str, Sign] = {
    "question": Sign(KINDS["question"].sign, "asks", "$text-warning"),
    "task": Sign(KINDS["task"].sign, "has a task for you", "$text-accent"),
    "result": Sign(KINDS["result"].sign, "reports", "$text-secondary"),
    "due": Sign("◷", "due, no look known since", "$text-warning"),
    "hold": Sign("■", "on hold", "$text-warning"),
    "unscanned": Sign("◐", "armed, nobody scans", "$text-warning"),
    "terminal_hold": Sign("■", "used up its attempts", "$text-warning"),
    "hook": Sign("!", "hook did not record", "$text-warning"),
}
# What is dealt with where windows are.
OF_WAKES = frozenset({"hold", "unscanned", "terminal_hold"})
# Of these `id` is the number of a window, which is that of a line.
OF_WINDOWS = frozenset({"hold", "unscanned"})
# Of these `id` is the number of a line, which says it all.
OF_LINES = frozenset({"hook"})
HEALTH = Sign("■", "the project", "$text-error")
# Where the column of seats has no room for it.
SHORT: Mapping[str, str] = {HEALTH.word: "project"}


def title(count: int) -> str:
    """Over the list."""
    return f"Needs you ({count:,})" if count else "Needs you"


def need(kind: str) -> Sign:
    """The sign of a kind of need; one that is not known is shown by its own name."""
    return NEEDS.get(kind) or Sign("·", kind)


def said(word: str, title: str) -> str:
    """What is needed, and the title of the message that says so."""
    return f"{word}: {title}" if title else word


def text(need: Need) -> str:
    """What stands behind the word: a title, why a window is on hold, or why a hook failed."""
    if need.kind in OF_LINES:
        host, _, note = need.text.partition(" ")
        return f"{host}, {routing.note(note)}"
    return wake.HOLD.get(need.text, need.text) if need.kind in OF_WINDOWS else need.text


def about(need: Need) -> str:
    """The message or the line that it is about."""
    return f"r{need.id}" if need.kind in OF_WINDOWS | OF_LINES else f"#{need.id}"


def opens(key: str) -> str:
    """The key that leads to where it can be dealt with, in one cell."""
    return key if len(key) == 1 else LEADS


def more(count: int) -> str:
    """What is not listed; the queue has it all."""
    return f"and {count:,} more, in your queue"


def how_known(queues: int, windows: int, upto: str, checked: bool) -> str:
    """On what "nobody" rests: so many queues and open wake windows."""
    read = signs.count(queues, "queue")
    if windows:
        read = f"{read}, {signs.count(windows, 'open window')}"
    return f"{read}, verified to line {upto}" if checked else f"{read}, read to line {upto}"
