"""A suggestion explained to the last weight (S7), a fallback as a signal (S8). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from textual.content import Content

from panel import safe_text
from panel.present import ages
from panel.present.layout import MUTED, indented, joined, labelled, table
from panel.words import routing
from panel.words import skills_details as details
from state.routing.queries import Suggestion
from state.routing.router import Candidate


def suggestion(found: Suggestion, now: datetime, width: int) -> Content:
    """What was asked, what the router answered and why, and that nobody has to follow it (S9)."""
    made = found.made
    said = details.made(found.rev, ages.when(found.at, now), found.by)
    parts = safe_text.line(said).wrap(max(width, 1))
    if made.offline:
        parts += safe_text.line(details.OFFLINE_MEANS, "$text-warning").wrap(max(width, 1))
    parts += safe_text.line(details.IN_SHADOW, MUTED).wrap(max(width, 1))
    asked = ", ".join(made.features)
    if made.sample is not None:
        asked = details.of_sample(made.sample, asked)
    parts.append(labelled(details.ASKED_FOR, safe_text.line(asked), width))
    index = details.NO_INDEX if made.index is None else details.sha256(made.index)
    by = f"{made.router}, {made.vocabulary}"
    parts.append(labelled(details.ROUTER, safe_text.line(by), width))
    parts.append(labelled(details.INDEX, safe_text.line(index), width))
    considered = details.considered(made.considered, made.threshold)
    parts.append(labelled(details.CONSIDERED, safe_text.line(considered), width))
    if made.fallback_used:
        why = routing.fallback(made.fallback_reason or "")
        fell = details.fell_back(made.fallback_target or "", why, made.fallback_reason or "")
        parts += safe_text.line(fell, "$text-warning").wrap(max(width, 1))
        parts += safe_text.line(details.SIGNAL, MUTED).wrap(max(width, 1))
    for place, one in enumerate(made.candidates, 1):
        parts += _candidate(details.place(place), one, width)
    for one in made.excluded:
        parts += _candidate(details.EXCLUDED, one, width)
    if made.drifted_count:
        left = details.drifted(", ".join(made.drifted), made.drifted_count - len(made.drifted))
        parts += safe_text.line(left, "$text-warning").wrap(max(width, 1))
    return joined(parts)


def _candidate(head: str, one: Candidate, width: int) -> Iterator[Content]:
    named = [(head, MUTED), (one.skill, "bold"), (details.score(one.score), "")]
    yield from safe_text.row(named).wrap(max(width, 1))
    for feature in one.excluded_by:
        yield indented(safe_text.line(details.excluded_by(feature), "$text-warning"), 3, width)
    rows = _weights(one)
    if not rows:
        return
    inner = max(width - 3, 1)
    shown = table(details.WEIGHTS, rows, inner)
    if shown is None:
        shown = joined([safe_text.row([cell for cell in row if cell.plain]) for row in rows])
    yield indented(shown, 3, width)


def _weights(one: Candidate) -> Sequence[Sequence[Content]]:
    """Of each feature the points, and what they are reckoned from."""
    rows = [
        (
            safe_text.fit(f"{got.points:+}", 6, style="$text-success", align="right"),
            safe_text.line(got.feature),
            safe_text.line(details.weighed(got.weight, got.share), MUTED),
        )
        for got in one.matched
    ]
    rows += [
        (
            safe_text.fit(f"{-lost.points:+}", 6, style="$text-warning", align="right"),
            safe_text.line(lost.feature),
            safe_text.line(_lowered(lost.what, lost.weight, lost.share), MUTED),
        )
        for lost in one.lowered
    ]
    return rows


def _lowered(what: str, weight: int, share: int) -> str:
    said = routing.LOWERED.get(what, what)
    reckoned = details.share(share) if not weight else details.weighed(weight, share)
    return details.an_eighth(said, reckoned)
