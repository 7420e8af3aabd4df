"""FORMAT: which format and which project this is. One line, written once, never changed."""

import os
import re
from hashlib import sha256
from typing import NamedTuple

import orjson

from state import files
from state.clock import TIMESTAMP
from state.errors import Damaged, Refused
from state.journal.line import editors_trace, newer
from state.journal.place import open_plain, reading
from state.paths import Paths

NAME = "sublation-panel"
VERSION = 1
LIMIT = 4096

# The exact bytes, so that no second key of the same name and no other reading is possible.
_LINE = re.compile(
    rb'\{"format":"sublation-panel","version":1,'
    rb'"project":"([0-9a-f]{32})","created":"([^"\\]{32})"\}\n'
)


class Identity(NamedTuple):
    """The project's first id, and the sha256 of FORMAT, to which line 1 chains."""

    project: str
    hash: str


def encode(project: str, created: str) -> bytes:
    """The bytes of FORMAT."""
    stated = {"format": NAME, "version": VERSION, "project": project, "created": created}
    return orjson.dumps(stated) + b"\n"


def read(paths: Paths) -> Identity:
    """What FORMAT says. Damaged when it isn't exactly of its form, NewerFormat by its version."""
    with reading(paths.format):
        fd = open_plain(paths.format)
        try:
            raw = files.pread_exact(fd, LIMIT, 0)
        finally:
            os.close(fd)
    found = _LINE.fullmatch(raw)
    if found is None or TIMESTAMP.fullmatch(found[2].decode("ascii", "replace")) is None:
        raise _misfit(raw)
    return Identity(found[1].decode(), sha256(raw).hexdigest())


def _misfit(raw: bytes) -> Damaged | Refused:
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError:
        fields = None
    version = fields.get("version") if isinstance(fields, dict) else None
    if type(version) is int and isinstance(fields, dict) and fields.get("format") == NAME:
        if version > VERSION:
            raise newer(None, f"format version {version}")
        if version < VERSION:
            return Refused(
                None,
                f"format version {version} is older than any that this program can open",
                "open it with the program that wrote it",
            )
    return Damaged(
        f"FORMAT is not as it was written when the project was created{editors_trace(raw)}",
        "put the original file back: line 1 of the log holds its sha256",
    )
