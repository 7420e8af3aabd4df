"""What a host's own hook or transcript shows, as one command (S2, S10, S11, S15, S16).

Each event makes its own request where there was none. It carries ids and names, never a text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.adapters import queries as adapters
from state.clock import Moment
from state.command import Actor
from state.index.view import View
from state.roster import queries as roster
from state.roster.decide import may_act
from state.routing import decide, fields, hook_notes, queries, requests
from state.routing.evidence import KINDS, fills
from state.routing.operations import ChoiceRecorded, HookNoted, Locator, ReceiptRecorded

HOOK = "hook"
TRANSCRIPT = "transcript"
SYSTEM = "system"
# What kept a hook from its work; the words for people are in the panel.
NOTES = (
    *("bad_input", "too_large", "unknown_event", "unnamed", "timeout", "no_seat", "drifted"),
    *("refused", "spool_full", "spool_damaged", "bug"),
)


@dataclass(frozen=True, slots=True)
class Event:
    """One piece of evidence; `source` is `hook` or `transcript`.

    `request` is what `requests.of_event` gives. `file_sha256` is that of the transcript as far as
    it was read, None for a hook event.
    """

    request: str
    host: str
    seat: str
    kind: str
    skill: str | None
    skill_sha256: str
    at: str
    source: str
    adapter: str
    fingerprint: str
    locator: Locator
    file_sha256: str | None = None

    def __post_init__(self) -> None:
        requests.check(self.request)
        fields.label(self.host, "host")
        fields.seat(self.seat, "seat")
        fields.one_of(KINDS, self.kind, "kind")
        fields.label_or_none(self.skill, "skill")
        fields.skill_sha256(self.skill_sha256, "skill_sha256")
        object.__setattr__(self, "at", checks.moment(self.at, "at"))
        fields.one_of((HOOK, TRANSCRIPT), self.source, "source")
        fields.label(self.adapter, "adapter")
        fields.sha256(self.fingerprint, "fingerprint")
        fields.locator(self.locator)
        if self.file_sha256 is not None:
            fields.sha256(self.file_sha256, "file_sha256")


@dataclass(frozen=True, slots=True)
class RecordEvents:
    """Writes what the events fill by the table of evidence, and what isn't written already.

    Refused as a whole where an adapter isn't registered (S15) or nothing new would be said.
    """

    events: tuple[Event, ...]

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        for event in self.events:
            may_act("S10", event.seat, roster.find(view, event.seat))
            decide.for_seat(actor.seat, event.seat)
            found = adapters.registered(view, event.adapter)
            decide.may_report(event.adapter, event.fingerprint, event.host, found)
        decide.proves_something(tuple((event.host, event.kind) for event in self.events))
        written = list(self._new(view))
        decide.says_something_new(bool(written))
        return written

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        written = {
            op["request"] for op in ops if op["op"] in ("choice_recorded", "receipt_recorded")
        }
        return bool(written) and written <= {event.request for event in self.events}

    def _new(self, view: View) -> Iterator[ChoiceRecorded | ReceiptRecorded]:
        said: set[tuple[str, ...]] = set()
        for event in self.events:
            skill, filled = event.skill or "", fills(event.host, event.kind)
            choice = (event.request, skill)
            if filled.chosen_by is not None and choice not in said:
                said.add(choice)
                if not queries.has_choice(view, event.request, event.skill):
                    yield _choice(event, filled.chosen_by)
            receipt = (event.request, skill, event.kind)
            if filled.level is not None and receipt not in said:
                said.add(receipt)
                if not queries.has_receipt(view, event.request, event.skill, event.kind):
                    yield _receipt(event, filled.level)


@dataclass(frozen=True, slots=True)
class NoteHook:
    """That a hook could not do its work, for the panel to show; of a registered host only (S15).

    A note that still stands is not written twice. `seat` is the one that the hook was called for,
    where the program itself notes it; else it is the one that acts.
    """

    host: str
    note: str
    event: str = ""
    seat: str = ""

    def __post_init__(self) -> None:
        fields.label(self.host, "host")
        fields.one_of(NOTES, self.note, "note")
        if self.event:
            fields.label(self.event, "event")
        if self.seat:
            fields.seat(self.seat, "seat")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        seat = self.seat
        if actor.seat != SYSTEM:
            may_act("S10", actor.seat, roster.find(view, actor.seat))
            seat = actor.seat
        own = decide.BUILTIN + self.host
        decide.is_registered(own, adapters.registered(view, own))
        if hook_notes.stands(view, now.utc, (self.host, seat, self.note, self.event)):
            return []
        return [HookNoted(self.host, seat, self.note, self.event)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        said = (self.host, self.note, self.event)
        return any(
            (op["host"], op["note"], op["event"]) == said for op in ops if op["op"] == "hook_noted"
        )


def _choice(event: Event, chosen_by: str) -> ChoiceRecorded:
    return ChoiceRecorded(
        request=event.request,
        host=event.host,
        seat=event.seat,
        skill=event.skill,
        source=event.source,
        chosen_by=chosen_by,
        adapter=event.adapter,
        fingerprint=event.fingerprint,
        locator=event.locator,
    )


def _receipt(event: Event, level: str) -> ReceiptRecorded:
    return ReceiptRecorded(
        request=event.request,
        host=event.host,
        seat=event.seat,
        adapter=event.adapter,
        fingerprint=event.fingerprint,
        source=event.source,
        skill=event.skill,
        skill_sha256=event.skill_sha256,
        skill_sha256_by=decide.BY_PROGRAM,
        kind=event.kind,
        level=level,
        at=event.at,
        locator=event.locator,
        file_sha256=event.file_sha256,
        state="accepted",
        reason=None,
    )
