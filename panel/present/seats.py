"""Seats as rows of a table, and one of them in full. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from panel import safe_text
from panel.asks.overview import SeatDetail
from panel.present import ages, windows
from panel.present.layout import joined, labelled
from panel.widgets.columns import Column
from panel.widgets.item_list import Item
from panel.words import messages as message_words
from panel.words import routing, signs
from panel.words import seats as words
from state.clock import stamp
from state.looked import Look
from state.overview import Overview
from state.roster import decide
from state.roster.queries import Seat

if TYPE_CHECKING:
    from state.wake.shown import Shown

if TYPE_CHECKING:
    from state.routing.layers import RequestLayers

Now = Callable[[], datetime]
State = Callable[[Seat], str | None]

MUTED = "$text-muted"
COLUMNS: Sequence[Column] = (
    Column(words.SEAT, 11, flex=3, most=40, cut="middle"),
    Column(words.UNREAD, 6, align="right"),
    Column(words.TASKS, 5, priority=3, align="right"),
    Column(words.WINDOW, 8, flex=1, most=12, priority=1),
    Column(words.LOOKED, 9, priority=2, align="right"),
)
_LABEL_WIDTH = 8
_AT_ONCE: Mapping[tuple[str, str], bool] = {("active", "visible"): True}


def title(overview: Overview) -> str:
    """Over the table (R6)."""
    standing = [(seat.status, seat.visibility) for seat in overview.seats]
    inactive = standing.count(("inactive", "visible")) + standing.count(("inactive", "hidden"))
    active = len(standing) - inactive
    return words.title(active, overview.hidden_seats, overview.hidden_unread, inactive)


def shown(overview: Overview, everyone: bool) -> list[Seat]:
    """The seats of the table: all there ever were, or without those hidden or inactive."""
    return [
        seat
        for seat in overview.seats
        if everyone or _AT_ONCE.get((seat.status, seat.visibility), False)
    ]


def item(seat: Seat, look: Look | None, now: Now, state: State) -> Item:
    """The row of a seat; its ages and its window change with the clock alone."""
    at_once = _AT_ONCE.get((seat.status, seat.visibility), False)
    return Item(
        seat.seat,
        (
            lambda: name(seat, now()),
            safe_text.line(f"{seat.unread:,}", signs.UNREAD.style if seat.unread else MUTED),
            safe_text.line(f"{seat.open_tasks:,}", "" if seat.open_tasks else MUTED),
            lambda: windows.cell(state(seat)),
            lambda: looked(seat, look, now()),
        ),
        "" if at_once else "italic",
    )


def called(seat: str) -> str:
    """What a seat is called over its own box."""
    return signs.seat(seat)


def name(seat: Seat, now: datetime) -> Content:
    """What the seat is called, and in words what is unusual about it."""
    parts = [words.STANDING.get((seat.status, seat.visibility), "")]
    if decide.is_away(seat, stamp(now)):
        parts.append(words.AWAY)
    beside = ", ".join(part for part in parts if part)
    called = safe_text.line(signs.seat(seat.seat))
    if not beside:
        return called
    return Content.assemble(called, safe_text.line(f"{signs.BESIDE}{beside}", "$text-warning"))


def looked(seat: Seat, look: Look | None, now: datetime) -> Content:
    """How long ago the seat read its queue; the user's own looking leaves no trace."""
    if seat.kind == "user":
        return safe_text.line(words.NONE, MUTED)
    if look is None:
        return safe_text.line(words.NOT_KNOWN, MUTED)
    return safe_text.line(ages.age(look.at, now))


def detail(
    found: SeatDetail, look: Look | None, wakes: Shown | None, now: datetime, width: int
) -> Content:
    """Everything there is to say about one seat; `wakes` is None where it never had a policy."""
    seat = found.seat
    parts = [_what(seat, now)]
    labels = _labels(seat)
    if labels:
        parts.append(safe_text.line(labels))
    if seat.name not in (seat.seat, signs.seat(seat.seat)):
        parts.append(_labelled(words.NAME, safe_text.line(seat.name), width))
    parts.append(_labelled(words.QUEUE, _queue(found), width))
    parts.append(_labelled(words.TASKS, _tasks(found), width))
    if seat.window is not None:
        shown = windows.cell(seat.window) if wakes is None else windows.window(wakes)
        parts.append(_labelled(words.WINDOW, shown, width))
        intents = None if wakes is None else windows.intents(wakes)
        if intents is not None:
            parts.append(_labelled(words.INTENTS, intents, width))
        parts.append(_labelled(words.LOOKED, _looked_at(look, now), width))
    if found.request is not None:
        parts.append(_labelled(words.SKILLS, _skills(found.request), width))
    if seat.away is not None:
        parts.append(_labelled(words.AWAY, _away(seat, now), width))
    return joined(parts)


def _labelled(label: str, value: Content, width: int) -> Content:
    return labelled(label, value, width, _LABEL_WIDTH)


def _what(seat: Seat, now: datetime) -> Content:
    kind = words.KINDS.get(seat.kind, seat.kind)
    said = [kind] if seat.window is None else [kind, words.MODES.get(seat.mode, seat.mode)]
    standing = words.STANDING.get((seat.status, seat.visibility), "")
    parts = [(" · ".join(said), "bold")]
    if standing:
        parts.append((standing, "$text-warning"))
    return safe_text.row(parts, " · ")


def _labels(seat: Seat) -> str:
    said = [words.host(seat.host)] if seat.host else []
    if seat.roles:
        said.append(words.roles(", ".join(seat.roles)))
    return " · ".join(said)


def _queue(found: SeatDetail) -> Content:
    from state.messages.openings import begins

    if found.next_due is None:
        return safe_text.line(words.queue(found.seat.unread, ""))
    sign = signs.kind(found.next_due.kind)
    said = words.queue(found.seat.unread, f"#{found.next_due.id}")
    due = found.next_due
    called = due.title or (message_words.quoted(begins(due.body)) if due.body else "")
    return safe_text.row([(said, ""), (str(sign), sign.style), (called, "")])


def _tasks(found: SeatDetail) -> Content:
    lines = [safe_text.line(words.tasks(found.seat.open_tasks))]
    for task in found.tasks:
        state = signs.task_state(task.state)
        parts = [(f"#{task.message}", ""), (str(state), state.style), (task.title, "")]
        lines.append(safe_text.row(parts))
    rest = found.seat.open_tasks - len(found.tasks)
    if rest > 0:
        lines.append(safe_text.line(words.more(rest), MUTED))
    return joined(lines)


def _skills(found: RequestLayers) -> Content:
    """S1, S2: the four layers of the last request, one after the other, each in its own words."""
    two, three, four = found.suggestion, found.choice, found.invocation
    made = None if two.last is None else two.last.made
    return safe_text.row(
        [
            (routing.has_profile(found.profile.state), ""),
            (routing.suggested(two.skill, None if made is None else made.fallback_reason), ""),
            (routing.chose(three.skill, three.source), ""),
            (routing.invocation(four.level, four.skill), ""),
        ],
        " → ",
    )


def _looked_at(look: Look | None, now: datetime) -> Content:
    if look is None:
        return safe_text.line(words.NOT_KNOWN, MUTED)
    return safe_text.line(ages.when(look.at, now))


def _away(seat: Seat, now: datetime) -> Content:
    if seat.away is None:
        return Content("")
    by = signs.seat(seat.away.by)
    until = ages.when(seat.away.until, now)
    said = words.away if decide.is_away(seat, stamp(now)) else words.away_over
    return safe_text.line(said(until, by, seat.away.reason))
