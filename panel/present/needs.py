"""What waits for the person, as rows. Pure; what needs whom was decided in `state.needs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from textual.content import Content

from panel import safe_text
from panel.messages import Place
from panel.present import ages, health
from panel.snapshot import Snapshot
from panel.widgets.columns import Column
from panel.widgets.item_list import Item
from panel.words import needs as words
from panel.words import signs
from state.command import USER
from state.needs import Need

Now = Callable[[], datetime]

MUTED = "$text-muted"
COLUMNS: Sequence[Column] = (
    Column("", 1),
    Column("", 6, flex=1, most=24, cut="middle", short=words.SHORT),
    Column("", 10, flex=8),
    Column("", 6, flex=1, most=10, priority=2, align="right"),
    Column("", 5, priority=1, align="right"),
    Column("", 1, priority=3),
)
HEALTH = "health"
MORE = "more"
# The list is made anew with each picture; who has more waiting looks at the queue.
LISTED = 200


def title(snapshot: Snapshot) -> str:
    """Over the list, with how many there are."""
    wrong = health.needs_person(snapshot) is not None
    return words.title(snapshot.overview.needs_total + int(wrong))


def items(snapshot: Snapshot, now: Now, key: str) -> list[Item]:
    """What is wrong with the project first, then who waits, the longest wait first.

    `key` is the one that leads to where it can be dealt with.
    """
    overview = snapshot.overview
    wrong = health.needs_person(snapshot)
    opens = safe_text.line(words.opens(key), MUTED)
    rows = [] if wrong is None else [_health(wrong, opens)]
    rows += [_need(need, now, opens) for need in overview.needs[:LISTED]]
    rest = overview.needs_total - min(len(overview.needs), LISTED)
    return [*rows, _more(rest, opens)] if rest > 0 else rows


def nobody(snapshot: Snapshot) -> Content:
    """The empty list, and how it is known to be empty."""
    checked = snapshot.verified
    upto = ages.number(checked.upto if checked.is_whole else snapshot.rev)
    queues, windows = len(snapshot.overview.seats), snapshot.overview.wakes.open_windows
    known = words.how_known(queues, windows, upto, checked.is_whole)
    return safe_text.row([(words.NOBODY, "bold"), (known, MUTED)], " · ")


def place(need: Need) -> Place:
    """Where it can be dealt with."""
    if need.kind in words.OF_WAKES:
        return Place("wake", need.seat)
    if need.kind in words.OF_LINES:
        return Place("line", need.id)
    return Place("message", need.id)


def _health(wrong: Content, opens: Content) -> Item:
    sign = words.HEALTH
    empty = Content("")
    first = safe_text.line(sign.sign, sign.style)
    return Item(
        (HEALTH, Place(HEALTH, "")),
        (first, safe_text.line(sign.word), wrong, empty, empty, opens),
    )


def _more(count: int, opens: Content) -> Item:
    empty = Content("")
    what = safe_text.line(words.more(count), MUTED)
    return Item(
        (MORE, Place("queue", USER)),
        (empty, empty, what, empty, empty, opens),
    )


def _need(need: Need, now: Now, opens: Content) -> Item:
    sign = words.need(need.kind)
    said = safe_text.line(words.said(sign.word, words.text(need)))
    if need.hidden:
        said = safe_text.row([(words.HIDDEN, "$text-warning"), said], " · ")
    return Item(
        (need.seat, place(need), need.kind),
        (
            safe_text.line(sign.sign, sign.style),
            safe_text.line(signs.seat(need.seat)),
            said,
            safe_text.line(words.about(need), MUTED),
            lambda: safe_text.line(ages.age(need.since, now())),
            opens,
        ),
    )
