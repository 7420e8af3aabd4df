"""Posting and acknowledging as commands (M1-M8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from state import checks
from state.clock import parse, stamp
from state.command import Actor
from state.errors import BadInput, NotFound, Refused
from state.index.view import View
from state.messages import decide, queries
from state.messages.operations import Acknowledged, MessagePosted
from state.roster import queries as roster

KINDS = ("note", "question", "task", "reply", "result")
HOP_MEMORY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Post:
    """M1: one message. Without a kind it is a note, or a reply where it answers something."""

    to: tuple[str, ...]
    title: str = ""
    body: str = ""
    kind: str = ""
    reply_to: int | None = None
    refs: tuple[str, ...] = ()
    urgent: bool = False

    def __post_init__(self) -> None:
        kind = self.kind or ("note" if self.reply_to is None else "reply")
        object.__setattr__(self, "kind", kind)
        if kind not in KINDS:
            raise BadInput(f"{kind!r} is no kind", f"one of: {', '.join(KINDS)}", field="kind")
        checks.title(self.title)
        checks.body(self.body)
        checks.refs(self.refs)
        if self.reply_to is not None:
            checks.revision(self.reply_to, "reply_to")
        elif kind == "reply":
            raise BadInput("a reply needs what it answers", "--reply-to N", field="reply_to")
        if not self.title.strip() and self.reply_to is None:
            raise BadInput("a title is needed", "--title TEXT", field="title")
        if not self.to:
            raise Refused("M2", "a message needs a recipient", "name seats, or all")
        if decide.ALL in self.to and len(self.to) > 1:
            raise BadInput("`all` stands alone", "name seats, or all", field="to")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        seats = {seat.seat: seat for seat in roster.seats(view)}
        decide.may_post(actor.seat, seats.get(actor.seat))
        to, addressing = decide.resolve(actor.seat, self.to, seats)
        return [
            MessagePosted(
                sender=actor.seat,
                to=to,
                addressing=addressing,
                kind=self.kind,
                title=self.title,
                body=self.body,
                reply_to=self.reply_to,
                refs=self.refs,
                urgency="high" if self.urgent else "normal",
                hops=hop_count(view, actor.seat, self.reply_to, now),
            )
        ]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        for op in ops:
            if op["op"] == "message_posted":
                wanted = (decide.ALL,) if op["addressing"] == decide.ALL else tuple(op["to"])
                same_text = _is_same_text(self.body, op["body"])
                urgent = op["urgency"] == "high"
                return same_text and (
                    tuple(dict.fromkeys(self.to)),
                    self.kind,
                    self.title,
                    self.reply_to,
                    self.refs,
                    self.urgent,
                ) == (wanted, op["kind"], op["title"], op["reply_to"], tuple(op["refs"]), urgent)
        return False


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """M5: the next message due, or with `through` each one from there up to `number`."""

    number: int
    through: bool = False

    def __post_init__(self) -> None:
        checks.revision(self.number, "message")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        seat = roster.get(view, actor.seat)
        place = queries.in_queue(view, seat.seat, self.number)
        decide.may_acknowledge(seat, self.number, seat.next_due, place)
        due = seat.next_due or 0
        if not self.through:
            decide.in_order(seat, self.number, due)
        first = queries.in_queue(view, seat.seat, due) or 0
        count = (place or 0) - first + 1
        return [Acknowledged(seat.seat, due, self.number, count, self.number)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(op["op"] == "acknowledged" and op["through"] == self.number for op in ops)


def hop_count(view: View, sender: str, reply_to: int | None, now: str) -> int:
    """M8, from what the view knows. NotFound when the message it answers doesn't exist."""
    answered = None
    if reply_to is not None:
        answered = queries.hops_of(view, reply_to)
        if answered is None:
            raise NotFound(f"there is no message #{reply_to}", "name the message you answer")
    since = stamp(parse(now) - HOP_MEMORY)
    acknowledged = queries.highest_acknowledged_hops(view, sender, since)
    return decide.hops(sender, answered, acknowledged)


def _is_same_text(text: str, stored: str | Mapping[str, Any]) -> bool:
    if isinstance(stored, str):
        return text == stored
    return bool(sha256(text.encode()).hexdigest() == stored["sha256"])
