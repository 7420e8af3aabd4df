"""Wake windows, and the answers to "why", as rows. Pure: what ticks is worked out when painted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from textual.content import Content

from panel import safe_text
from panel.asks.wake_why import Why
from panel.present import ages, seats, windows
from panel.present.layout import MUTED
from panel.widgets.columns import Column
from panel.widgets.item_list import Item
from panel.widgets.pages import Row
from panel.words import messages, signs
from panel.words import wake as reasons
from panel.words import wake_mode as words
from panel.words import windows as said
from state.clock import Moment
from state.overview import Overview
from state.roster.queries import Seat
from state.wake.explain import Explained
from state.wake.policy import Policy
from state.wake.shown import Shown, ShownWindow


class Looked(NamedTuple):
    """Every seat with a policy as it is at one moment; `now` is the same for ages."""

    shown: Mapping[str, Shown]
    moment: Moment
    now: datetime


Look = Callable[[], Looked]
Now = Callable[[], datetime]

COLUMNS: Sequence[Column] = (
    Column(words.SEAT, 10, flex=2, most=30, cut="middle"),
    Column(words.WINDOW, 16, flex=9, most=70),
    Column(words.LEFT, 7, priority=1, align="right"),
    Column(words.WAKES, 5, priority=2, align="right"),
    Column(words.QUIET, 5, priority=3, align="right"),
    Column(words.QUOTA, 5, priority=4, align="right"),
    Column(words.COOLDOWN, 8, priority=5, align="right"),
    Column(words.SCANNED, 9, priority=6, align="right"),
    Column(words.LEASE, 12, priority=7, align="right"),
)
WHY_COLUMNS: Sequence[Column] = (
    Column("#", 3, align="right"),
    Column("", 1),
    Column("why", 24, flex=9, most=64),
    Column("from", 6, flex=1, most=16, priority=3, cut="middle"),
    Column("title", 12, flex=4, priority=4, since=70),
    Column("age", 5, priority=1, align="right"),
)
_ACTIVE = {("agent", "active"): True}


def title(shown: Mapping[str, Shown]) -> str:
    """Over the table."""
    return words.title(len(shown), sum(one.window is not None for one in shown.values()))


def listed(overview: Overview) -> list[Seat]:
    """Seats with a policy first, then the other agents that could have one."""
    known = overview.wakes.seats
    having = [seat for seat in overview.seats if seat.seat in known]
    return having + [
        seat
        for seat in overview.seats
        if seat.seat not in known and _ACTIVE.get((seat.kind, seat.status), False)
    ]


def item(seat: Seat, look: Look) -> Item:
    """The row of a seat; it changes with the clock alone, and is worked out once a moment."""
    made: list[tuple[Looked, tuple[Content, ...]]] = []

    def cell(place: int) -> Content:
        looked = look()
        if not made or made[0][0] is not looked:
            made[:] = [(looked, _cells(seat, looked))]
        return made[0][1][place]

    return Item(seat.seat, tuple(partial(cell, place) for place in range(len(COLUMNS))))


def _cells(seat: Seat, looked: Looked) -> tuple[Content, ...]:
    """What stands in the columns at a moment."""
    one = looked.shown.get(seat.seat)
    none = safe_text.line(words.NONE, MUTED)
    window = None if one is None else one.window
    left = wakes = quiet = scanned = none
    if window is not None:
        left, scanned = _left(window), _scanned(window, looked.now)
        wakes = _of(window.wakes, window.policy.maximum_wakes)
        quiet = _of(window.quiet_cycles, window.policy.maximum_quiet_cycles)
    rest = (_quota(one), _cooldown(one), scanned, _lease(one, looked.moment))
    return (seats.name(seat, looked.now), _state(one), left, wakes, quiet, *rest)


def _state(one: Shown | None) -> Content:
    """W24: the state in a sign and a word, and why it is so."""
    if one is None:
        return safe_text.row([(said.WINDOWS["closed"], MUTED), (words.NO_POLICY, MUTED)], " · ")
    if one.window is None:
        parts = [(said.WINDOWS["closed"], MUTED)]
        if not one.wake.enabled:
            parts.append((words.DISABLED, MUTED))
        return safe_text.row(parts, " · ")
    parts = [(said.IN_FULL[one.state], windows.STYLES[one.state])]
    if one.window.nobody_scans:
        parts.append((words.NOBODY_SCANS, "$text-warning"))
    if why := said.why(one.window):
        parts.append((why, ""))
    return safe_text.row(parts, " · ")


def _left(window: ShownWindow) -> Content:
    style = "" if window.left_ms else "$text-warning"
    return safe_text.line(said.countdown(window.left_ms), style)


def _of(used: int, most: int) -> Content:
    return safe_text.line(words.of(used, most), "$text-warning" if used >= most else "")


def _quota(one: Shown | None) -> Content:
    policy = None if one is None else in_force(one)
    if one is None or policy is None or one.quota_left is None:
        return safe_text.line(words.NONE, MUTED)
    quota = policy.hourly_quota
    return safe_text.line(
        words.of(one.quota_left, quota), "" if one.quota_left else "$text-warning"
    )


def _cooldown(one: Shown | None) -> Content:
    if one is None or not one.cooldown_ms:
        return safe_text.line(words.NONE, MUTED)
    return safe_text.line(said.countdown(one.cooldown_ms))


def _scanned(window: ShownWindow, now: datetime) -> Content:
    if window.nobody_scans:
        return safe_text.line(words.NOBODY, "$text-warning")
    if window.scanned_at is None:
        return safe_text.line(words.NOT_KNOWN, MUTED)
    return safe_text.line(ages.age(window.scanned_at, now))


def _lease(one: Shown | None, now: Moment) -> Content:
    lease = None if one is None else one.wake.lease
    if lease is None:
        return safe_text.line(words.NONE, MUTED)
    return safe_text.line(words.lease(lease.message, lease.left_ms(now)))


def in_force(one: Shown) -> Policy | None:
    """The policy whose limits hold: that of the open window, else the one that is set."""
    return one.wake.policy if one.window is None else one.window.policy


def why(found: Why, now: Now) -> Row:
    """The row of a message: in one line why the seat was woken for it, or why not."""
    one = found.explained
    if one is None:
        empty = Content("")
        said_so = safe_text.line(words.NOT_ADDRESSED, MUTED)
        return Row(found.message, (_number(found.message), empty, said_so, empty, empty, empty))
    sign = words.OUTCOMES.get(one.outcome, words.PASSED_BY)
    return Row(
        found.message,
        (
            _number(found.message),
            safe_text.line(sign.sign, sign.style),
            safe_text.line(reasons.why(one), sign.style),
            safe_text.line(signs.seat(one.sender)),
            safe_text.line(_called(one), MUTED),
            lambda: safe_text.line(ages.age(one.at, now()), MUTED),
        ),
    )


def answer(found: Why | None) -> Content:
    """The answer in full, for where a row has no room for it."""
    if found is None or found.explained is None:
        return Content("")
    one = found.explained
    sign = words.OUTCOMES.get(one.outcome)
    said_so = safe_text.line(reasons.why(one))
    if sign is not None:
        said_so = safe_text.row([(sign.sign, sign.style), said_so])
    return safe_text.row([(f"#{one.message}", "bold"), said_so, (_called(one), MUTED)], " · ")


def _called(one: Explained) -> str:
    return messages.called(one.title, one.reply_to, one.opening)


def _number(message: int) -> Content:
    return safe_text.line(f"#{message}")
