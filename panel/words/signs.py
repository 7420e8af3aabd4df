"""A sign and a word for everything that has a state; colour only repeats them.

Signs are one cell wide in every terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

USER_SEAT = "user"
USER_SHOWN = "you"
# What the program writes by itself carries this seat (M13).
SYSTEM_SEAT = "system"
# Between a name and what is said of it.
BESIDE = " · "
# Between who wrote and whom it is for.
TO = " → "


class Sign(NamedTuple):
    """How a state is shown; `style` is the program's."""

    sign: str
    word: str
    style: str = ""

    def __str__(self) -> str:
        return f"{self.sign} {self.word}"


KINDS: Mapping[str, Sign] = {
    "note": Sign("·", "note"),
    "question": Sign("?", "question", "$text-warning"),
    "task": Sign("☐", "task", "$text-accent"),
    "reply": Sign("↩", "reply"),
    "result": Sign("=", "result", "$text-secondary"),
}
TASK_STATES: Mapping[str, Sign] = {
    "open": Sign("☐", "open", "$text-warning"),
    "accepted": Sign("◧", "accepted", "$text-accent"),
    "done": Sign("☑", "done", "$text-success"),
    "declined": Sign("☒", "declined", "$text-error"),
    "cancelled": Sign("⊘", "cancelled", "$text-muted"),
}
UNREAD = Sign("•", "unread", "$text-primary")
URGENT = Sign("!", "urgent", "$text-error")
REPLIES = Sign("↩", "replies")
IMPORTED = Sign("↓", "imported", "$text-muted")


def kind(name: str) -> Sign:
    """The sign of a kind of message; a kind that is not known is shown by its own name."""
    return KINDS.get(name) or Sign("·", name)


def task_state(name: str) -> Sign:
    """The sign of a state of a task; one that is not known is shown by its own name."""
    return TASK_STATES.get(name) or Sign("·", name)


def seat(name: str) -> str:
    """What a seat is called: the user seat is the person in front of the screen."""
    return USER_SHOWN if name == USER_SEAT else name


def whose(name: str) -> str:
    """What belongs to a seat."""
    return "your" if name == USER_SEAT else f"{name}'s"


def seats(names: tuple[str, ...], most: int | None = None) -> str:
    """Seats with commas, from the second on at most `most` by name."""
    shown = [seat(name) for name in names]
    if most is not None and len(shown) > most:
        return f"{', '.join(shown[:most])} +{len(shown) - most}"
    return ", ".join(shown)


def count(number: int, what: str) -> str:
    """How many of something, as in "1 message" or "2,000 messages"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
