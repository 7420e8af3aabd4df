"""Requests, skills and what the inventory found, as rows. Pure.

The four layers of a row stand in four columns, each from its own evidence (S1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from textual.content import Content

from panel import safe_text
from panel.asks.skill_inventory import Taken
from panel.asks.skills import ListedRequest
from panel.present import ages
from panel.present.layout import joined
from panel.widgets.columns import Column
from panel.widgets.pages import Row
from panel.words import routing, signs
from panel.words import skills as odd
from panel.words import skills_screen as words
from panel.words.signs import Sign
from state.routing.duplicates import once
from state.routing.inventory import Inventory, Skill
from state.routing.notes import shown_path
from state.routing.skill_index import SkillIndex, Unusable
from state.routing.skills import SkillLayers

MUTED = "$text-muted"
Now = Callable[[], datetime]

# Room for the longest level that layer 4 mostly has, and for layer 1 in short.
_LAYER_4 = len("○ not invoked · requested…")
_LAYER_1 = Column(words.LAYERS[0], 14, flex=30, most=25, priority=3, short=words.PROFILES_SHORT)
# Where there is little room, the layers stay; layer 4 is the last to go.
REQUEST_COLUMNS: Sequence[Column] = (
    Column(words.REQUEST, 10, flex=1, most=24, priority=5),
    Column(words.HOST, 11, priority=7, since=126),
    Column(words.SEAT, 11, priority=4, cut="middle"),
    _LAYER_1,
    Column(words.LAYERS[1], 12, flex=3, most=40, priority=2, short=words.NOT_ASKED_SHORT),
    Column(words.LAYERS[2], 11, flex=4, most=40, priority=1, short=words.NOT_REPORTED_SHORT),
    Column(words.LAYERS[3], _LAYER_4, flex=5, most=44),
    Column(words.AGE, 5, priority=6, align="right"),
)
SKILL_COLUMNS: Sequence[Column] = (
    Column(words.SKILL, 9, flex=8, most=32, cut="middle"),
    _LAYER_1._replace(flex=2),
    Column(words.LAYERS_OF_SKILL[1], 11, flex=1, most=16, priority=2),
    Column(words.LAYERS_OF_SKILL[2], 8, priority=1),
    Column(words.LAYERS_OF_SKILL[3], _LAYER_4 - 3, flex=1, most=28),
    Column(words.BY, 24, flex=6, priority=4, since=110),
)
INVENTORY_COLUMNS: Sequence[Column] = (
    Column(words.SKILL, 10, flex=4, most=40, cut="middle"),
    _LAYER_1._replace(flex=2, priority=1),
    Column(words.ODD, 12, flex=4),
    Column(words.ALIKE, 8, flex=3, most=40, priority=2),
    Column(words.WHERE, 12, flex=5, priority=3),
    Column(words.BYTES, 8, priority=4, align="right"),
)


def signed(sign: Sign, text: str) -> Content:
    """A state with its sign; colour only repeats them."""
    return safe_text.row([(sign.sign, sign.style), (text, sign.style)])


def request(found: ListedRequest, now: Now) -> Row:
    """The row of a request. Its age changes with the clock alone."""
    row = found.row
    return Row(
        request_key(row.request),
        (
            safe_text.line(words.short(row.request, row.host)),
            safe_text.line(row.host or words.NONE, "" if row.host else MUTED),
            safe_text.line(signs.seat(row.seat)),
            profile(found.profile.state),
            _suggestion(found),
            _choice(found),
            _invocation(found),
            lambda: safe_text.line(ages.age(row.last_at, now()), MUTED),
        ),
    )


def request_key(request: str) -> int:
    """The number of a request's row, the same as long as the program runs."""
    return hash(request)


def request_text(found: ListedRequest) -> str:
    """What a filter looks through."""
    row = found.row
    cells = (profile(found.profile.state), _suggestion(found), _choice(found), _invocation(found))
    return " ".join((row.request, row.host, signs.seat(row.seat), *(cell.plain for cell in cells)))


def profile(state: str) -> Content:
    """Layer 1."""
    sign = words.profile(state)
    return signed(sign, sign.word)


