"""Posting and acknowledging as commands (M1-M8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from state import checks
from state.clock import Moment, parse, stamp
from state.command import Actor
from state.errors import BadInput, NotFound
from state.index.view import View
from state.messages import decide, queries
from state.messages.operations import Acknowledged, MessagePosted
from state.roster import queries as roster
from state.roster.decide import may_act

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
        kind = checks.text(self.kind, "kind") or ("note" if self.reply_to is None else "reply")
        if kind not in KINDS:
            raise BadInput(
                f"{kind[: checks.GIVEN_LIMIT]!r} is no kind",
                f"one of: {', '.join(KINDS)}",
                field="kind",
            )
        to = checks.texts(self.to, "to")
        for seat in to:
            checks.named(seat, "to")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "to", to)
        object.__setattr__(self, "refs", checks.refs(self.refs))
        checks.title(self.title)
        checks.body(self.body)
        checks.flag(self.urgent, "urgent")
        if self.reply_to is not None:
            checks.revision(self.reply_to, "reply_to")
        elif kind == "reply":
            raise BadInput("a reply needs what it answers", "--reply-to N", field="reply_to")
        if kind != "reply" and not self.title.strip():
            raise BadInput(f"a {kind} needs a title", "--title TEXT", field="title")
        if decide.ALL in to and len(set(to)) > 1:
            raise BadInput("`all` stands alone", "name seats, or all", field="to")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        may_act("M3", actor.seat, roster.find(view, actor.seat))
        to, addressing = decide.resolve(actor.seat, self.to, roster.statuses(view))
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
        written = [op for op in ops if op["op"] != "recovered"]
        if len(written) != 1 or written[0]["op"] != "message_posted":
            return False
        op = written[0]
        to = (decide.ALL,) if op["addressing"] == decide.ALL else tuple(op["to"])
        return _is_same_text(self.body, op["body"]) and (
            tuple(dict.fromkeys(self.to)),
            self.kind,
            self.title,
            self.reply_to,
            self.refs,
            "high" if self.urgent else "normal",
        ) == (to, op["kind"], op["title"], op["reply_to"], tuple(op["refs"]), op["urgency"])


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """M5: the next message due, or with `through` each one from there up to `number`."""

    number: int
    through: bool = False

    def __post_init__(self) -> None:
        checks.revision(self.number, "message")
        checks.flag(self.through, "through")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        return [acknowledgement(view, actor.seat, self.number, through=self.through)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(
            op["op"] == "acknowledged"
            and op["through"] == self.number
            and (self.through or op["first"] == self.number)
            for op in ops
        )


def acknowledgement(view: View, actor: str, number: int, *, through: bool) -> Acknowledged:
    """M5, M6: what it means that this seat acknowledges the message, or all up to it. Refused."""
    seat = may_act("M6", actor, roster.find(view, actor))
    place = queries.in_queue(view, seat.seat, number)
    first, place = decide.may_acknowledge(seat, number, place)
    if not through:
        decide.in_order(seat, number)
    count = place - roster.passed(view, seat.seat)
    return passing(view, seat.seat, first, number, count)


def passing(view: View, seat: str, first: int, through: int, count: int) -> Acknowledged:
    """M5, W20: the cursor passes `count` messages, and each verified one that follows."""
    verified, cursor = queries.verified_after(view, seat, through)
    return Acknowledged(seat, first, through, count + verified, cursor)


def hop_count(view: View, sender: str, reply_to: int | None, now: Moment) -> int:
    """M8, from what the view knows. NotFound when the message it answers doesn't exist."""
    answered = None
    if reply_to is not None:
        answered = queries.hops_of(view, reply_to)
        if answered is None:
            raise NotFound(f"there is no message #{reply_to}", "name the message you answer")
    since = stamp(parse(now.utc) - HOP_MEMORY)
    acknowledged = queries.highest_acknowledged_hops(view, sender, since)
    return decide.hops(sender, answered, acknowledged, queries.leased_hops(view, sender, now))


def _is_same_text(text: str, stored: str | Mapping[str, Any]) -> bool:
    if isinstance(stored, str):
        return text == stored
    return bool(sha256(text.encode()).hexdigest() == stored["sha256"])
