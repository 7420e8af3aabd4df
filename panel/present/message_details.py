"""A message as a whole: what was written, and of each recipient four facts told apart (M11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from textual.content import Content

from panel import safe_text
from panel.present import ages
from panel.present import messages as rows
from panel.present.layout import MUTED, heading, indented, joined, labelled, table
from panel.present.readable import readable
from panel.words import messages as words
from panel.words import operations, signs
from state.messages.listing import MessageRow
from state.messages.queries import Message, Recipient
from state.messages.tasks import Task

_NUMBERS_AT_MOST = 12
FEW = 3


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A message as it stands at `rev`, with what else is shown of it.

    `looking` are the seats of which a last look is known at all; `evidence` says by holder what
    has become of a file that a done task names. `thread` are the messages around this one, each
    with its depth, of `thread_size` in all.
    """

    rev: int
    message: Message
    tasks: Sequence[Task]
    evidence: Mapping[str, str]
    looking: frozenset[str]
    answers: Sequence[int] = ()
    thread: Sequence[tuple[MessageRow, int]] = ()
    thread_size: int = 1


def whole(opened: Opened, now: datetime, width: int, thread_key: str) -> Content:
    """Everything about a message for a pane of this width."""
    who = [heading(words.WHO, width), facts(opened, now, width)]
    said = [text(opened.message, width)]
    # Of many recipients the facts are long: then what was written comes first.
    parts = [head(opened, now, width)]
    parts += [*who, *said] if len(opened.message.recipients) <= FEW else [*said, *who]
    if opened.thread_size > 1:
        parts.append(thread(opened, now, width, thread_key))
    return joined(parts)


def head(opened: Opened, now: datetime, width: int) -> Content:
    """Number, kind, title, and the lines of what was written when by whom to whom."""
    message = opened.message
    sign = signs.kind(message.kind)
    named = [(f"#{message.id}", "bold"), (str(sign), sign.style)]
    if message.urgent:
        named.append((str(signs.URGENT), signs.URGENT.style))
    lines = [safe_text.row(named, "  ")]
    if message.title:
        lines += safe_text.line(message.title, "bold").wrap(max(width, 1))
    lines += [labelled(name, safe_text.line(said), width) for name, said in _head(opened, now)]
    return joined(lines)


def _head(opened: Opened, now: datetime) -> list[tuple[str, str]]:
    message = opened.message
    to = signs.seats(message.to)
    found = [
        (words.FROM, signs.seat(message.sender)),
        (words.TO, words.to_all(to) if message.addressing == "all" else to),
        (words.WRITTEN, f"r{message.id}, {ages.when(message.written_at, now)}"),
    ]
    if message.reply_to is not None:
        found.append((words.ANSWERS, f"#{message.reply_to}"))
    if opened.answers:
        found.append((words.ANSWERED_BY, _numbers(opened.answers)))
    found += [(words.REFERENCE, ref) for ref in message.refs]
    if message.origin is None:
        found.append((words.HOPS, str(message.hops)))
    else:
        found += _origin(message.origin, now)
    return found


def _origin(origin: Mapping[str, Any], now: datetime) -> list[tuple[str, str]]:
    stood = words.came_from(origin["tool"], origin["team"], origin["inbox"], origin["position"])
    found = [
        (words.IMPORTED, stood),
        (words.THERE, f"{origin['sender']} → {origin['recipient']}"),
        (words.DATED_THERE, ages.when(origin["time"], now)),
        (words.CLAIM, words.claims(origin["read"])),
    ]
    if origin["summary"]:
        found.append((words.SUMMARY, origin["summary"]))
    if origin["first"] is not None:
        found.append((words.BEFORE, words.other_bytes(origin["first"])))
    return found


def facts(opened: Opened, now: datetime, width: int) -> Content:
    """Of each recipient: written, looked, acknowledged, answered, each with its time or "no"."""
    message = opened.message
    if message.origin is not None:
        return joined(safe_text.line(words.IN_NO_QUEUE, MUTED).wrap(max(width, 1)))
    tasks = {task.holder: task for task in opened.tasks}
    rows = [_facts(opened, recipient, now) for recipient in message.recipients]
    names = [safe_text.line(signs.seat(one.seat), "bold") for one in message.recipients]
    titles = (words.RECIPIENT, *words.FACTS)
    shown = table(titles, [(n, *row) for n, row in zip(names, rows, strict=True)], width)
    blocks: list[Content] = [] if shown is None else [shown]
    for recipient, name, row in zip(message.recipients, names, rows, strict=True):
        if shown is None:
            blocks.append(name)
            named = list(zip(words.FACTS, row, strict=True))
            if len(rows) > FEW:
                blocks.append(indented(_beside(named), 2, width))
            else:
                blocks += [labelled(fact, value, width) for fact, value in named]
        if recipient.seat in tasks:
            blocks += _task(opened, tasks[recipient.seat], now, width)
    return joined(blocks)


