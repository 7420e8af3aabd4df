"""A skill as a whole, a file that the inventory found, and what the inventory covers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from panel import safe_text
from panel.asks.skill_inventory import Taken
from panel.present import ages, skills_rows
from panel.present.layout import MUTED, heading, indented, joined, labelled
from panel.present.skills_request import layer_1
from panel.present.skills_rows import signed
from panel.words import signs
from panel.words import skills as odd
from panel.words import skills_details as details
from panel.words import skills_screen as words
from state.routing.duplicates import Group, once
from state.routing.inventory import Inventory, RootRead, Skill
from state.routing.notes import shown_path
from state.routing.skills import SkillLayers

MOST_PATHS = 50
MOST_LEFT_OUT = 200


def skill(found: SkillLayers, now: datetime, width: int) -> Content:
    """S1: the four layers of a name as four counts, and by whom."""
    profile = found.profile
    sign = words.profile(profile.state)
    one, two, three, four = words.LAYERS_OF_SKILL
    invoked = words.invoked_in(found.confirmed, found.level)
    parts = [
        *safe_text.line(found.skill, "bold").wrap(max(width, 1)),
        labelled(one, signed(sign, sign.word), width),
        labelled(two, safe_text.line(words.suggested_in(found.suggested, found.first)), width),
        labelled(three, safe_text.line(words.chosen_in(found.chosen)), width),
        labelled(four, safe_text.line(invoked, "$text-success" if found.confirmed else ""), width),
        *safe_text.line(words.COUNTS, MUTED).wrap(max(width, 1)),
        heading(words.BY, width),
    ]
    for use in found.uses:
        said = words.uses(use.host, signs.seat(use.seat), use.chosen, use.confirmed)
        parts += safe_text.line(said).wrap(max(width, 1))
    if not found.uses:
        parts.append(safe_text.line(words.BY_NOBODY, MUTED))
    parts += [heading(words.LAYERS[0], width), layer_1(profile, now, width)]
    return joined(parts)


def file(one: Skill, inventory: Inventory, width: int) -> Content:
    """Everything about one SKILL.md; what is odd hides nothing (S13)."""
    digest = odd.NOT_HASHED if one.sha256 is None else one.sha256
    parts = [
        *safe_text.line(one.name, "bold").wrap(max(width, 1)),
        labelled(words.LAYERS[0], signed(odd.sign(one), odd.status(one)), width),
        labelled(details.FILE, safe_text.line(shown_path(one.path)), width),
        labelled(details.FILE_HASH, safe_text.line(digest), width),
        labelled(words.BYTES, safe_text.line(ages.size(one.size)), width),
        labelled(words.ROOT, safe_text.line(_root(one)), width),
    ]
    if one.description.strip():
        parts.append(labelled(words.SAYS, safe_text.line(one.description.strip()), width))
    for host, answer in one.loads.items():
        parts.append(labelled(words.LOADS, safe_text.line(f"{host}: {odd.LOADS[answer]}"), width))
    if not one.loads:
        parts.append(labelled(words.LOADS, safe_text.line(odd.NO_HOST, MUTED), width))
    if one.problems:
        parts.append(heading(words.ODD, width))
        for note in one.problems:
            parts += safe_text.line(odd.problem(note), "$text-warning").wrap(max(width, 1))
    if one.duplicates:
        parts.append(heading(words.ALIKE, width))
        for group in once(one.duplicates):
            parts += _group(group, inventory, width, but=one)
    return joined([*parts, heading(details.PROFILE, width), *_profile(one, width)])


def _root(one: Skill) -> str:
    return f"{shown_path(one.root.path)} ({odd.whose(one.root.scope, one.root.reader)})"


def _profile(one: Skill, width: int) -> Sequence[Content]:
    """S3: what routing.json says, or each reason for which it is refused."""
    parts: list[Content] = []
    for found in one.profile_problems:
        place = f"{found.field}: " if found.field else ""
        parts += safe_text.line(f"{place}{found.what}", "$text-error").wrap(max(width, 1))
        if found.hint:
            parts.append(indented(safe_text.line(found.hint, MUTED), 2, width))
    told = one.profile
    if told is None:
        if not parts:
            parts += safe_text.line(odd.NO_PROFILE, MUTED).wrap(max(width, 1))
        return parts
    version = f"{details.version(told.profile_version)}, {told.vocabulary}"
    parts += safe_text.line(version).wrap(max(width, 1))
    parts += [
        safe_text.row([(f"{weight:>5}", ""), (feature, MUTED)]) for feature, weight in told.features
    ]
    for name in ("excludes", "platforms", "requires"):
        values: tuple[str, ...] = getattr(told, name)
        if values:
            parts.append(labelled(name, safe_text.line(", ".join(values)), width))
    if told.promoted_from is not None:
        come = words.promoted(told.promoted_from.candidate, told.promoted_from.decision)
        parts += safe_text.line(come).wrap(max(width, 1))
    return parts


def _group(
    group: Group, inventory: Inventory, width: int, but: Skill | None = None
) -> Sequence[Content]:
    """Skills that are alike in one way, with their places; which is right is not said."""
    listed = [inventory.skills[row] for row in group.rows]
    names = ", ".join(dict.fromkeys(one.name for one in listed))
    said = f"{odd.ALIKE[group.by, group.same_bytes]}: {names}"
    parts = list(safe_text.line(said).wrap(max(width, 1)))
    others = [one for one in listed if but is None or one.path != but.path]
    parts += [
        indented(safe_text.line(shown_path(one.folder), MUTED), 2, width)
        for one in others[:MOST_PATHS]
    ]
    if len(others) > MOST_PATHS:
        parts.append(safe_text.line(words.more(len(others) - MOST_PATHS), MUTED))
    return parts


def coverage(taken: Taken, now: datetime, width: int) -> Content:
    """S13: which roots were read, what is odd and alike, what was left out and why."""
    found = taken.inventory
    parts = [
        *safe_text.line(skills_rows.covered(found), "bold").wrap(max(width, 1)),
        safe_text.line(words.taken(ages.when(taken.at, now)), MUTED),
        safe_text.line(odd.READ_ONLY, MUTED),
    ]
    for name, sign in odd.STATUSES.items():
        many = taken.totals.get(name, 0)
        parts.append(labelled(f"{many:,}", signed(sign, sign.word), width))
    parts.append(heading(words.ROOTS, width))
    for been in found.roots:
        parts += safe_text.row([(_became(been), ""), (shown_path(been.root.path), "bold")]).wrap(
            max(width, 1)
        )
        whose = odd.whose(been.root.scope, been.root.reader)
        parts.append(indented(safe_text.line(whose, MUTED), 2, width))
    parts += [heading(words.LEFT_OUT, width), *_left_out(found, width)]
    notes = Counter(note.code for one in found.skills for note in one.problems)
    if notes:
        parts.append(heading(words.ODD, width))
        for code, said in odd.PROBLEMS.items():
            if code in notes:
                parts.append(labelled(f"{notes[code]:,}", safe_text.line(said.sentence), width))
    groups = once(found.groups)
    if groups:
        parts.append(heading(words.ALIKE, width))
        for group in groups:
            parts += _group(group, found, width)
    return joined(parts)


def _became(been: RootRead) -> str:
    return words.in_root(been.skills) if been.skills else odd.ROOTS[been.state]


def _left_out(found: Inventory, width: int) -> Sequence[Content]:
    parts = [safe_text.line(words.folders(found.folders, skills_rows.left_out(found.skipped)))]
    for one in found.left_out[:MOST_LEFT_OUT]:
        said = f"{odd.SKIPS[one.why].short}: {one.path}"
        if one.detail:
            said = f"{said} ({one.detail})"
        parts.append(indented(safe_text.line(said, MUTED), 2, width))
    rest = sum(found.skipped.values()) - min(len(found.left_out), MOST_LEFT_OUT)
    if rest:
        parts.append(indented(safe_text.line(words.more(rest), MUTED), 2, width))
    return [line for part in parts for line in part.wrap(max(width, 1))]
