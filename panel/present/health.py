"""What to say about a project that can't be written, or not be trusted. Pure."""

from __future__ import annotations

from textual.content import Content

from panel import safe_text
from panel.snapshot import Snapshot
from panel.words import states
from state.errors import StateError


def trouble(snapshot: Snapshot) -> Content | None:
    """The words of the banner: what is wrong, that the last good state is shown, what to do."""
    health = snapshot.health
    said = states.TROUBLES.get(health.state)
    if said is None:
        if health.trouble is not None:
            said = states.OTHER_TROUBLE
        elif snapshot.verified.wrong is not None:
            said = states.wrong(snapshot.verified.wrong)
        else:
            return None
    parts = [said]
    if health.trouble is not None and health.state not in states.IN_FULL:
        parts += [health.trouble.message, health.trouble.hint]
    return safe_text.line(" · ".join(part for part in parts if part))


def needs_person(snapshot: Snapshot) -> Content | None:
    """What is wrong and waits for the person; not being allowed to write is no such thing."""
    settled = snapshot.health.trouble is None and snapshot.verified.wrong is None
    return None if settled else trouble(snapshot)


def failure(error: StateError) -> Content:
    """The words of the banner where the project was never seen at all."""
    return safe_text.line(states.with_hint(states.not_opened(error.message), error.hint))


def why_not_written(snapshot: Snapshot | None, failure: StateError | None = None) -> str | None:
    """None when commands may be tried, else in one line why none can be.

    `failure` is why there is no picture at all.
    """
    if snapshot is None:
        return states.OPENING if failure is None else states.NOT_OPEN
    health = snapshot.health
    if health.state in states.IN_FULL:
        return states.TROUBLES[health.state]
    if health.trouble is not None:
        return states.with_hint(health.trouble.message, health.trouble.hint)
    return None if health.writable else states.READ_ONLY
