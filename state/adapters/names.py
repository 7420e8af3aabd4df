"""File names as text that can be stored: UTF-8, each other byte as `\\xNN`, `\\` doubled."""

import os
import re

_SPELT = re.compile(rb"\\(?:\\|x([0-9a-f]{2}))")


def stored(path: str) -> str:
    """A path of the system as text for the journal; `from_stored` gives it back."""
    return os.fsencode(path).replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


def from_stored(text: str) -> str:
    """The path of the system that was stored."""
    return os.fsdecode(_SPELT.sub(_byte, text.encode()))


def _byte(found: re.Match[bytes]) -> bytes:
    return b"\\" if found[1] is None else bytes([int(found[1], 16)])
