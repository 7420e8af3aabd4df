"""Notes of hooks that still stand, for a day: until a hook records, or its adapter changes (S15).

A host that goes on failing leaves one note a day, and no more.
"""

from datetime import timedelta
from typing import NamedTuple

from state.clock import parse, stamp
from state.index.view import View

# Nobody looks through more.
LIMIT = 100
LASTS = timedelta(days=1)


class Standing(NamedTuple):
    """A note in the line `rev`; `seat` is empty where none was named."""

    rev: int
    at: str
    host: str
    seat: str
    note: str
    event: str

    @property
    def said(self) -> str:
        """The host, and the word for what was wrong."""
        return f"{self.host} {self.note}"


# A note is over once a hook of that host and seat has recorded something since, and once the
# adapter was registered anew or taken back since.
_STANDING = """
    FROM hook_note n JOIN adapter a ON a.id='builtin:' || n.host AND a.rev<n.rev
    WHERE n.at>? AND NOT EXISTS (SELECT 1 FROM adapter_revoked r WHERE r.id=a.id AND r.rev>a.rev)
    AND NOT EXISTS (
        SELECT 1 FROM route_event e WHERE e.rev>n.rev AND e.host=n.host
        AND (n.seat='' OR e.seat=n.seat) AND json_extract(e.op, '$.source')='hook'
    )
"""


def standing(view: View, now: str) -> tuple[Standing, ...]:
    """The notes that still stand, newest first."""
    found = view.rows(
        f"SELECT n.rev, n.at, n.host, n.seat, n.note, n.event {_STANDING}",
        _since(now),
    )
    return tuple(Standing(*row) for row in sorted(found, reverse=True)[:LIMIT])


def stands(view: View, now: str, said: tuple[str, str, str, str]) -> bool:
    """Whether the very same note still stands: of this host, seat, word and event."""
    row = view.row(
        f"SELECT 1 {_STANDING} AND n.host=? AND n.seat=? AND n.note=? AND n.event=? LIMIT 1",
        *(_since(now), *said),
    )
    return row is not None


def _since(now: str) -> str:
    return stamp(parse(now) - LASTS)
