"""The hint of when a seat last read its own queue: kept in the cache, no part of the journal."""

import os
from collections.abc import Mapping
from typing import NamedTuple

import orjson

from state import files
from state.clock import TIMESTAMP
from state.paths import Paths

LIMIT = 512


class Look(NamedTuple):
    """A seat's last look: when, and which revision it could see then."""

    at: str
    rev: int


def leave(paths: Paths, seat: str, look: Look) -> None:
    """Notes a look. A hint only: where the cache can't be written there is none."""
    target = paths.looked(seat)
    scratch = f"{target}.{os.getpid()}.{os.urandom(4).hex()}"
    data = orjson.dumps({"at": look.at, "rev": look.rev}) + b"\n"
    try:
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        with open(scratch, "xb") as file:
            file.write(data)
        os.rename(scratch, target)
    except OSError:
        if os.path.lexists(scratch):
            os.unlink(scratch)


def read(paths: Paths, seat: str) -> Look | None:
    """The seat's last look, None when it isn't known."""
    try:
        fields = orjson.loads(files.read_whole(paths.looked(seat), LIMIT))
        look = Look(fields["at"], fields["rev"])
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return None
    known = isinstance(fields["at"], str) and TIMESTAMP.fullmatch(fields["at"])
    return look if known and type(fields["rev"]) is int else None


def read_all(paths: Paths, seats: tuple[str, ...]) -> Mapping[str, Look]:
    """The last looks that are known, by seat."""
    found = {seat: read(paths, seat) for seat in seats}
    return {seat: look for seat, look in found.items() if look is not None}
