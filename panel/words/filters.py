"""What the panel says about narrowing a list and looking for text."""

from __future__ import annotations

from collections.abc import Iterable

QUEUE_HELP = "seat: from: kind: state: since: until:   as in  from:hermes kind:task since:2h"
JOURNAL_HELP = "seat: op: via: since: until:   as in  seat:codex op:task_done"
FIND_HELP = "words in titles and texts; a capital letter makes capitals count"
GOTO_HELP = "a number, as in 1284"
FILTER = "filter"
FIND = "find"
GOTO = "go to #"
NOTHING_TO_FIND = "type the words to look for"
NOT_A_NUMBER = "a number is needed, as in 1284"


def is_no_filter(word: str) -> str:
    """A word without a name before it."""
    return f"{word} has no name before it, as in kind:task"


def no_such_name(name: str, names: Iterable[str]) -> str:
    """A name that nothing can be filtered by."""
    return f"{name}: can't be filtered by; there are {', '.join(f'{one}:' for one in names)}"


def twice(name: str) -> str:
    """The same question twice."""
    return f"{name}: is given twice"


def no_value(name: str) -> str:
    """A name without what it should be."""
    return f"{name}: needs something after it"


def no_such_value(name: str, value: str, values: Iterable[str]) -> str:
    """A value that can't be."""
    return f"{name}:{value} is not known; there are {', '.join(values)}"


def no_such_seat(value: str) -> str:
    """A seat that never was."""
    return f"there is no seat {value}"


def no_time(value: str) -> str:
    """A time that isn't one."""
    return f"{value} is no time: as in 30m, 2h, 3d, 10:30, 2026-11-30 or 2026-11-30T10:30"
