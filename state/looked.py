"""The hint of when a seat last read its own queue: kept in the cache, no part of the journal."""

from collections.abc import Mapping
from typing import NamedTuple

from state import hints
from state.clock import TIMESTAMP
from state.paths import Paths


class Look(NamedTuple):
    """A seat's last look: when, and which revision it could see then."""

    at: str
    rev: int


def leave(paths: Paths, seat: str, look: Look) -> None:
    """Notes a look."""
    hints.leave(paths.looked(seat), {"at": look.at, "rev": look.rev})


def read(paths: Paths, seat: str) -> Look | None:
    """The seat's last look, None when it isn't known."""
    fields = hints.read(paths.looked(seat))
    if fields is None:
        return None
    at, rev = fields.get("at"), fields.get("rev")
    if not isinstance(at, str) or not TIMESTAMP.fullmatch(at) or type(rev) is not int:
        return None
    return Look(at, rev)


def read_all(paths: Paths, seats: tuple[str, ...]) -> Mapping[str, Look]:
    """The last looks that are known, by seat."""
    found = {seat: read(paths, seat) for seat in seats}
    return {seat: look for seat, look in found.items() if look is not None}
