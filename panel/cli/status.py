"""`status`: what the first screen says, in one answer, also when no screen can be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from panel.cli import output, seats, shapes
from panel.cli.call import Call
from panel.cli.parser import Verb
from panel.neutral import plain
from panel.present import ages
from panel.words import needs as words
from panel.words import signs
from state.needs import Need
from state.overview import Overview, overview


def _run(call: Call) -> int:
    with call.looking() as view:
        now = call.project.clock.moment()
        seen = overview(view, now, damaged=not call.is_sound)
    shown = {
        "project": seen.project,
        "name": seen.name,
        "rev": seen.rev,
        "state": call.state,
        "verified": call.verified(),
        "roster": seen.roster,
        "hidden": {"seats": seen.hidden_seats, "unread": seen.hidden_unread},
        "seats": shapes.seats(seen.seats, seen.looks),
        "needs": [need for need in (call.trouble_need, *map(_shape, seen.needs)) if need],
        "messages": seen.messages,
    }
    return call.answer(shown, lambda: _lines(call, seen, ages.parsed(now.utc)))


def _shape(need: Need) -> dict[str, Any]:
    return {
        "kind": need.kind,
        "seat": need.seat or None,
        "id": need.id,
        "since": need.since,
        "text": words.text(need),
        "hidden": need.hidden,
    }


def _lines(call: Call, seen: Overview, now: datetime) -> Iterator[str]:
    yield output.heading(f"{plain(seen.name)} · roster r{seen.roster} · line {seen.rev:,}")
    yield _verified(call, seen, now)
    yield ""
    trouble = call.trouble_need
    if seen.needs or trouble is not None:
        yield output.heading(words.title(seen.needs_total + (trouble is not None)))
        rows = [_need(need, now) for need in seen.needs]
        if trouble is not None:
            rows.insert(0, (words.HEALTH.sign, words.HEALTH.word, "", "", trouble["text"]))
        yield from output.table(("", "seat", "since", "about", "what"), rows, keep=(0, 2, 3))
    else:
        windows = seen.wakes.open_windows
        known = words.how_known(len(seen.seats), windows, f"{seen.rev:,}", call.is_sound)
        yield f"{words.NOBODY} ({known})"
    yield ""
    yield from seats.table(seen, now, everyone=False)


def _need(need: Need, now: datetime) -> tuple[str, ...]:
    sign = words.need(need.kind)
    hidden = f"{words.HIDDEN} · " if need.hidden else ""
    return (
        sign.sign,
        signs.seat(need.seat),
        ages.age(need.since, now),
        words.about(need),
        f"{hidden}{words.said(sign.word, words.text(need))}",
    )


def _verified(call: Call, seen: Overview, now: datetime) -> str:
    last = f"last line verified: {seen.rev:,}" if call.is_sound else f"state: {call.state}"
    checked = call.verified()
    if checked["at"] is None:
        return f"{last} · whole chain: not checked yet (journal verify)"
    return f"{last} · whole chain up to line {checked['to']:,}: {ages.when(checked['at'], now)}"


VERBS = Verb(
    _run,
    "What the first screen says: what needs you, who is seated, what is unread.",
    more="Needs neither a seat nor a terminal and changes nothing.",
    examples=("sublation-panel status", "sublation-panel status --json"),
)
