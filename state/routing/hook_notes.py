"""Notes of hooks that still stand: until a hook records again, or its adapter changes (S15)."""

from state.index.view import View
from state.routing.queries import HookNote

# Nobody looks through more.
LIMIT = 100

# A note is over once a hook of that host and seat has recorded something since, and once the
# adapter was registered anew or taken back since.
_STANDING = """
    FROM hook_note n JOIN adapter a ON a.id='builtin:' || n.host AND a.rev<n.rev
    WHERE NOT EXISTS (SELECT 1 FROM adapter_revoked r WHERE r.id=a.id AND r.rev>a.rev)
    AND NOT EXISTS (
        SELECT 1 FROM route_event e WHERE e.rev>n.rev AND e.host=n.host
        AND (n.seat='' OR e.seat=n.seat) AND json_extract(e.op, '$.source')='hook'
    )
"""


def standing(view: View) -> tuple[HookNote, ...]:
    """The notes that still stand, newest first."""
    found = view.rows(
        "SELECT n.rev, n.at, n.host, n.seat, n.note, n.event"
        f" {_STANDING} ORDER BY n.rev DESC, n.n DESC LIMIT {LIMIT}"
    )
    return tuple(HookNote(*row) for row in found)


def stands(view: View, host: str, seat: str, note: str, event: str) -> bool:
    """Whether the very same note still stands."""
    row = view.row(
        f"SELECT 1 {_STANDING} AND n.host=? AND n.seat=? AND n.note=? AND n.event=? LIMIT 1",
        *(host, seat, note, event),
    )
    return row is not None
