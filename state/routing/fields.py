"""What ids, names and hashes of hosts and adapters may look like: one short line each, or BadInput.

What is refused is never repeated in the message: it may be a text that nobody meant to show (S6).
"""

import re
from collections.abc import Iterable

from state import checks
from state.errors import BadInput
from state.routing.operations import Locator

UNRESOLVED = "unresolved"
PATH_LIMIT = 1000

_SHA256 = re.compile(r"[0-9a-f]{64}")
# A name: of a skill, a host, an adapter, an event, a session.
_LABEL = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,120}")


def label(value: object, field: str) -> str:
    """A name of 1 to 120 characters in one line."""
    return _matching(_LABEL, value, field, "1 to 120 characters in one line")


def label_or_none(value: object, field: str) -> str | None:
    return None if value is None else label(value, field)


def sha256(value: object, field: str) -> str:
    """64 lower-case hex digits."""
    return _matching(_SHA256, value, field, "64 lower-case hex digits")


def skill_sha256(value: object, field: str) -> str:
    """S11: that of the one SKILL.md, or `unresolved`."""
    return UNRESOLVED if value == UNRESOLVED else sha256(value, field)


def seat(value: object, field: str) -> str:
    """What can be a seat; whether there is one is decided later."""
    return _matching(checks.SEAT_ID, value, field, "a seat's id")


def one_of(known: Iterable[str], value: object, field: str) -> str:
    """A word of a closed list."""
    for word in known:
        if word == value:
            return word
    raise BadInput(f"{field} is none of the words that it may be", ", ".join(known), field=field)


def path(value: object, field: str) -> str:
    """The absolute path of a file."""
    given = checks.text(value, field)
    if not given.startswith("/") or "\0" in given or len(given) > PATH_LIMIT:
        hint = f"an absolute path of at most {PATH_LIMIT:,} characters"
        raise BadInput(f"{field} can't be the path of a file", hint, field=field)
    return given


def locator(found: Locator) -> None:
    """Where evidence stands: ids, a place, a hash."""
    for name in ("session", "agent", "event", "tool_use"):
        label_or_none(getattr(found, name), name)
    if found.file is not None:
        path(found.file, "file")
    if found.offset is not None:
        checks.revision(found.offset, "offset")
    if found.sha256 is not None:
        sha256(found.sha256, "sha256")


def _matching(pattern: re.Pattern[str], value: object, field: str, hint: str) -> str:
    given = checks.text(value, field)
    if not pattern.fullmatch(given):
        raise BadInput(f"{field} has not the form that it must have", hint, field=field)
    return given
