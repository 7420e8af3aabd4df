"""The elements of a JSON array one after the other, each with the text it stands as."""

import json
import re
from collections.abc import Iterator
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")


def _no_number(digits: str) -> None:
    """No number of another tool is needed, and one of ten thousand digits would be an error."""


_DECODER = json.JSONDecoder(parse_int=_no_number, parse_float=_no_number, parse_constant=_no_number)


def whole(text: str) -> Any:
    """One JSON value; numbers in it read as None. ValueError for anything else."""
    value, end = _decoded(text, _skipped(text, 0))
    if _skipped(text, end) != len(text):
        raise ValueError(f"something follows the end at character {end}")
    return value


def elements(text: str) -> Iterator[tuple[Any, str]]:
    """Each element of an array, and the text that it was made of.

    ValueError where the text is no array, or stops being one: what came before was whole.
    """
    at = _skipped(text, 0)
    if text[at : at + 1] != "[":
        raise ValueError("not a list")
    at = _skipped(text, at + 1)
    if text[at : at + 1] == "]":
        return
    while True:
        value, end = _decoded(text, at)
        yield value, text[at:end]
        at = _skipped(text, end)
        if text[at : at + 1] != ",":
            break
        at = _skipped(text, at + 1)
    if text[at : at + 1] != "]" or _skipped(text, at + 1) != len(text):
        raise ValueError(f"no list any more from character {at} on")


def _decoded(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON at character {error.pos}: {error.msg}") from error
    except RecursionError as error:
        raise ValueError(f"nested too deeply from character {at} on") from error


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
