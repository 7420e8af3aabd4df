"""What went wrong, on standard error: one line and a hint, or an object with `--json`."""

from __future__ import annotations

import sys
from typing import Any

from panel.cli.output import encoded
from panel.neutral import plain
from state.errors import ClaimRefused, Refused, RevisionConflict, StateError

PROGRAM = "sublation-panel"
MOST_EVENTS = 5
# An argument may be as long as the system allows; what is said of it is a line.
LONGEST = 2_000


def say(error: StateError, *, as_json: bool) -> None:
    """Writes the error; a terminal gets visible text only (M9)."""
    message = _shortened(error.message)
    if as_json:
        _write(encoded({"error": _storable(error.as_dict() | {"message": message})}))
        return
    rule = f" [{error.rule}]" if isinstance(error, Refused) and error.rule else ""
    _write(f"{PROGRAM}: {plain(message)}{rule}")
    since = _since(error) if isinstance(error, RevisionConflict) else ""
    hint = since + error.hint
    if isinstance(error, ClaimRefused) and error.retry_after is not None:
        hint = f"in {error.retry_after} s; {hint}"
    if hint:
        _write(f"hint: {plain(hint)}")


def say_bug(error: BaseException, *, as_json: bool) -> None:
    """Writes what only a fault of the program can bring about."""
    message = f"a bug in this program: {type(error).__name__}: {error}"
    hint = "please report it, with what SUBLATION_DEBUG=1 before the command shows"
    if as_json:
        fields = {"code": "bug", "rule": None, "message": message, "hint": hint}
        _write(encoded({"error": _storable(fields)}))
    else:
        _write(f"{PROGRAM}: {plain(message)}\nhint: {hint}")


def note(text: str) -> None:
    """One line beside the answer: how far something is, what was taken for granted."""
    _write(plain(text))


def _shortened(text: str) -> str:
    """Both ends of a text that is too long: what was given, and what is wrong with it."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"


def _since(error: RevisionConflict) -> str:
    """What overtook the author, in words (R9)."""
    from panel.words import operations, signs

    said = [
        f"{signs.seat(event['by'])} {operations.in_words(event['op'], event['rev'])}"
        f" (r{event['rev']})"
        for event in error.since[-MOST_EVENTS:]
    ]
    rest = len(error.since) - len(said)
    if not said:
        return ""
    earlier = f"{rest} earlier changes, " if rest else ""
    return f"meanwhile {earlier}{', '.join(said)}; "


def _write(text: str) -> None:
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        # Nobody is there to be told; the exit status still says it.
        return


def _storable(value: Any) -> Any:
    """The same with each byte of a name that is no UTF-8 spelt out, so that JSON can hold it."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_storable(key): _storable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(part) for part in value]
    return value
