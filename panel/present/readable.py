"""Texts that are JSON, as tools write them to each other, in lines that a person can read. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import orjson

__all__ = ["readable"]

INDENT = "  "
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")
# Deeper than this a text is shown as it stands: nobody reads it either way.
_DEPTH_LIMIT = 32


def readable(text: str) -> str:
    """The text; where it is a JSON object or list, its fields a line each, `type` first.

    What it says stays whole: names are put apart at their humps, values stand as they are.
    """
    stripped = text.strip()
    if stripped[:1] not in ("{", "[") or stripped[-1:] not in ("}", "]"):
        return text
    try:
        value = orjson.loads(stripped)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return text
    if not value or _depth(value) > _DEPTH_LIMIT:
        return text
    return "\n".join(_lines(value))


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key in sorted(value, key=lambda name: name != "type"):
            yield from _entry(f"{_HUMP.sub(' ', key).lower().strip() or key}:", value[key])
    elif isinstance(value, list):
        for part in value:
            yield from _entry("-", part)
    else:
        yield _scalar(value)


def _entry(label: str, value: Any) -> Iterator[str]:
    """A label and its value: beside it if that is one line, else below it."""
    lines = list(_lines(value)) if isinstance(value, dict | list) else _scalar(value).split("\n")
    if not lines or (len(lines) == 1 and not isinstance(value, dict | list)):
        yield f"{label} {lines[0] if lines else 'none'}".rstrip()
        return
    yield label
    for line in lines:
        yield f"{INDENT}{line}".rstrip()


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return value
    # By identity: 1 equals true.
    for known, word in ((None, "none"), (True, "yes"), (False, "no")):
        if value is known:
            return word
    return orjson.dumps(value).decode()


def _depth(value: Any) -> int:
    """How deep lists and objects stand in each other, counted without recursion."""
    level, depth = [value], 0
    while level:
        depth += 1
        inner: list[Any] = []
        for part in level:
            parts = part.values() if isinstance(part, dict) else part
            inner += [one for one in parts if isinstance(one, dict | list)]
        level = inner
    return depth
