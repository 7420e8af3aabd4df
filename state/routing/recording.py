"""From what a host's evidence says to the events that record it (S2, S11, S16)."""

import os
from collections.abc import Iterable

from state.index.view import View
from state.routing import queries, requests
from state.routing.events import Event
from state.routing.hooks.seen import Seen
from state.routing.known import of_seen
from state.routing.operations import Locator
from state.routing.roots import Root


def events_of(
    seen: Seen,
    *,
    host: str,
    seat: str,
    fingerprint: str,
    roots: Iterable[Root],
    source: str,
    at: str,
    file: tuple[str, str] | None = None,
    line: tuple[int, str] | None = None,
) -> tuple[Event, ...]:
    """One event for each skill that it is about; `file` and `line` are path or offset, and sha256.

    Evidence that names no id is an occasion of its own.
    """
    request = requests.of_event(host, seen.session, *seen.ids)
    if request is None:
        request = f"{host}:unnamed:{os.urandom(8).hex()}"
    path, file_sha256 = file or (None, None)
    offset, sha256 = line or (None, None)
    where = (seen.session, seen.agent, seen.event, seen.tool_use, path, offset, sha256)
    return tuple(
        Event(
            request=request,
            host=host,
            seat=seat,
            kind=seen.kind,
            skill=one.skill,
            skill_sha256=one.sha256,
            at=at,
            source=source,
            adapter=f"builtin:{host}",
            fingerprint=fingerprint,
            locator=Locator(*where),
            file_sha256=file_sha256,
        )
        for one in of_seen(seen, host, roots)
    )


def is_recorded(view: View, event: Event) -> bool:
    """Whether the receipt that it would write stands in the journal; each kind fills layer 4."""
    return queries.has_receipt(view, event.request, event.skill, event.kind)
