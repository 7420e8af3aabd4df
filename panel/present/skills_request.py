"""A request as a whole: the four layers side by side, then the evidence of each by itself. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from textual.content import Content

from panel import safe_text
from panel.asks.skills import OpenedRequest
from panel.present import ages
from panel.present.layout import MUTED, heading, indented, joined, labelled, table
from panel.present.skills_evidence import choices, receipts
from panel.present.skills_rows import signed
from panel.present.skills_suggestion import suggestion
from panel.words import routing, signs
from panel.words import skills_details as details
from panel.words import skills_screen as words
from state.routing.layers import RequestLayers
from state.routing.profile_layer import ProfileLayer
from state.routing.queries import Suggestion


class _Layer(NamedTuple):
    """One layer in short: its state, the skill it is about, what shows it, since when."""

    state: Content
    skill: str
    evidence: str
    age: str


def whole(opened: OpenedRequest, now: datetime, width: int) -> Content:
    """Everything about a request for a pane of this width (S1)."""
    found = opened.layers
    parts = [
        *safe_text.line(details.a_request(found.request), "bold").wrap(max(width, 1)),
        _where(found, now),
        heading(details.SIDE_BY_SIDE, width),
        four(found, now, width),
        heading(words.LAYERS[0], width),
        layer_1(found.profile, now, width),
        heading(words.LAYERS[1], width),
        *_suggestions(opened, now, width),
        heading(words.LAYERS[2], width),
        choices(found.choice, now, width),
        heading(words.LAYERS[3], width),
        receipts(found.invocation, now, width),
    ]
    apart = [one for one in found.offline if one is not found.suggestion.last]
    if apart:
        parts.append(heading(details.OFFLINE_APART, width))
        parts.append(safe_text.line(details.NO_PART, MUTED))
        parts += [suggestion(one, now, width) for one in apart]
    return joined(parts)


def _where(found: RequestLayers, now: datetime) -> Content:
    said = [found.host, signs.seat(found.seat)] if found.host else [signs.seat(found.seat)]
    said.append(details.between(ages.when(found.at, now), ages.when(found.last_at, now)))
    if not found.host:
        said.insert(0, details.NO_HOST)
    if not found.known:
        said.append(details.NOT_KNOWN_REQUEST)
    return safe_text.line(" · ".join(said))


def four(found: RequestLayers, now: datetime, width: int) -> Content:
    """S1: the layers beside each other, below each other where there is no room; never as one."""
    layers = _layers(found, now)
    rows = [
        (safe_text.line(words.STATE, MUTED), *(one.state for one in layers)),
        (safe_text.line(words.SKILL, MUTED), *(safe_text.line(one.skill) for one in layers)),
        (safe_text.line(words.EVIDENCE, MUTED), *(safe_text.line(one.evidence) for one in layers)),
        (safe_text.line(words.AGE, MUTED), *(safe_text.line(one.age) for one in layers)),
    ]
    beside = table(("", *words.LAYERS), rows, width)
    if beside is not None:
        return beside
    return joined(
        [
            labelled(name, _below(layer), width)
            for name, layer in zip(words.LAYERS, layers, strict=True)
        ]
    )


def _below(layer: _Layer) -> Content:
    said = [layer.state]
    if layer.skill != words.NONE:
        said.append(safe_text.line(layer.skill, "bold"))
    rest = [one for one in (layer.evidence, layer.age) if one != words.NONE]
    return safe_text.row([*said, *(safe_text.line(one, MUTED) for one in rest)], " · ")


def _layers(found: RequestLayers, now: datetime) -> Sequence[_Layer]:
    one, two, three, four = found.profile, found.suggestion, found.choice, found.invocation
    made = None if two.last is None else two.last.made
    sign = words.profile(one.state)
    version = words.NONE if one.profile_version is None else details.version(one.profile_version)
    suggested = details.SUGGESTIONS[two.state]
    chosen = details.CHOICES[three.state]
    proof = words.NONE if four.proof is None else _kind(four.proof.recorded.kind, four.proof.rev)
    return (
        _Layer(signed(sign, sign.word), one.skill or words.NONE, version, _when(one.at, now)),
        _Layer(
            signed(suggested, details.suggestion_state(two.state, made)),
            two.skill or words.NONE,
            words.NONE if two.last is None else f"{two.last.made.router}, r{two.last.rev}",
            _when(two.at, now),
        ),
        _Layer(
            signed(chosen, chosen.word),
            three.skill or words.NONE,
            words.NONE if three.last is None else details.reported(three.source, three.last.rev),
            _when(three.at, now),
        ),
        _Layer(
            signed(words.level(four.level), routing.level(four.level)),
            four.skill or words.NONE,
            proof,
            _when(four.at, now),
        ),
    )


def _kind(kind: str, rev: int) -> str:
    return f"{kind}, r{rev}"


def _when(at: str | None, now: datetime) -> str:
    return words.NONE if at is None else ages.age(at, now)


def layer_1(found: ProfileLayer, now: datetime, width: int) -> Content:
    """Layer 1: what a skill says of itself, and nothing about where it can be used (S4)."""
    if found.path is None:
        said = details.PROFILE_MEANS.get(found.state, "")
        return safe_text.line(said, MUTED) if said else Content("")
    sign = words.profile(found.state)
    parts = [
        labelled(words.STATE, signed(sign, sign.word), width),
        labelled(words.SKILL, safe_text.line(found.skill or words.NONE), width),
        labelled(details.FILE, safe_text.line(found.path), width),
        labelled(details.PROFILE, _hash(found.profile_sha256), width),
        labelled(details.SKILL_FILE, _hash(found.skill_sha256), width),
    ]
    if found.at is not None:
        built = details.built(ages.when(found.at, now))
        parts.append(labelled(details.INDEX, safe_text.line(built), width))
    if found.entries > 1:
        parts.append(safe_text.line(details.several(found.entries), "$text-warning"))
    if meant := details.PROFILE_MEANS.get(found.state):
        parts += safe_text.line(meant, MUTED).wrap(max(width, 1))
    return joined(parts)


def _hash(digest: str | None) -> Content:
    return safe_text.line(words.NONE if digest is None else details.sha256(digest))


def _suggestions(opened: OpenedRequest, now: datetime, width: int) -> Sequence[Content]:
    """The suggestion that counts in full, and the lines of those before it."""
    last = opened.layers.suggestion.last
    if last is None:
        return [safe_text.line(routing.NO_SUGGESTION, MUTED)]
    parts = [suggestion(last, now, width)]
    hidden = {one.rev for one in opened.layers.offline}
    before = [
        one
        for one in opened.suggestions
        if one.rev != last.rev and (one.rev not in hidden or not opened.layers.host)
    ]
    if before:
        parts.append(safe_text.line(details.EARLIER, MUTED))
        parts += [indented(_earlier(one, now), 2, width) for one in before]
    return parts


def _earlier(one: Suggestion, now: datetime) -> Content:
    made = one.made
    first = made.candidates[0].skill if made.candidates and not made.fallback_used else None
    said = routing.suggestion(first, made.fallback_reason, asked=True, offline=made.offline)
    return safe_text.row([(f"r{one.rev}", MUTED), (ages.when(one.at, now), MUTED), (said, "")])
