"""JSON as strictly as it can be read: each key once, whole numbers only, bounded size and depth."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from state.errors import BadInput

# A number with more digits is none that any reader of this project takes.
LONGEST = 24


class _NotWhole(str):
    """The digits of a number that is not whole, or has far too many of them."""


class Finding(NamedTuple):
    """Something that JSON readers take in different ways: the field, what, and what to do."""

    field: str
    what: str
    hint: str


def parsed(raw: bytes, limit: int, depth: int) -> tuple[Any, list[Finding]]:
    """The value of at most `limit` bytes and `depth` levels, and what no strict reader would take.

    BadInput where there is no value: too long, too deep, not UTF-8, not JSON.
    """
    if len(raw) > limit:
        raise BadInput(f"it has more than {limit:,} bytes", "say less")
    text = _text(raw)
    found: list[Finding] = []

    def pairs(given: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in given:
            if key in made:
                found.append(Finding(key, "the key stands twice in one object", "keep one"))
            made[key] = value
        return made

    def whole(digits: str) -> object:
        return int(digits) if len(digits) < LONGEST else _NotWhole(digits)

    try:
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_float=_NotWhole,
            parse_constant=_NotWhole,
            parse_int=whole,
        )
    except json.JSONDecodeError as error:
        raise BadInput(
            f"it is not JSON: {error.msg} (line {error.lineno}, column {error.colno})",
            "write one JSON object",
        ) from error
    except RecursionError as error:
        raise _too_deep(depth) from error
    if _is_deeper(value, depth):
        raise _too_deep(depth)
    found += _not_whole(value, "")
    return value, found


def _text(raw: bytes) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        raise BadInput("it begins with a byte order mark", "save it as UTF-8 without one")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"it is not UTF-8 at offset {error.start}", "save it as UTF-8") from error


def _not_whole(value: object, field: str) -> Iterator[Finding]:
    if isinstance(value, _NotWhole):
        shown = value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
        yield Finding(field, f"{shown} is no whole number", "write whole numbers only")
    inside = value.items() if isinstance(value, dict) else ()
    for key, inner in enumerate(value) if isinstance(value, list) else inside:
        yield from _not_whole(inner, f"{field}.{key}" if field else str(key))


def _is_deeper(value: object, depth: int) -> bool:
    level = [value]
    for _ in range(depth + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return bool(level)


def _too_deep(depth: int) -> BadInput:
    return BadInput(f"it is nested deeper than {depth} levels", "write it flat")
