"""What the journal mode says: its list, one line as a whole, the check, a state of the past."""

from __future__ import annotations

from collections.abc import Mapping

EMPTY = "No line. A journal has at least one, so this can't be read."
READING = "reading…"
NOTHING_OPEN = "The line under the cursor is shown here: what it says, its hashes, its bytes."
LOOKING = "looking through the lines, the newest first…"
ALL_LINES = "All lines"
NEWEST_FIRST = "newest first"

SAYS = "it says"
AND = "and"
WRITTEN = "written"
IN_UTC = "in UTC"
CAME_BY = "came by"
RESTS_ON = "rests on"
PLACE = "place and hashes"
SEGMENT = "segment"
BYTES = "bytes"
HASH = "hash"
PREV = "prev"
SUM = "sum"
REQUEST = "request"
STORED = "as stored, indented"
NOT_KNOWN = "not known"
WAYS: Mapping[str, str] = {
    "tui": "tui, the panel",
    "tty": "tty, a command at a terminal",
    "cli": "cli, a command without a terminal",
    "hook": "hook, an event of a host",
    "import": "import, from another tool",
    "demo": "demo, the script of a demonstration",
}

VERIFYING = "Checking every line from the first on: its sum, its place in the chain, its fields"
VERIFY = "check of the whole chain"
STOPPED = "Stopped by you: the lines after that were not checked."
WHOLE = "Every line is as it was written, each follows from the one before, up to HEAD."
NOT_WHOLE = "Something is not as it was written:"
DOCTOR = "`sublation-panel doctor` says what can be done."

THE_PAST = "the past: nothing here can be changed"
SEAT = "seat"
UNREAD = "unread"
TASKS = "tasks"
CURSOR = "cursor"
STANDING = "standing"
BUILDING = "building the state as it was…"


def none_found(back: str) -> str:
    """The list that a filter has emptied, and the key that fills it again."""
    return f"No line is let through by this filter. Press {back} to take the filter away."


def lines(count: int) -> str:
    """How many there are."""
    return f"{count:,} line{'' if count == 1 else 's'}"


def filtered(text: str, found: int, share: str | None) -> str:
    """Which filter is on, and how far the looking has come."""
    at = "" if share is None else f", {share} looked through"
    return f"{lines(found)}{at} · {NEWEST_FIRST} · filter {text}"


def span(offset: int, size: int) -> str:
    """Where the bytes stand in their segment."""
    return f"{offset:,} to {offset + size:,}"


def checked(upto: int, of: int, share: str) -> str:
    """How far the check has come."""
    return f"{upto:,} of {of:,} lines, {share}"


def sound(count: int) -> str:
    """How many lines were checked and found sound."""
    return f"{lines(count)} checked and sound"


def finding(code: str, rev: int | None, what: str) -> str:
    """One thing that is not as it should be."""
    return f"{code}{'' if rev is None else f' at line {rev:,}'}: {what}"


def no_line(number: int) -> str:
    """There is no line of this number."""
    return f"there is no line r{number}"


def as_it_was(rev: int, when: str) -> str:
    """Over the state of the past."""
    return f"The state as it was after line r{rev}, {when}"


def building(upto: int, of: int, share: str) -> str:
    """How far the state of the past was built."""
    return f"building the state as it was: line {upto:,} of {of:,}, {share}"


def messages_then(count: int, roster: int) -> str:
    """What there was besides the seats."""
    return f"{count:,} message{'' if count == 1 else 's'}, roster r{roster}"


NO_LINE = "no line is under the cursor"
COPIED_LINE = "the stored bytes of the line"
