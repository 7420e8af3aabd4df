"""What stands on the panel's screen, compared with what the journal says."""

import time
from collections.abc import Iterator

import pyte

from benchmarks.terminal import SIZE, Terminal
from state.messages import listing
from state.messages.filters import Filter
from state.overview import overview
from state.project import Project

PATIENCE_SECONDS = 15.0
SETTLED_SECONDS = 0.5
NEWEST = 5
OVERVIEW, QUEUE, JOURNAL = b"1", b"2", b"8"


def differences(project: Project, opened: Terminal) -> list[str]:
    """Where overview, queue and journal mode differ from a view; waits until none does."""
    found: list[str] = []
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = [what for part in (_overview, _queue, _journal) for what in part(project, opened)]
        if not found or time.monotonic() > end:
            return found


def _overview(project: Project, opened: Terminal) -> Iterator[str]:
    shown = _drawn(opened, OVERVIEW)
    with project.view() as view:
        seen = overview(view, project.clock.moment())
        newest = listing.page(view, Filter(), 0, NEWEST)
    if f"Needs you ({seen.needs_total:,})" not in shown and seen.needs_total:
        yield f"not {seen.needs_total} that need the person"
    rows = shown.splitlines()
    for seat in seen.seats:
        name = "you" if seat.kind == "user" else seat.seat
        wanted = [name, f"{seat.unread:,}"]
        if not any(row.replace("▸", " ").replace("│", " ").split()[:2] == wanted for row in rows):
            yield f"not {seat.unread:,} unread of {name}"
    for message in newest:
        if f"#{message.id}" not in shown:
            yield f"not message {message.id} among the newest"


def _queue(project: Project, opened: Terminal) -> Iterator[str]:
    shown = _drawn(opened, QUEUE)
    with project.view() as view:
        count = listing.count(view, Filter())
        newest = listing.page(view, Filter(), 0, NEWEST)
    if f"All messages: {count:,}" not in shown:
        yield f"not {count:,} messages"
    for message in newest:
        if f"#{message.id}" not in shown:
            yield f"not message {message.id} at the top of all"


def _journal(project: Project, opened: Terminal) -> Iterator[str]:
    shown = _drawn(opened, JOURNAL)
    rev = project.journal.head().rev
    if f"{rev:,} lines verified ✓" not in shown:
        yield f"not {rev:,} lines verified"
    if f"r{rev}" not in shown:
        yield f"not line {rev} at the top"
    opened.type(OVERVIEW)


def _drawn(opened: Terminal, mode: bytes) -> str:
    """The screen in a mode with the cursor at the top, drawn anew at another size and back."""
    lines, columns = SIZE
    opened.type(mode)
    opened.quiet(SETTLED_SECONDS)
    opened.type(b"\x1b[H")
    opened.quiet(SETTLED_SECONDS)
    opened.resize(columns - 1, lines)
    opened.quiet(SETTLED_SECONDS)
    after = opened.resize(columns, lines)
    opened.quiet(SETTLED_SECONDS)
    screen = pyte.Screen(columns, lines)
    pyte.ByteStream(screen).feed(opened.raw_since(after))
    return "\n".join(screen.display)
