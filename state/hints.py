"""Small files in the cache that tell what no line of the journal does: never relied on."""

import os
from collections.abc import Mapping
from typing import Any

import orjson

from state import files

LIMIT = 512


def leave(target: str, fields: Mapping[str, Any]) -> None:
    """Puts a hint in the place of an earlier one, or none where the cache can't be written."""
    scratch = f"{target}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        with open(scratch, "xb") as file:
            file.write(orjson.dumps(fields) + b"\n")
        os.rename(scratch, target)
    except OSError:
        if os.path.lexists(scratch):
            os.unlink(scratch)


def read(path: str) -> Mapping[str, Any] | None:
    """The fields of a hint, None where there is none that can be read."""
    try:
        fields = orjson.loads(files.read_whole(path, LIMIT))
    except (OSError, orjson.JSONDecodeError):
        return None
    return fields if isinstance(fields, dict) else None
