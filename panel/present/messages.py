"""A message as one row of a list. Pure: what is shown is what the index knows of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from panel import safe_text
from panel.present import ages
from panel.widgets.columns import Column
from panel.widgets.pages import Row
from panel.words import messages as words
from panel.words import queue, signs

if TYPE_CHECKING:
    from state.messages.listing import MessageRow
    from state.messages.search import Hit

Now = Callable[[], datetime]

COLUMNS: Sequence[Column] = (
    Column("#", 3, align="right"),
    Column("", 2),
    Column("from → to", 14, flex=5, most=30, priority=2, cut="pair"),
    Column("title", 20, flex=6),
    Column("state", 12, flex=4, most=40, priority=3, since=70),
    Column("kind", 8, priority=5, since=100),
    Column("time", 5, priority=4, since=70),
    Column("age", 5, priority=1, align="right"),
)
HIT_COLUMNS: Sequence[Column] = (
    *COLUMNS[:3],
    Column("in", 5, priority=3),
    Column("found", 24, flex=8),
    COLUMNS[-1],
)
_SEATS_AT_MOST = 2
# What stands before the words that were found, so that they are in sight in a narrow list too.
_BEFORE = 14


def row(shown: MessageRow, now: Now, depth: int = 0) -> Row:
    """The row of a message; `depth` says how far it is set in, as in a thread.

    Its age changes with the clock alone. What the user has still to pass stands in bold.
    """
    return Row(
        shown.id,
        (
            safe_text.line(f"#{shown.id}"),
            flags(shown),
            safe_text.line(f"{signs.seat(shown.sender)}{signs.TO}{recipients(shown)}"),
            title(shown, depth),
            marks(shown),
            safe_text.line(shown.kind, signs.kind(shown.kind).style),
            safe_text.line(brief(shown.at, now())),
            lambda: safe_text.line(ages.age(shown.at, now()), "$text-muted"),
        ),
        "bold" if signs.USER_SEAT in shown.unread_by else "",
    )


def hit(shown: MessageRow, found: Hit, now: Now) -> Row:
    """The row of a message in which something was found: where, and what stands around it."""
    made = row(shown, now)
    where = queue.IN_TITLE if found.where == "title" else queue.IN_TEXT
    cells = (*made.cells[:3], safe_text.line(where, "$text-muted"), excerpt(found), made.cells[-1])
    return Row(made.key, cells, made.style)


def excerpt(found: Hit) -> Content:
    """What was found, marked, with a little of what stands before it and all that follows."""
    text, start, stop = found.excerpt, found.start, found.start + found.length
    before = text[:start] if start <= _BEFORE else f"…{text[start - _BEFORE : start]}"
    return safe_text.row([(before, ""), (text[start:stop], "reverse"), (text[stop:], "")], "")


def brief(time: str, now: datetime) -> str:
    """The time in five cells: of today, else the day, else the year."""
    local, today = ages.parsed(time).astimezone(), now.astimezone()
    if local.date() == today.date():
        return f"{local:%H:%M}"
    return f"{local:%m-%d}" if local.year == today.year else f"{local:%Y}"


def flags(shown: MessageRow) -> Content:
    """Two cells: whether it is urgent, and whether the user's cursor has still to pass it."""
    urgent, unread = signs.URGENT, signs.UNREAD
    return safe_text.row(
        [
            (urgent.sign, urgent.style) if shown.urgent else (" ", ""),
            (unread.sign, unread.style) if signs.USER_SEAT in shown.unread_by else (" ", ""),
        ],
        "",
    )


def title(shown: MessageRow, depth: int = 0) -> Content:
    """The kind's sign and the title; without one what it answers, and how its text begins.

    Those words stand in quotation marks: they are no title.
    """
    sign = kind_sign(shown)
    indent = "  " * min(depth - 1, 12) + "└ " if depth else ""
    return safe_text.row(
        [(indent, "$text-muted"), (f"{sign.sign} ", sign.style), *_called(shown)], ""
    )


def _called(shown: MessageRow) -> list[tuple[str, str]]:
    if shown.title:
        return [(shown.title, "")]
    answers = shown.reply_to
    instead = words.NO_TITLE if answers is None else words.answering(answers)
    begins = [(f" {words.quoted(shown.opening)}", "")] if shown.opening else []
    return [(instead, "$text-muted"), *begins]


def kind_sign(shown: MessageRow) -> signs.Sign:
    """The sign of the kind; of a task that is in the same state for all, the sign of that state.

    An imported message has its own: of what kind it was there isn't known.
    """
    if shown.imported:
        return signs.IMPORTED
    states = {state for _, state in shown.tasks}
    return signs.task_state(states.pop()) if len(states) == 1 else signs.kind(shown.kind)


def recipients(shown: MessageRow) -> str:
    """To whom, as text from outside: `all` where it was addressed to all."""
    if shown.addressing == "all":
        return f"all ({len(shown.to)})"
    return signs.seats(shown.to, _SEATS_AT_MOST)


def marks(shown: MessageRow) -> Content:
    """Everything that has a state, each with its sign and word: the person's concerns first."""
    found = _tasks(shown)
    if shown.unread_by:
        holders = signs.seats(shown.unread_by, _SEATS_AT_MOST)
        found.append(_said(signs.UNREAD, holders))
    if shown.urgent:
        found.append(_said(signs.URGENT))
    if shown.replies:
        found.append(_said(signs.REPLIES._replace(word=f"{shown.replies:,}")))
    if shown.imported:
        found.append(_said(signs.IMPORTED))
    return safe_text.row(found, " · ")


def _tasks(shown: MessageRow) -> list[Content]:
    states = Counter(state for _, state in shown.tasks)
    if len(shown.tasks) == 1:
        return [_said(signs.task_state(state)) for state in states]
    return [
        _said(sign._replace(word=f"{count} {sign.word}"))
        for state, count in states.items()
        for sign in [signs.task_state(state)]
    ]


def _said(sign: signs.Sign, of: str = "") -> Content:
    return safe_text.line(f"{sign} {of}" if of else str(sign), sign.style)
