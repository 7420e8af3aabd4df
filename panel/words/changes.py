"""What a change of the roster would do, in words that continue "your change: …"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from panel.words import signs


def in_words(command: Any) -> str:
    """A command of the roster in words, with everything that the person typed for it."""
    say = _WORDS.get(command.OP)
    return command.OP if say is None else say(command)


def _add(command: Any) -> str:
    called = "" if command.name == command.seat else f", called {command.name}"
    labels = _labels(command)
    return f"add {signs.seat(command.seat)}{called}{f' ({labels})' if labels else ''}"


def _change(command: Any) -> str:
    return f"label {signs.seat(command.seat)}: {_labels(command) or 'no host, no roles'}"


def _labels(command: Any) -> str:
    parts = [f"host {command.host}"] if command.host else []
    if command.roles:
        parts.append(f"roles {', '.join(command.roles)}")
    return ", ".join(parts)


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "seat_added": _add,
    "seat_changed": _change,
    "seat_hidden": lambda command: f"hide {signs.seat(command.seat)}",
    "seat_shown": lambda command: f"show {signs.seat(command.seat)} again",
    "seat_renamed": lambda command: f"rename {signs.seat(command.seat)} to {command.name}",
    "seat_deactivated": lambda command: f"deactivate {signs.seat(command.seat)}: {command.reason}",
    "seat_restored": lambda command: f"restore {signs.seat(command.seat)}",
}
