"""A line of the journal as one row, and as a whole: in words, as stored, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import orjson
from textual.content import Content

from panel import safe_text
from panel.asks.lines import Then
from panel.present import ages
from panel.present.layout import MUTED, heading, joined, labelled, table
from panel.present.messages import brief
from panel.widgets.columns import Column
from panel.widgets.pages import Row
from panel.words import journal as words
from panel.words import messages as said
from panel.words import operations, seats, signs, states
from state.errors import StateError
from state.history.queries import LineRow
from state.journal.line import Line
from state.journal.verify import Report
from state.roster.queries import Seat

Now = Callable[[], datetime]

COLUMNS: Sequence[Column] = (
    Column("line", 4, align="right"),
    Column("by", 11, flex=1, most=16, priority=2),
    Column("via", 6, priority=3),
    Column("what it says", 32, flex=8),
    Column("time", 5, priority=4),
    Column("age", 5, priority=1, align="right"),
)
_RAW_LIMIT = 70_000


def row(shown: LineRow, now: Now) -> Row:
    """The row of a line. Its age changes with the clock alone."""
    return Row(
        shown.rev,
        (
            safe_text.line(f"r{shown.rev}"),
            safe_text.line(signs.seat(shown.seat)),
            safe_text.line(shown.via, "$text-muted"),
            safe_text.line(operations.all_in_words(shown.ops, shown.rev)),
            safe_text.line(brief(shown.ts, now())),
            lambda: safe_text.line(ages.age(shown.ts, now()), "$text-muted"),
        ),
    )


def bad_row(rev: int, why: str) -> Row:
    """The row of a line that can't be shown, and why."""
    empty = Content("")
    what = safe_text.line(said.bad(why), "$text-error")
    return Row(rev, (safe_text.line(f"r{rev}"), empty, empty, what, empty, empty))


def whole(line: Line, raw: bytes, now: datetime, width: int) -> Content:
    """Everything about one line: who wrote what, in words; its place and hashes; its bytes."""
    parts = [
        safe_text.row([(f"r{line.rev}", "bold"), (f"by {signs.seat(line.seat)}", "")], "  "),
        *(
            labelled(words.AND if place else words.SAYS, _said(op, line.rev), width)
            for place, op in enumerate(line.ops)
        ),
        labelled(words.WRITTEN, safe_text.line(ages.when(line.ts, now)), width),
        labelled(words.IN_UTC, safe_text.line(line.ts), width),
        labelled(words.CAME_BY, safe_text.line(words.WAYS.get(line.via, line.via)), width),
    ]
    if line.guards:
        seen = ", ".join(f"{name} r{rev}" for name, rev in line.guards.items())
        parts.append(labelled(words.RESTS_ON, safe_text.line(seen), width))
    parts += [
        heading(words.PLACE, width),
        labelled(words.SEGMENT, safe_text.line(str(line.segment)), width),
        labelled(
            words.BYTES, safe_text.line(f"{line.offset:,} to {line.offset + line.size:,}"), width
        ),
        labelled(words.HASH, safe_text.line(line.hash), width),
        labelled(words.PREV, safe_text.line(line.prev), width),
        labelled(words.SUM, safe_text.line(_sum(raw)), width),
        labelled(words.REQUEST, safe_text.line(line.req), width),
        heading(words.STORED, width),
        safe_text.block(_indented(raw), limit=_RAW_LIMIT),
    ]
    return joined(parts)


def _said(op: dict[str, object], rev: int) -> Content:
    return safe_text.line(operations.in_words(op, rev), limit=None)


def _sum(raw: bytes) -> str:
    try:
        return str(orjson.loads(raw).get("sum"))
    except orjson.JSONDecodeError:
        return words.NOT_KNOWN


def _indented(raw: bytes) -> str:
    try:
        return orjson.dumps(orjson.loads(raw), option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONDecodeError:
        return raw.decode("utf-8", "replace")


def report(found: Report) -> Content:
    """What a check of the whole chain found, in words."""
    parts = [safe_text.line(words.sound(found.lines), "bold")]
    if not found.complete and not found.findings:
        parts.append(safe_text.line(words.STOPPED, "$text-warning"))
    elif found.ok:
        parts.append(safe_text.line(f"✓ {words.WHOLE}", "$text-success"))
    if found.findings:
        parts.append(safe_text.line(f"✗ {words.NOT_WHOLE}", "$text-error bold"))
        parts += [
            safe_text.line(words.finding(one.code, one.rev, one.what), "$text-error")
            for one in found.findings
        ]
        parts.append(safe_text.line(words.DOCTOR, MUTED))
    return joined(parts)


def not_checked(error: StateError) -> Content:
    """Why something could not be looked at."""
    return safe_text.line(states.with_hint(error.message, error.hint), "$text-error")


def earlier(then: Then, now: datetime, width: int) -> Content:
    """The state of the past: the seats with their counts as they were then."""
    titles = (words.SEAT, words.UNREAD, words.TASKS, words.CURSOR, words.STANDING)
    rows = [_seat(seat) for seat in then.seats]
    parts = [
        safe_text.line(words.as_it_was(then.rev, ages.when(then.at, now)), "$text-warning bold"),
        safe_text.line(words.messages_then(then.messages, then.roster), MUTED),
    ]
    for columns in (5, 3, 2):
        shown = table(titles[:columns], [row[:columns] for row in rows], width)
        if shown is not None:
            return joined([*parts, shown])
    return joined([*parts, *(part for row in rows for part in row[:2])])


def _seat(seat: Seat) -> tuple[Content, ...]:
    standing = seats.STANDING.get((seat.status, seat.visibility), "")
    return (
        safe_text.line(signs.seat(seat.seat), "bold"),
        safe_text.line(f"{seat.unread:,}"),
        safe_text.line(f"{seat.open_tasks:,}"),
        safe_text.line(f"#{seat.cursor}"),
        safe_text.line(standing, MUTED),
    )
