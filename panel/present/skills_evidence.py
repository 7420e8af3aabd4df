"""What was reported of a choice, and each receipt with its locator and what was checked. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from panel import safe_text
from panel.present import ages
from panel.present.layout import MUTED, indented, joined, labelled
from panel.words import routing, signs
from panel.words import skills_details as details
from panel.words import skills_screen as words
from state.routing.layers import ChoiceLayer, InvocationLayer
from state.routing.operations import Locator, ReceiptRecorded
from state.routing.queries import Choice, ReceiptKept
from state.routing.shown import form_of


def choices(found: ChoiceLayer, now: datetime, width: int) -> Content:
    """S10: every report of a choice, the newest first, each with its source."""
    if not found.all:
        return joined(safe_text.line(details.NO_CHOICE_MEANS, MUTED).wrap(max(width, 1)))
    return joined([_choice(one, now, width) for one in reversed(found.all)])


def _choice(one: Choice, now: datetime, width: int) -> Content:
    given = one.recorded
    sign = words.CHOSE_NONE if given.skill is None else words.CHOSEN
    said = routing.choice(given.skill, given.source)
    head = [(f"{sign.sign} {said}", "bold"), (f"r{one.rev}, {ages.when(one.at, now)}", MUTED)]
    parts = [
        *safe_text.row(head, "  ").wrap(max(width, 1)),
        _below(details.CHOSEN_BY, details.CHOOSERS.get(given.chosen_by, given.chosen_by), width),
        _below(details.OF_SEAT, details.at_host(signs.seat(given.seat), given.host), width),
    ]
    parts += _adapter(given.adapter, given.fingerprint, width)
    if given.locator is not None:
        parts += _locator(given.locator, None, width)
    return joined(parts)


def receipts(found: InvocationLayer, now: datetime, width: int) -> Content:
    """S2, S11: what is proved, then every receipt, refused ones with the reason."""
    said = routing.invocation(found.level, found.skill)
    sign = words.level(found.level)
    parts = safe_text.row([(f"{sign.sign} {said}", f"{sign.style} bold".strip())]).wrap(
        max(width, 1)
    )
    if not found.receipts:
        parts += safe_text.line(details.NO_RECEIPT_MEANS, MUTED).wrap(max(width, 1))
    for one in reversed(found.receipts):
        parts.append(_receipt(one, now, width))
    return joined(parts)


def _receipt(one: ReceiptKept, now: datetime, width: int) -> Content:
    given = one.recorded
    state = details.RECEIPTS[given.state]
    kept = f"r{one.rev}, {ages.when(one.at, now)}"
    head = safe_text.row([(str(state), state.style), (kept, MUTED)], "  ")
    parts = list(head.wrap(max(width, 1)))
    if given.reason is not None:
        why = details.why_refused(routing.refused(given.reason), given.reason)
        parts.append(indented(safe_text.line(why, "$text-error"), 2, width))
    proves = details.proves if given.reason is None else details.said_to_prove
    parts += [
        _below(words.EVIDENCE, proves(given.kind, routing.level(given.level)), width),
        _below(words.SKILL, given.skill or words.NONE, width),
        _below(details.SKILL_FILE, _file_of_skill(given), width),
        _below(details.HAPPENED, ages.when(given.at, now), width),
        _below(details.SOURCE, routing.source(given.source), width),
        _below(details.OF_SEAT, details.at_host(signs.seat(given.seat), given.host), width),
    ]
    parts += _adapter(given.adapter, given.fingerprint, width)
    parts += _locator(given.locator, given.file_sha256, width)
    if given.reason is None:
        parts.append(_below(details.CHECKED, _checked(given), width))
    return joined(parts)


def _file_of_skill(given: ReceiptRecorded) -> str:
    return details.skill_file(given.skill_sha256, given.skill_sha256_by)


def _checked(given: ReceiptRecorded) -> str:
    """S11: what the program looked at, and what is an adapter's word."""
    if given.locator.file is None:
        return details.CHECKED_EVENT
    is_known = form_of(given.host, given.kind) is not None
    return details.CHECKED_FILE if is_known else details.CHECKED_ENTRY


def _adapter(adapter: str | None, fingerprint: str | None, width: int) -> Sequence[Content]:
    if adapter is None:
        return [_below(details.ADAPTER, words.NONE, width)]
    return [_below(details.ADAPTER, details.adapter(adapter, fingerprint or ""), width)]


def _locator(place: Locator, file_sha256: str | None, width: int) -> Sequence[Content]:
    """Where the evidence stands; what isn't known is left out."""
    named = [
        (details.EVENT, place.event),
        (details.SESSION, place.session),
        (details.AGENT, place.agent),
        (details.TOOL_USE, place.tool_use),
        (details.FILE, place.file),
        (details.FILE_HASH, None if file_sha256 is None else details.sha256(file_sha256)),
        (details.OFFSET, None if place.offset is None else details.byte(place.offset)),
        (details.ENTRY_HASH, None if place.sha256 is None else details.sha256(place.sha256)),
    ]
    return [_below(name, value, width) for name, value in named if value is not None]


def _below(label: str, value: str, width: int) -> Content:
    return indented(labelled(label, safe_text.line(value), max(width - 2, 1)), 2, width)
