"""`route receipt --transcript`: uses of skills found after the fact in a host's own transcript."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from panel.cli.call import Call
from panel.neutral import plain
from panel.words import routing
from state.errors import BadInput

if TYPE_CHECKING:
    from state.routing.events import Event
    from state.routing.transcripts import Transcript


def run(call: Call, file: str) -> int:
    """Records what the transcript proves and the journal lacks, for the seat that acts."""
    from state.adapters import queries as adapters
    from state.adapters.check import take_for
    from state.routing import decide, transcripts
    from state.routing.events import RecordEvents
    from state.routing.recording import is_recorded
    from state.routing.roots import configured

    actor = call.actor()
    seat = call.args.of_seat or actor.seat
    found = transcripts.read(file, os.path.expanduser("~"))
    if found.host is None:
        raise BadInput(
            "no line of it is one of a host that is known here",
            "a transcript of Claude Code, or a rollout of Codex",
            field="transcript",
        )
    adapter = f"builtin:{found.host}"
    fingerprint = take_for(adapter, ()).fingerprint
    with call.project.view() as view:
        registered = adapters.registered(view, adapter)
        decide.for_seat(actor.seat, seat)
        decide.may_report(adapter, fingerprint, found.host, registered)
        events = transcripts.events(
            found,
            seat=seat,
            fingerprint=fingerprint,
            roots=configured(view, call.paths.project),
            now=call.project.clock.now(),
        )
        new = [event for event in events if not is_recorded(view, event)]
    rev = None
    for first in range(0, len(new), transcripts.AT_ONCE):
        command = RecordEvents(tuple(new[first : first + transcripts.AT_ONCE]))
        rev = call.project.run(command, actor).rev
    said = (found, events, frozenset(new), rev)
    return call.answer(_shape(*said), lambda: _lines(*said))


def _shape(
    found: Transcript, events: tuple[Event, ...], new: frozenset[Event], rev: int | None
) -> dict[str, Any]:
    return {
        "file": found.path,
        "host": found.host,
        "bytes": found.bytes,
        "sha256": found.sha256,
        "lines": found.lines,
        "unreadable": found.unreadable,
        "too_long": found.too_long,
        "left_out": found.left_out,
        "found": len(events),
        "recorded": len(new),
        "rev": rev,
        "events": [_event(event, event in new) for event in events],
    }


def _event(event: Event, is_new: bool) -> dict[str, Any]:
    from state.routing.evidence import fills

    return {
        "request": event.request,
        "skill": event.skill,
        "kind": event.kind,
        "level": fills(event.host, event.kind).level,
        "offset": event.locator.offset,
        "recorded": is_new,
    }


def _lines(
    found: Transcript, events: tuple[Event, ...], new: frozenset[Event], rev: int | None
) -> Iterator[str]:
    from state.routing.evidence import fills

    yield plain(f"{found.host}: {_count(found.lines, 'line')} of {found.path}")
    if found.unreadable:
        yield f"{_count(found.unreadable, 'line')} could not be read"
    if found.too_long:
        yield f"{_count(found.too_long, 'line')} too long to be read"
    if found.left_out:
        yield f"{_count(found.left_out, 'name')} not taken"
    for event in events:
        again = "" if event in new else ", recorded before"
        level = routing.level(fills(event.host, event.kind).level)
        yield plain(f"  {event.skill}: {level}{again} ({event.request})")
    before = len(events) - len(new)
    where = "" if rev is None else f" up to r{rev}"
    yield f"{len(new):,} recorded{where}, {before:,} recorded before"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
