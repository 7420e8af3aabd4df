"""Seats as text for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from panel.cli import output
from panel.neutral import plain
from panel.present import ages
from panel.words import seats as words
from panel.words import signs
from panel.words.windows import WINDOWS
from state.clock import stamp
from state.looked import Look
from state.overview import Overview
from state.roster.decide import is_away
from state.roster.queries import Seat


def table(seen: Overview, now: datetime, *, everyone: bool) -> Iterator[str]:
    """The seats that are not hidden, or all there ever were; how many are hidden always (R6)."""
    listed = [seat for seat in seen.seats if everyone or seat.visibility == "visible"]
    title = f"{len(listed)}"
    if seen.hidden_seats:
        title += f" · {seen.hidden_seats} hidden with {seen.hidden_unread:,} unread"
    yield output.heading(f"Seats ({title})")
    heads = (words.SEAT, words.UNREAD, words.TASKS, words.WINDOW, words.LOOKED, "host", "roles", "")
    rows = [_row(seat, seen.looks.get(seat.seat), now) for seat in listed]
    yield from output.table(heads, rows, right=(1, 2))


def _row(seat: Seat, look: Look | None, now: datetime) -> tuple[str, ...]:
    called = signs.seat(seat.seat)
    name = "" if seat.name in (seat.seat, called) else f" ({seat.name})"
    return (
        f"{called}{name}",
        ages.number(seat.unread),
        ages.number(seat.open_tasks),
        _window(seat),
        _looked(seat, look, now),
        seat.host or words.NONE,
        ", ".join(seat.roles) or words.NONE,
        ", ".join(part for part in (_standing(seat), _away(seat, now)) if part),
    )


def details(seat: Seat, look: Look | None, now: datetime, history: Sequence[str]) -> Iterator[str]:
    """Everything about one seat, and what happened to it."""
    yield output.heading(plain(f"{signs.seat(seat.seat)} · {seat.name}"))
    due = "" if seat.next_due is None else f"#{seat.next_due}"
    rows = (
        ("", f"{words.KINDS[seat.kind]}, {_standing(seat) or 'active'}, {words.MODES[seat.mode]}"),
        ("host", seat.host or words.NONE),
        ("roles", ", ".join(seat.roles) or words.NONE),
        (words.QUEUE, words.queue(seat.unread, due)),
        ("cursor", f"#{seat.cursor}"),
        (words.TASKS, words.tasks(seat.open_tasks)),
        (words.WINDOW, _window(seat)),
        (words.LOOKED, _looked(seat, look, now)),
        (words.AWAY, _away(seat, now) or "no"),
        (words.JOINED, words.joined(seat.joined)),
    )
    yield from (f"  {label:8}{plain(value)}" for label, value in rows)
    yield ""
    yield from (f"  {plain(event)}" for event in history)


def _standing(seat: Seat) -> str:
    return words.STANDING[seat.status, seat.visibility]


def _window(seat: Seat) -> str:
    return words.NONE if seat.window is None else WINDOWS.get(seat.window, seat.window)


def _looked(seat: Seat, look: Look | None, now: datetime) -> str:
    """The seat's last look at its own queue; the user's own leaves no trace."""
    if seat.kind == "user":
        return words.NONE
    return words.NOT_KNOWN if look is None else ages.age(look.at, now)


def _away(seat: Seat, now: datetime) -> str:
    if seat.away is None:
        return ""
    said = words.away if is_away(seat, stamp(now)) else words.away_over
    until, by = ages.clock(seat.away.until, now), signs.seat(seat.away.by)
    return f"{words.AWAY} {said(until, by, seat.away.reason)}"
