"""Hook events that could not be written: one file each, until the next command that writes (S15).

A file holds ids, names and words of closed lists, never a text of the host's. One that can't be
taken is set aside and noted; none is lost without a word.
"""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from state import files
from state.clock import Clock, Moment, parse
from state.command import USER, Actor
from state.errors import BadInput, Refused
from state.index.view import View
from state.index.writer import IndexWriter
from state.journal.writer import Author, Writer
from state.paths import Paths
from state.routing.events import SYSTEM, Event, NoteHook, RecordEvents
from state.routing.operations import Locator
from state.routing.recording import is_recorded

VERSION = 1
HOOK = "hook"
# The time in nanoseconds, so that what came first is taken first; the host; what makes it unique.
NAME = re.compile(r"([0-9]{20})-([a-z-]{1,40})-[0-9a-f]{16}\.json")
UNFINISHED = ".new"
FILE_LIMIT = 16 * 1024
EVENTS_LIMIT = 16
# More files than that are not kept; more at once would make a command slow.
FILES_LIMIT = 1000
# That something was not kept is said all the same.
NOTES_LIMIT = FILES_LIMIT + 24
AT_ONCE = 8
# What was not finished by then never will be.
STALE_NS = 600 * 10**9


@dataclass(frozen=True, slots=True)
class Kept:
    """What a file of the spool holds: events of a seat, or a note, both of one host."""

    host: str
    seat: str
    events: tuple[Event, ...] = ()
    note: NoteHook | None = None


def put(paths: Paths, kept: Kept, now: str, limit: int) -> bool:
    """Leaves it for whoever holds the lock next, unless there are `limit` files already.

    False where there is no room or no right to.
    """
    name = f"{nanoseconds(now):020d}-{kept.host}-{os.urandom(8).hex()}.json"
    raw = orjson.dumps({"v": VERSION, "seat": kept.seat, "events": kept.events, "note": kept.note})
    if len(raw) > FILE_LIMIT:
        return False
    target = paths.spooled(name)
    try:
        files.make_folder(paths.spool)
        if len(os.listdir(paths.spool)) >= limit:
            return False
        files.replace_file(target, raw, target + UNFINISHED)
    except OSError:
        return False
    return True


def take_over(
    paths: Paths, names: Sequence[str], index: IndexWriter, writer: Writer, clock: Clock
) -> None:
    """Writes what waits into the journal, the first first, under the lock that `writer` holds.

    Names that the program didn't give are left alone. A line is written before its file goes, so
    that a death in between loses nothing; what is recorded already is not written twice.
    IndexFailed and the errors of appending come through.
    """
    now = clock.moment()
    for name in sorted(filter(NAME.fullmatch, names))[:AT_ONCE]:
        view = index.caught_up(writer.taken(), writer.head)
        with suppress(OSError):
            _take(paths, name, view, writer, now)
    _sweep(paths, names, nanoseconds(now.utc))


def nanoseconds(utc: str) -> int:
    """A time as the names of files tell it."""
    return round(parse(utc).timestamp() * 1_000_000) * 1000


def _take(paths: Paths, name: str, view: View, writer: Writer, now: Moment) -> None:
    seat, why = SYSTEM, None
    ops: Sequence[object] = ()
    try:
        kept = _parse(paths, name)
        seat = kept.seat if kept.note is None else SYSTEM
        ops = _ops(kept, view, now)
    except BadInput:
        why = "spool_damaged"
    except Refused:
        why = "refused"
    if why is not None:
        seat, ops = SYSTEM, _noted(name, why, view, now)
    if ops:
        writer.append(Author(seat, HOOK, os.urandom(16).hex(), {}), now.utc, ops)
    if why is None:
        files.unlink(paths.spooled(name))
    else:
        files.rename(paths.spooled(name), paths.quarantined(f"spool-{name}"))


def _ops(kept: Kept, view: View, now: Moment) -> Sequence[object]:
    if kept.note is not None:
        return kept.note.decide(view, Actor(SYSTEM, HOOK), now)
    new = tuple(event for event in kept.events if not is_recorded(view, event))
    return RecordEvents(new).decide(view, Actor(kept.seat, HOOK), now) if new else ()


def _noted(name: str, why: str, view: View, now: Moment) -> Sequence[object]:
    """The note about a file that is set aside; none of a host whose adapter isn't registered."""
    named = NAME.fullmatch(name)
    try:
        host = "" if named is None else named[2]
        return NoteHook(host, why).decide(view, Actor(SYSTEM, HOOK), now)
    except Refused:
        return ()


def _sweep(paths: Paths, names: Sequence[str], now_ns: int) -> None:
    """Takes away what a hook began and can't finish any more."""
    for name in names:
        named = NAME.fullmatch(name.removesuffix(UNFINISHED))
        if name.endswith(UNFINISHED) and named and now_ns - int(named[1]) > STALE_NS:
            with suppress(OSError):
                files.unlink(paths.spooled(name))


def _parse(paths: Paths, name: str) -> Kept:
    """What a file holds. BadInput for anything that `put` could not have written."""
    try:
        fields = orjson.loads(files.read_whole(paths.spooled(name), FILE_LIMIT + 1))
        if set(fields) != {"v", "seat", "events", "note"} or fields["v"] != VERSION:
            raise _damaged()
        events = tuple(_event(one) for one in fields["events"])
        note = None if fields["note"] is None else NoteHook(**fields["note"])
        if bool(events) == bool(note) or len(events) > EVENTS_LIMIT:
            raise _damaged()
        host = events[0].host if note is None else note.host
        if note is None and Actor(fields["seat"], HOOK).seat in (USER, SYSTEM):
            raise _damaged()
        return Kept(host, fields["seat"], events, note)
    except (OSError, orjson.JSONDecodeError, TypeError, KeyError, AttributeError) as error:
        raise _damaged() from error


def _event(fields: dict[str, Any]) -> Event:
    return Event(**{**fields, "locator": Locator(**fields["locator"])})


def _damaged() -> BadInput:
    return BadInput("a file of the spool is damaged", "it is set aside", field="spool")
