"""What the panel says about seats."""

from __future__ import annotations

from collections.abc import Mapping

# By status and visibility (R16): what stands beside the name, empty for what is usual.
STANDING: Mapping[tuple[str, str], str] = {
    ("active", "visible"): "",
    ("active", "hidden"): "hidden",
    ("inactive", "visible"): "inactive",
    ("inactive", "hidden"): "inactive, hidden",
}
KINDS: Mapping[str, str] = {"user": "the person", "agent": "agent"}
MODES: Mapping[str, str] = {"queue_only": "queue only", "wake_enabled": "wake enabled"}
NONE = "—"
NOT_KNOWN = "not known"
AWAY = "away"
SKILLS = "skills"

SEAT = "seat"
UNREAD = "unread"
TASKS = "tasks"
WINDOW = "window"
INTENTS = "intents"
LOOKED = "looked"
NAME = "name"
QUEUE = "queue"
LABELS = "labels"
JOINED = "joined"
SHOWN = "shown"
NO_LABELS = "no host, no roles"
NO_TASKS = "none open or accepted"
NO_SEAT = "No seat is chosen."


def no_agents(menu: str, add: str) -> str:
    """A project without an agent, and the two keys that take one in."""
    return (
        f"Only you are seated. Press {menu}, then {add}, to take an agent in; it then joins by"
        " command line:\nSUBLATION_SEAT=codex sublation-panel inbox"
    )


def title(seats: int, hidden: int, unread: int, inactive: int) -> str:
    """Over the table: how many there are, always with those that are hidden (R6)."""
    parts = [f"{seats}"]
    if hidden:
        parts.append(f"{hidden} hidden with {unread} unread")
    if inactive:
        parts.append(f"{inactive} inactive")
    return f"Seats ({' · '.join(parts)})"


def queue(unread: int, next_due: str) -> str:
    """What is after the seat's cursor, and which of it comes first."""
    return f"{unread:,} unread, next {next_due}" if next_due else f"{unread:,} unread"


def tasks(count: int) -> str:
    """How many tasks are open or accepted."""
    return f"{count:,} open or accepted" if count else NO_TASKS


def more(count: int) -> str:
    """What has no room."""
    return f"and {count:,} more"


def host(name: str) -> str:
    """The label that names a program."""
    return f"host {name}"


def roles(names: str) -> str:
    """The labels that name what a seat is for."""
    return f"roles {names}"


def away(until: str, by: str, reason: str) -> str:
    """M15: until when, who said so and why."""
    return f"until {until}, said by {by}: {reason}"


def away_over(until: str, by: str, reason: str) -> str:
    """M15: a mark whose time has come."""
    return f"was until {until}, said by {by}: {reason}"


def joined(rev: int) -> str:
    """The line with which the seat joined, or was restored."""
    return f"with line {rev:,}"
