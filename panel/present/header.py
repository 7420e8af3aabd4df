"""The header line: as much of it as has room, the most important last to go."""

from __future__ import annotations

from textual.content import Content

from panel import safe_text
from panel.present import ages
from panel.snapshot import Snapshot, Verified
from panel.words import overview as words
from panel.words import states

MUTED = "$text-muted"
BETWEEN = Content.styled(" · ", MUTED)
GAP = 2


def line(snapshot: Snapshot | None, now: str, width: int, *, failed: bool = False) -> Content:
    """The header in exactly `width` cells. `now` is UTC as stored, empty when not known yet.

    Without a picture it says that there is none yet, or that there can't be one (`failed`).
    """
    for detail in (3, 2, 1, 0):
        left, right = _left(snapshot, detail), _right(snapshot, now, detail, failed=failed)
        if left.cell_length + GAP + right.cell_length <= width:
            break
    room = width - right.cell_length - GAP
    if room < 1:
        return safe_text.fit_content(right, width)
    return Content.assemble(safe_text.fit_content(left, room), " " * GAP, right)


def _left(snapshot: Snapshot | None, detail: int) -> Content:
    project = Content("") if snapshot is None else safe_text.line(snapshot.overview.name, "bold")
    if detail < 3:
        return project
    program = Content.styled(words.PROGRAM, MUTED)
    return program if snapshot is None else BETWEEN.join([program, project])


def _right(snapshot: Snapshot | None, now: str, detail: int, *, failed: bool) -> Content:
    parts = []
    if snapshot is None:
        parts.append(Content.styled(states.NOT_OPEN if failed else states.OPENING, MUTED))
    else:
        roster = words.roster(snapshot.overview.roster)
        short = f"r{snapshot.overview.roster}"
        parts.append(safe_text.line(roster if detail >= 2 else short))
        if snapshot.health.is_believed or snapshot.verified.wrong is not None:
            parts.append(verified(snapshot.verified, long=detail >= 2))
        else:
            parts.append(_wrong(words.NOT_SOUND, long=detail >= 2))
        parts.append(_watching(snapshot.watching, long=detail >= 1))
    if now:
        clock = ages.now_line(ages.parsed(now))
        parts.append(Content(clock if detail >= 1 else clock[: len("10:04")]))
    return BETWEEN.join(parts)


def verified(checked: Verified, *, long: bool) -> Content:
    """How far the lines were checked, or what was found wrong."""
    if checked.wrong is not None:
        return _wrong(words.NOT_VERIFIED, long=long)
    if not checked.is_whole:
        share = ages.share(checked.upto, max(checked.of, 1))
        return safe_text.line(words.checking(share) if long else f"… {share}", "$text-warning")
    count = ages.number(checked.upto)
    return safe_text.line(words.lines_verified(count) if long else f"{count} ✓", "$text-success")


def _wrong(said: str, *, long: bool) -> Content:
    return Content.styled(said if long else "✗", "$text-error bold")


def _watching(watching: bool, *, long: bool) -> Content:
    word, sign = (words.WATCHING, "●") if watching else (words.POLLING, "◌")
    style = "$text-success" if watching else "$text-warning"
    return safe_text.line(f"{word} {sign}" if long else sign, style)
