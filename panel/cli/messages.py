"""Messages as text for a person: what stands in a queue, one message with its facts, lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from panel.cli import output
from panel.cli.call import Call
from panel.neutral import block, plain
from panel.present import ages
from panel.present.readable import readable
from panel.words import messages as words
from panel.words import signs
from state.messages.queries import Message, Recipient
from state.roster.queries import Seat

INDENT = "    "


def now(call: Call) -> datetime:
    """The present moment, by the project's clock."""
    return ages.parsed(call.project.clock.now())


def paragraphs(
    call: Call, seat: Seat, found: Sequence[Message], tasks: Mapping[int, str], more: bool
) -> Iterator[str]:
    """The unread messages of a seat, each with its text."""
    name = signs.seat(seat.seat)
    if not seat.unread:
        yield f"{name}: nothing unread"
        return
    yield output.heading(f"{name}: {ages.number(seat.unread)} unread, oldest first")
    for message in found:
        yield ""
        yield from head(message, now(call), tasks.get(message.id))
        yield from body(call, message)
    yield ""
    if more:
        yield "there are more: --limit N"
    yield f"acknowledge the first with: sublation-panel ack {seat.next_due}"


def head(message: Message, moment: datetime, task: str | None = None) -> Iterator[str]:
    """One line that says what it is, and its title."""
    to = signs.seats(message.to, 4) if message.addressing == "direct" else "all"
    parts = [
        f"#{message.id}",
        str(signs.kind(message.kind)),
        f"{plain(signs.seat(message.sender))} → {plain(to)}",
        ages.when(message.at, moment),
    ]
    if message.urgent:
        parts.append(str(signs.URGENT))
    if message.reply_to is not None:
        parts.append(f"answers #{message.reply_to}")
    if task is not None:
        parts.append(f"task {task}")
    if message.origin is not None:
        parts.append(str(signs.IMPORTED))
    yield "  ".join(parts)
    if message.title:
        yield INDENT + output.heading(plain(message.title))


def title(message: Message) -> str:
    """What a message is called; without a title what it answers, and how its text begins."""
    if message.title:
        return message.title
    from state.messages.openings import begins

    return words.called("", message.reply_to, begins(message.body or ""))


def body(call: Call, message: Message, *, raw: bool = False) -> Iterator[str]:
    """The text, indented; JSON in lines that can be read, unless it is wanted raw."""
    if message.id in call.damaged:
        yield INDENT + plain(words.bad(call.damaged[message.id]))
    elif message.body is None:
        yield INDENT + words.MISSING_TEXT
    elif message.body:
        text = message.body if raw else readable(message.body)
        yield from (f"{INDENT}{line}".rstrip() for line in block(text, limit=None).split("\n"))
    for ref in message.refs:
        yield f"{INDENT}{words.REFERENCE}: {plain(ref)}"


def whole(
    call: Call, message: Message, tasks: Mapping[str, str], *, raw: bool = False
) -> Iterator[str]:
    """One message with everything that is known of it; `tasks` says more of each holder's task."""
    moment = now(call)
    yield from head(message, moment)
    yield from body(call, message, raw=raw)
    if message.addressing == "all":
        yield f"{INDENT}{words.to_all(plain(signs.seats(message.to)))}"
    yield f"{INDENT}{words.HOPS}: {message.hops}"
    if message.origin is not None:
        yield from _origin(message)
        return
    yield ""
    heads = (words.RECIPIENT, *words.FACTS, "task")
    rows = [_facts(message, one, moment, tasks) for one in message.recipients]
    yield from (f"{INDENT}{line}" for line in output.table(heads, rows))


def _facts(
    message: Message, one: Recipient, moment: datetime, tasks: Mapping[str, str]
) -> tuple[str, ...]:
    """Four facts, none of which follows from another (M11)."""
    acknowledged = words.NO
    if one.acknowledged is not None:
        acknowledged = ages.when(one.acknowledged, moment)
    elif one.closed_unread is not None:
        closed = one.closed_unread
        when = ages.when(closed.at, moment)
        acknowledged = words.closed_unread(signs.seat(closed.by), when, closed.reason)
    return (
        signs.seat(one.seat),
        f"r{message.id}, {ages.when(message.written_at, moment)}",
        words.NO if one.looked_at is None else ages.when(one.looked_at, moment),
        acknowledged,
        ", ".join(f"#{number}" for number in one.answered) or words.NO,
        tasks.get(one.seat, one.task or ""),
    )


def _origin(message: Message) -> Iterator[str]:
    origin = message.origin or {}
    place = words.came_from(origin["tool"], origin["team"], origin["inbox"], origin["position"])
    yield f"{INDENT}{words.IMPORTED}: {plain(place)}"
    yield f"{INDENT}{words.THERE}: {plain(origin['sender'])} → {plain(origin['recipient'])}"
    yield f"{INDENT}{words.CLAIM}: {words.claims(origin['read'])}"
    if origin["summary"]:
        yield f"{INDENT}{words.SUMMARY}: {plain(origin['summary'])}"
    if origin["first"] is not None:
        yield f"{INDENT}{words.BEFORE}: {words.other_bytes(origin['first'])}"
    yield f"{INDENT}{words.IN_NO_QUEUE}"


def _kind(message: Message) -> signs.Sign:
    """The kind, a task's with the sign of its state where that is the same for all (M7)."""
    kind = signs.kind(message.kind)
    states = {one.task for one in message.recipients if one.task is not None}
    return kind._replace(sign=signs.task_state(states.pop()).sign) if len(states) == 1 else kind


def rows(found: Sequence[Message], moment: datetime) -> list[str]:
    """One line a message."""
    heads = ("#", "when", "from", "to", "kind", "title")
    listed = []
    for message in found:
        to = signs.seats(message.to, 2) if message.addressing == "direct" else "all"
        urgent = f"{signs.URGENT.sign} " if message.urgent else ""
        listed.append(
            (
                str(message.id),
                ages.when(message.at, moment),
                signs.seat(message.sender),
                to,
                str(_kind(message)),
                f"{urgent}{title(message)}",
            )
        )
    return output.table(heads, listed, right=(0,), keep=(1, 4))
