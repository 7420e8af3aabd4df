"""How often router and hosts agree, as counts and as bars of characters; notes of hooks. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from textual.content import Content

from panel import neutral, safe_text
from panel.asks.skills import Figures
from panel.present import ages
from panel.present.layout import MUTED, heading, joined
from panel.words import routing, signs
from panel.words import skills_screen as words
from state.routing.queries import HookNote
from state.routing.statistics import HostFigures

FULL, EMPTY = "█", "░"
BAR = 24
_LABEL = 10


def figures(found: Figures, now: datetime, width: int) -> Content:
    """S14: per host and router version each figure as a part of what it is counted of."""
    parts: list[Content] = []
    for one in found.hosts:
        parts += _host(one, width)
    if found.hosts:
        parts += safe_text.line(words.NOT_COUNTED, MUTED).wrap(max(width, 1))
    else:
        parts.append(safe_text.block(words.NO_FIGURES, MUTED))
    if found.notes:
        parts.append(heading(words.HOOK_NOTES, width))
        for note in found.notes:
            parts += _note(note, now).wrap(max(width, 1))
    return joined(parts)


def _host(one: HostFigures, width: int) -> Iterator[Content]:
    named = words.figured(one.host, one.router, one.requests)
    yield from safe_text.line(named, "bold").wrap(max(width, 1))
    rows = (
        (words.AGREEMENT, one.agreement, one.compared, words.COMPARED),
        (words.TOP_3, one.top_3, one.compared, words.COMPARED),
        (words.FALLBACK, one.fallback, one.requests, words.ASKED),
    )
    for label, part, whole, what in rows:
        said = words.part_of(part, whole, what, ages.share(part, whole) if whole else "")
        shown = [safe_text.fit(label, _LABEL, style=MUTED)]
        room = width - _LABEL - neutral.cells(said) - 2
        if room >= len(FULL) * 4:
            shown.append(bar(part, whole, min(room, BAR)))
        shown.append(safe_text.line(said))
        yield from safe_text.row(shown).wrap(max(width, 1))


def bar(part: int, whole: int, cells: int) -> Content:
    """A part of a whole as a bar; full or empty only where it is all or nothing."""
    filled = part * cells // whole if whole else 0
    if 0 < part < whole:
        filled = min(max(filled, 1), cells - 1)
    return safe_text.row(
        [(FULL * filled, "$text-accent"), (EMPTY * (cells - filled), MUTED)], between=""
    )


def _note(note: HookNote, now: datetime) -> Content:
    said = words.hook_note(note.host, signs.seat(note.seat), note.event, routing.note(note.note))
    return safe_text.row([(f"r{note.rev}", MUTED), (ages.when(note.at, now), MUTED), (said, "")])
