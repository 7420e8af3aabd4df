"""What the seat menu, its forms and its refusals say."""

from __future__ import annotations

from collections.abc import Mapping

from panel.words import signs

# By the names of `state.roster.actions`; two that are one key say what the key would do now.
ACTIONS: Mapping[str, tuple[str, str]] = {
    "add": ("add", "a new agent seat"),
    "labels": ("host and roles", "labels that are shown and grant nothing"),
    "hide": ("hide", "left out of tables, nothing else changes"),
    "show": ("show", "in tables again"),
    "rename": ("rename", "what is shown beside the id"),
    "away": ("away…", "not due until a time"),
    "back": ("back", "due again as usual"),
    "close": ("close queue", "unread and open are closed, never shown as answered"),
    "deactivate": ("deactivate", "out of the roster, nothing is removed"),
    "restore": ("restore", "in again, with an empty queue"),
}
# What was done at once, beside "saved": a row that went is missed otherwise.
DONE: Mapping[str, str] = {
    "hide": "{} is hidden",
    "show": "{} is shown again",
    "back": "{} is back",
    "restore": "{} is in again",
}
NO_SEAT = "no seat is chosen"

ID = "id"
NAME = "name"
HOST = "host"
ROLES = "roles"
REASON = "reason"
UNTIL = "until"
ID_HINT = "a-z, 0-9, . _ -; what the agent gives as SUBLATION_SEAT"
NAME_HINT = "as it is shown; empty: the id"
LABEL_HINT = "a label, grants nothing"
ROLES_HINT = "labels with commas between, grant nothing"
REASON_HINT = "stays in the journal"

ADD = "Add a seat"
ADD_INTRO = (
    "A new agent seat, queue only. It sees what is written from now on, and nothing is installed,"
    " started or called for it."
)
LABELS_INTRO = "Labels that are shown and grant nothing."
RENAME_INTRO = "The id stays what it is; only what is shown beside it changes."
AWAY_INTRO = "Until then it is not due. Its queue and tasks go on."


def menu(seat: str) -> str:
    """Over the menu."""
    return f"Seat: {seat}"


def labels(seat: str) -> str:
    """Over the form of host and roles."""
    return f"Host and roles of {seat}"


def rename(seat: str) -> str:
    """Over the form of the name."""
    return f"Rename {seat}"


def away(seat: str) -> str:
    """Over the form of being away."""
    return f"{seat} is away"


def close(seat: str) -> str:
    """Over the form that closes a queue."""
    return f"Close the queue of {seat}"


def close_intro(seat: str, unread: int, tasks: int) -> str:
    """R14: what closing does, in full."""
    return (
        f"{signs.count(unread, 'unread message')} will read as closed unread,"
        f" {signs.count(tasks, 'open or accepted task')} as cancelled, by you and with your reason;"
        f" their senders see that. {seat}'s cursor moves past them. This can't be undone."
    )


def deactivate(seat: str) -> str:
    """Over the form that deactivates."""
    return f"Deactivate {seat}"


def deactivate_intro(seat: str) -> str:
    """R5: what deactivating does."""
    return (
        f"{seat} can then neither post nor be written to. Its messages and tasks stay as they are,"
        " and it can be restored."
    )


def refused(seat: str) -> str:
    """Over what stands against a change."""
    return f"{seat} can't be deactivated"


def goes_there(key: str) -> str:
    """The key that leads to what stands against it."""
    return f"{key} goes there"


def against(kind: str, count: int, first: int | None) -> str:
    """R4: one thing that stands against it, and where it begins."""
    word = {"unread": "unread message", "tasks": "open or accepted task"}.get(kind, kind)
    where = "" if first is None else f", from #{first}"
    return f"{signs.count(count, word)}{where}"