def _suggestion(found: ListedRequest) -> Content:
    row = found.row
    said = routing.suggestion(row.suggested, None, asked=row.asked, offline=row.offline)
    if not row.asked:
        return signed(words.NOT_ASKED, said)
    if row.offline:
        return signed(words.OFFLINE, said)
    return signed(words.FELL_BACK if row.fallback else words.SUGGESTED, said)


def _choice(found: ListedRequest) -> Content:
    row = found.row
    said = routing.choice(row.chosen, row.source)
    if not row.reported:
        return signed(words.NOT_REPORTED, said)
    return signed(words.CHOSE_NONE if row.chosen is None else words.CHOSEN, said)


def _invocation(found: ListedRequest) -> Content:
    """S2: "not invoked" until an accepted receipt proves the use."""
    row = found.row
    said = signed(words.level(row.level), routing.invocation(row.level, row.used))
    if not row.refused:
        return said
    return safe_text.row([said, (routing.receipts_refused(row.refused), "$text-warning")], " · ")


def skill(found: SkillLayers, key: int) -> Row:
    """The row of a skill: its four layers as four counts."""
    return Row(
        key,
        (
            safe_text.line(found.skill),
            profile(found.profile.state),
            safe_text.line(words.suggested(found.suggested, found.first)),
            safe_text.line(words.chosen(found.chosen)),
            safe_text.line(
                words.invoked(found.confirmed, found.level),
                "$text-success" if found.confirmed else MUTED,
            ),
            safe_text.line(_by(found), MUTED),
        ),
    )


def skill_text(found: SkillLayers) -> str:
    """What a filter looks through."""
    return f"{found.skill} {words.profile(found.profile.state).word} {_by(found)}"


def _by(found: SkillLayers) -> str:
    return "; ".join(
        words.uses(use.host, signs.seat(use.seat), use.chosen, use.confirmed) for use in found.uses
    )


def index_said(index: SkillIndex | Unusable) -> str:
    """Which index layer 1 comes from, or why there is none."""
    if isinstance(index, Unusable):
        return routing.fallback(index.reason)
    return words.index(len(index.entries), index.router)


def found(one: Skill, key: int) -> Row:
    """The row of what stands in a root."""
    real, below = shown_path(one.root.path), shown_path(one.folder)
    where = below.removeprefix(f"{real}/")
    return Row(
        key,
        (
            safe_text.line(one.name),
            signed(odd.sign(one), odd.status(one)),
            safe_text.line(odd.notes(one), "$text-warning"),
            safe_text.line(alike(one)),
            safe_text.line(where, MUTED),
            safe_text.line(ages.size(one.size), MUTED),
        ),
    )


def found_text(one: Skill) -> str:
    """What a filter looks through."""
    return f"{one.name} {odd.status(one)} {odd.notes(one)} {alike(one)} {shown_path(one.folder)}"


def alike(one: Skill) -> str:
    """In what a skill is like others, in few words; only equal bytes are called equal (S13)."""
    said = (words.ALIKE_SHORT[group.by, group.same_bytes] for group in once(one.duplicates))
    return "; ".join(said)


def coverage(taken: Taken) -> Row:
    """The row before the first, over all columns: which roots the list covers (S13)."""
    _, roots, left_out = _covers(taken.inventory)
    return Row(0, (safe_text.line(f"{roots} · {left_out}", "bold"),))


def covered(found: Inventory) -> str:
    """S13: how many skills, in which of the roots, and what was left out and why."""
    return " · ".join(_covers(found))


def _covers(found: Inventory) -> tuple[str, str, str]:
    read = sum(words.READ.get(been.state, False) for been in found.roots)
    return words.covered(len(found.skills), read, len(found.roots), left_out(found.skipped))


def left_out(skipped: Mapping[str, int]) -> str:
    """How many folders were not gone into, and why."""
    if not skipped:
        return odd.NOTHING_SKIPPED
    said = ", ".join(f"{count:,} {odd.SKIPS[why].short}" for why, count in skipped.items())
    return words.left_out(sum(skipped.values()), said)


def none_found(found: Inventory) -> Content:
    """What is said where the roots hold no skill: which they are, and how each was found."""
    said = [safe_text.block(words.NO_INVENTORY), safe_text.line(covered(found))]
    said += [
        safe_text.line(f"{odd.ROOTS[been.state]}: {shown_path(been.root.path)}")
        for been in found.roots
    ]
    return joined(said)
