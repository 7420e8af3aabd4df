"""The hint of when a seat's window was last scanned: in the cache, no part of the journal (W31)."""

from state import hints
from state.clock import TIMESTAMP, Moment
from state.paths import Paths


def leave(paths: Paths, seat: str, now: Moment) -> None:
    """Notes a scan."""
    hints.leave(paths.scanned(seat), {"utc": now.utc, "boot": now.boot, "ms": now.ms})


def read(paths: Paths, seat: str) -> Moment | None:
    """The last scan, None when it isn't known."""
    fields = hints.read(paths.scanned(seat))
    if fields is None:
        return None
    utc, boot, ms = fields.get("utc"), fields.get("boot"), fields.get("ms")
    if not isinstance(utc, str) or not TIMESTAMP.fullmatch(utc):
        return None
    if isinstance(boot, str) and type(ms) is int:
        return Moment(utc, boot, ms)
    return Moment(utc)
