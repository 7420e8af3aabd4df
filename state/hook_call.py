"""One call of a hook: what the host sent is recorded, kept for later, noted, or only counted.

Of a host whose adapter isn't registered nothing is left but a count (S15). No error of the project
comes through: a hook never fails its host.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from state import files
from state.adapters import queries as adapters
from state.checks import RESERVED, SEAT_ID
from state.command import Actor, Command
from state.errors import BadInput, NotFound, Refused, StateError
from state.project import Committed, Project

if TYPE_CHECKING:
    from state.routing.events import Event
    from state.routing.hooks.seen import Seen

# A hook has a second in all, and starting the program takes its part of it.
WAIT_SECONDS = 0.2
# So many calls are counted of a host whose adapter isn't registered: it is the file's size.
COUNT_LIMIT = 1 << 20

RECORDED = "recorded"
KNOWN = "recorded_before"
NOTHING = "nothing"
SPOOLED = "spooled"
NOTED = "noted"
UNREGISTERED = "unregistered"
LOST = "lost"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call: one of the words above.

    `event` is the name of a known event, `note` what was noted, `rev` the line that was written.
    """

    word: str
    event: str = ""
    note: str | None = None
    rev: int | None = None


class HookCall:
    """A call for a host. `seat` is the one that was named, None without one."""

    def __init__(self, project: Project, host: str, seat: str | None) -> None:
        self._project = project
        self._host = host
        self._adapter = f"builtin:{host}"
        self._seat = seat
        self.is_registered = False
        self._pending: tuple[Event, ...] = ()

    def take(self, read: Callable[[], bytes | str], home: str) -> Outcome:
        """Takes one event; `read` gives its bytes, or the word of a note for why there are none.

        It is read even when nothing is kept of it, so that its host doesn't write into nothing.
        """
        try:
            with self._project.view() as view:
                self.is_registered = adapters.registered(view, self._adapter) is not None
        except StateError:
            # What is wrong with the project is said by everything else.
            return Outcome(LOST)
        raw = read()
        if not self.is_registered:
            self._count()
            return Outcome(UNREGISTERED)
        if isinstance(raw, str):
            return self.note(raw)
        from state.routing.hooks.event import read as read_event

        reading = read_event(self._host, raw, home)
        if reading.note is not None:
            return self.note(reading.note, reading.event)
        if reading.seen is None:
            return Outcome(NOTHING, reading.event)
        if self._seat is None:
            return self.note("no_seat", reading.event)
        if self._named_seat() == "":
            return self.note("refused", reading.event)
        return self._record(reading.seen, reading.event, self._seat)

    def note(self, word: str, event: str = "") -> Outcome:
        """Notes what kept the hook from its work, for the panel to show."""
        from state.routing.events import SYSTEM, NoteHook

        noted = NoteHook(self._host, word, event, self._named_seat())
        try:
            done = self._run(noted, SYSTEM)
        except Refused:
            return Outcome(LOST, event, word)
        except StateError:
            return Outcome(NOTED if self.spool_note(word, event) else LOST, event, word)
        return Outcome(NOTED, event, word, done.rev if done.ops else None)

    def give_up(self, word: str) -> None:
        """There is no time for more: what is understood waits in the spool, else a note does.

        Should it be recorded already, whoever takes it over sees that.
        """
        if self._pending:
            self._spool("")
        elif self.is_registered:
            self.spool_note(word)

    def spool_note(self, word: str, event: str = "") -> bool:
        """Leaves a note in the spool; False where that can't be."""
        from state.routing.events import NoteHook
        from state.routing.spool import NOTES_LIMIT, Kept, put

        seat = self._named_seat()
        kept = Kept(self._host, seat, (), NoteHook(self._host, word, event, seat))
        return put(self._project.paths, kept, self._project.clock.now(), NOTES_LIMIT)

    def _record(self, seen: "Seen", event: str, seat: str) -> Outcome:
        from state.routing.events import HOOK, RecordEvents
        from state.routing.recording import events_of

        with self._project.view() as view:
            from state.routing.roots import configured

            found = adapters.registered(view, self._adapter)
            roots = configured(view, self._project.paths.project)
        fingerprint = self._fingerprint()
        if found is None or found.fingerprint != fingerprint:
            return self.note("drifted", event)
        events = events_of(
            seen,
            host=self._host,
            seat=seat,
            fingerprint=fingerprint,
            roots=roots,
            source=HOOK,
            at=self._project.clock.now(),
        )
        if not events:
            return Outcome(NOTHING, event)
        if self._are_recorded(events):
            return Outcome(KNOWN, event)
        self._pending = events
        try:
            return Outcome(RECORDED, event, None, self._run(RecordEvents(events), seat).rev)
        except (Refused, BadInput, NotFound):
            # Another hook may have been faster with the very same event.
            return (
                Outcome(KNOWN, event) if self._are_recorded(events) else self.note("refused", event)
            )
        except StateError:
            # The lock is held, or the journal can't be written now; what it proves stays true.
            return self._spool(event)

    def _spool(self, event: str) -> Outcome:
        from state.routing.spool import FILES_LIMIT, Kept, put

        kept = Kept(self._host, self._named_seat(), self._pending)
        if put(self._project.paths, kept, self._project.clock.now(), FILES_LIMIT):
            return Outcome(SPOOLED, event)
        self.spool_note("spool_full", event)
        return Outcome(LOST, event, "spool_full")

    def _run(self, command: Command, seat: str) -> Committed:
        return self._project.run(command, Actor(seat, "hook"), wait=WAIT_SECONDS)

    def _are_recorded(self, events: "tuple[Event, ...]") -> bool:
        from state.routing.recording import is_recorded

        with self._project.view() as view:
            return all(is_recorded(view, event) for event in events)

    def _fingerprint(self) -> str:
        from state.adapters.check import take_for

        return take_for(self._adapter, ()).fingerprint

    def _named_seat(self) -> str:
        """The seat that was named, as it can stand in a note: none that a hook may not act for."""
        seat = self._seat or ""
        return seat if SEAT_ID.fullmatch(seat) and seat not in RESERVED else ""

    def _count(self) -> None:
        """S15: one call more, and nothing else."""
        path = self._project.paths.hook_calls(self._host)
        with suppress(OSError):
            files.create(path)
        with suppress(OSError), open(path, "ab") as file:
            if os.fstat(file.fileno()).st_size < COUNT_LIMIT:
                file.write(b".")