def _beside(facts: Sequence[tuple[str, Content]]) -> Content:
    """The facts of one recipient in a row."""
    said = [safe_text.row([(name, MUTED), value]) for name, value in facts]
    return safe_text.row(said, " · ")


def _facts(opened: Opened, recipient: Recipient, now: datetime) -> tuple[Content, ...]:
    message = opened.message
    return (
        safe_text.line(f"r{message.id} {ages.when(message.written_at, now)}"),
        _looked(opened, recipient, now),
        _acknowledged(recipient, now),
        _answered(recipient),
    )


def _looked(opened: Opened, recipient: Recipient, now: datetime) -> Content:
    if recipient.looked_at is not None:
        return safe_text.line(ages.when(recipient.looked_at, now))
    if recipient.seat == signs.USER_SEAT:
        return safe_text.line(words.NOT_KEPT, MUTED)
    return safe_text.line(words.NO if recipient.seat in opened.looking else words.NOT_KNOWN, MUTED)


def _acknowledged(recipient: Recipient, now: datetime) -> Content:
    if recipient.acknowledged is not None:
        return safe_text.line(ages.when(recipient.acknowledged, now))
    closed = recipient.closed_unread
    if closed is None:
        return safe_text.line(words.NO, MUTED)
    by, when = signs.seat(closed.by), ages.when(closed.at, now)
    return safe_text.line(words.closed_unread(by, when, closed.reason), "$text-warning")


def _answered(recipient: Recipient) -> Content:
    if not recipient.answered:
        return safe_text.line(words.NO, MUTED)
    return safe_text.line(_numbers(recipient.answered))


def _task(opened: Opened, task: Task, now: datetime, width: int) -> list[Content]:
    sign = signs.task_state(task.state)
    whose = words.whose_task(signs.whose(task.holder), str(sign))
    since = words.since(ages.when(task.since, now), signs.seat(task.by))
    lines = [safe_text.row([(whose, sign.style), (since, "")])]
    if task.evidence is not None:
        lines.append(_evidence(task.evidence, opened.evidence.get(task.holder, "")))
    if task.reason is not None:
        lines.append(safe_text.line(words.reason(task.reason)))
    return [indented(line, 2, width) for line in lines]


def _evidence(evidence: Mapping[str, Any], became: str) -> Content:
    """What a done task names; that it names nothing stands out, and so does a changed file."""
    said = operations.evidence(evidence)
    if evidence["kind"] == "none":
        return safe_text.line(words.said_none(said), "$text-warning")
    if evidence["kind"] != "file":
        return safe_text.line(said, "$text-success")
    style = {"unchanged": "$text-success", "changed": "$text-error", "gone": "$text-error"}
    found = words.FILE_BECAME.get(became, words.FILE_NOT_LOOKED_AT)
    digest = f"{said}, sha256 {evidence['sha256'][:16]}…"
    return safe_text.row([(digest, ""), (found, style.get(became, MUTED))], "; ")


def _numbers(numbers: Sequence[int]) -> str:
    shown = " ".join(f"#{number}" for number in numbers[:_NUMBERS_AT_MOST])
    rest = len(numbers) - _NUMBERS_AT_MOST
    return f"{shown} +{rest}" if rest > 0 else shown


def text(message: Message, width: int) -> Content:
    """The text under a line that says how long it is; one that is missing says so."""
    if message.body is None:
        missing = safe_text.line(words.MISSING_TEXT, "$text-error")
        return joined([heading(words.TEXT, width), missing])
    if not message.body:
        return joined([heading(words.TEXT, width), safe_text.line(words.EMPTY_TEXT, MUTED)])
    size = ages.size(len(message.body.encode("utf-8", "surrogatepass")))
    said = words.text_of(message.body.count("\n") + 1, size)
    return joined([heading(said, width), safe_text.block(readable(message.body))])


def thread(opened: Opened, now: datetime, width: int, key: str) -> Content:
    """The messages around this one, set in by who answers whom; this one is marked."""
    lines = [heading(words.whole_thread(opened.thread_size), width)]
    least = min(depth for _, depth in opened.thread)
    for shown, depth in opened.thread:
        here = shown.id == opened.message.id
        lines.append(safe_text.fit_content(_branch(shown, depth - least, here, now), width))
    left_out = opened.thread_size - len(opened.thread)
    if left_out:
        lines.append(safe_text.line(words.more_in_thread(left_out, key), MUTED))
    return joined(lines)


def _branch(shown: MessageRow, depth: int, here: bool, now: datetime) -> Content:
    style = "bold" if here else ""
    return safe_text.row(
        [
            ("▸" if here else " ", style),
            rows.title(shown, depth),
            (f"#{shown.id}", MUTED),
            (signs.seat(shown.sender), style),
            (ages.age(shown.at, now), MUTED),
        ]
    )
