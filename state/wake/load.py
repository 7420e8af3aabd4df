"""From the rows of the index to what decisions are given."""

from typing import Any

from state.clock import Moment
from state.command import USER
from state.errors import Refused
from state.index.view import View
from state.roster import queries as roster
from state.roster.queries import Seat
from state.wake import policy as policies
from state.wake.model import OPEN, Intent, Lease, SeatWake, Waiting, Window

# As many as the widest quota can count in an hour (W28).
GRANTS = 60


def seat_wake(view: View, seat: str) -> SeatWake:
    """One agent seat. NotFound for no seat, Refused for the user's (W6)."""
    found = roster.get(view, seat)
    if found.kind == USER:
        raise Refused("W6", "only agent seats have policies and windows", "name an agent's seat")
    return of_seat(view, found)


def of_seat(view: View, seat: Seat) -> SeatWake:
    """One agent seat whose roster row is known."""
    row = view.row("SELECT text, hash, enabled, window FROM policy WHERE seat=?", seat.seat)
    text, digest, enabled, number = row or (None, "", 0, None)
    policy = None if text is None else policies.stored(text)
    window = None if number is None else _window(view, number)
    pinned = window.adapter if window is not None and window.state != "closed" else None
    if window is None or window.state == "closed":
        pinned = None if policy is None else policy.adapter_id
    return SeatWake(
        project=view.head.project,
        seat=seat.seat,
        is_active=seat.status == "active",
        away_until=None if seat.away is None else seat.away.until,
        cursor=seat.cursor,
        policy=policy,
        policy_hash=digest,
        enabled=bool(enabled),
        policy_revision=view.revision(f"policy:{seat.seat}"),
        window_revision=view.revision(f"window:{seat.seat}"),
        window=window,
        intents=() if window is None else _intents(view, seat.seat, window.number),
        waiting=_waiting(view, seat.seat),
        passed=() if window is None else _passed(view, window.number),
        lease=_lease(view, seat.seat),
        ended=_ended(view, seat.seat),
        grants=_grants(view, seat.seat),
        registered=None if pinned is None else _registered(view, pinned),
    )


def seats_with_policy(view: View) -> tuple[str, ...]:
    """Seats that a policy was ever set for, in the order in which they joined."""
    return _joined(view, "SELECT s.number, s.id FROM policy p JOIN seat s ON s.id=p.seat")


def seats_with_open_window(view: View) -> tuple[str, ...]:
    """Seats whose window isn't closed, in the order in which they joined."""
    return _joined(view, f"SELECT s.number, s.id {_OPEN_WINDOWS}")


def pinned_adapters(view: View) -> tuple[str, ...]:
    """Adapters that open windows name."""
    found = view.rows(f"SELECT w.adapter {_OPEN_WINDOWS} AND w.adapter IS NOT NULL")
    return tuple(sorted({row[0] for row in found}))


_OPEN_WINDOWS = (
    "FROM policy p JOIN window w ON w.number=p.window JOIN seat s ON s.id=p.seat"
    " WHERE w.state!='closed'"
)


def _joined(view: View, sql: str) -> tuple[str, ...]:
    """Seats by the number with which they joined."""
    return tuple(seat for _, seat in sorted(view.rows(sql)))


def _window(view: View, number: int) -> Window | None:
    row = view.row(
        "SELECT number, state, reason, origin, cause, policy, hash, adapter, fingerprint, baseline,"
        " through, quiet, wakes, armed_utc, armed_boot, armed_ms, counted_utc, counted_boot,"
        " counted_ms FROM window WHERE number=?",
        number,
    )
    if row is None:
        return None
    return Window(
        number=row[0],
        state=row[1],
        reason=row[2] or "",
        origin=row[3] or "",
        cause=row[4] or "",
        policy=policies.stored(row[5]),
        hash=row[6],
        adapter=row[7],
        fingerprint=row[8],
        baseline=row[9],
        through=row[10],
        quiet=row[11],
        wakes=row[12],
        armed=Moment(*row[13:16]),
        counted=Moment(*row[16:19]),
    )


def _intents(view: View, seat: str, window: int) -> tuple[Intent, ...]:
    found = view.rows(
        "SELECT message, state, attempts, reason, at FROM intent WHERE window=? AND seat=?"
        " ORDER BY message",
        window,
        seat,
    )
    return tuple(
        Intent(message, state, attempts, reason or "", at)
        for message, state, attempts, reason, at in found
    )


def _waiting(view: View, seat: str) -> tuple[Waiting, ...]:
    # Claimed ones too: the time may have ended their lease, and no line says so yet.
    marks = ",".join("?" * len(OPEN))
    found = view.rows(
        "SELECT i.message, m.sender=i.seat, m.hops,"
        " EXISTS (SELECT 1 FROM reply r WHERE r.parent=i.message AND r.sender=i.seat)"
        " FROM intent i JOIN message m ON m.id=i.message"
        f" WHERE i.seat=? AND i.state IN ({marks}) ORDER BY i.message",
        seat,
        *sorted(OPEN),
    )
    return tuple(Waiting(message, bool(own), hops, bool(ans)) for message, own, hops, ans in found)


def _passed(view: View, window: int) -> tuple[tuple[str, int], ...]:
    found = view.rows(
        "SELECT reason, count(*) FROM passed WHERE number=? GROUP BY reason ORDER BY reason", window
    )
    return tuple((reason, count) for reason, count in found)


def _lease(view: View, seat: str) -> Lease | None:
    row = view.row(
        "SELECT id, message, attempt, consumer, fingerprint, rev, granted_utc, granted_boot,"
        " granted_ms, since_utc, since_boot, since_ms, run_ms FROM lease"
        " WHERE seat=? AND over IS NULL ORDER BY rev DESC LIMIT 1",
        seat,
    )
    return None if row is None else lease_of(row)


def lease_of(row: tuple[Any, ...]) -> Lease:
    """A lease from its id, message, attempt, consumer, fingerprint, rev, moments and `run_ms`."""
    return Lease(
        lease=row[0],
        message=row[1],
        attempt=row[2],
        consumer=row[3],
        fingerprint=row[4],
        rev=row[5],
        granted=Moment(*row[6:9]),
        since=Moment(*row[9:12]),
        run_ms=row[12],
    )


def _ended(view: View, seat: str) -> Moment | None:
    row = view.row(
        "SELECT over_utc, over_boot, over_ms FROM lease WHERE seat=? AND over IS NOT NULL"
        " ORDER BY over_rev DESC LIMIT 1",
        seat,
    )
    return None if row is None else Moment(*row)


def _grants(view: View, seat: str) -> tuple[Moment, ...]:
    found = view.rows(
        "SELECT granted_utc, granted_boot, granted_ms FROM lease WHERE seat=?"
        " ORDER BY rev DESC LIMIT ?",
        seat,
        GRANTS,
    )
    return tuple(Moment(*row) for row in found)


def _registered(view: View, adapter: str) -> str | None:
    from state.adapters.queries import registered

    found = registered(view, adapter)
    return None if found is None else found.fingerprint
