"""A message as a whole: what was written, and of each recipient four facts told apart (M11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from textual.content import Content

from panel import safe_text
from panel.present import ages, operations, signs
from panel.present.layout import MUTED, heading, indented, joined, labelled, table
from state.messages.queries import Message, Recipient
from state.messages.tasks import Task

FACTS = ("written", "looked", "acknowledged", "answered")
NO = "no"
NOT_KNOWN = "not known"
# The panel leaves no hint of the person's own looking, so there is none to show.
NOT_KEPT = "not kept"


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A message as it stands at `rev`, with what else is shown of it.

    `looking` are the seats of which a last look is known at all; `evidence` says by holder what
    has become of a file that a done task names: "unchanged", "changed" or "gone".
    """

    rev: int
    message: Message
    tasks: Sequence[Task]
    evidence: Mapping[str, str]
    looking: frozenset[str]
    answers: Sequence[int] = ()


def head(opened: Opened, now: datetime, width: int) -> Content:
    """Number, kind, title, and the lines of what was written when by whom to whom."""
    message = opened.message
    sign = signs.kind(message.kind)
    named: list[Content] = [
        safe_text.line(f"#{message.id}", "bold"),
        safe_text.line(str(sign), sign.style),
    ]
    if message.urgent:
        named.append(safe_text.line(str(signs.URGENT), signs.URGENT.style))
    lines = [safe_text.row(named, "  ")]
    if message.title:
        lines.append(safe_text.line(message.title, "bold"))
    lines += [labelled(name, value, width) for name, value in _head_lines(opened, now)]
    return joined([piece for line in lines for piece in line.wrap(max(width, 1))])


def _head_lines(opened: Opened, now: datetime) -> list[tuple[str, Content]]:
    message = opened.message
    to = signs.seats(message.to)
    if message.addressing == "all":
        to = f"all who were active: {to}"
    found = [
        ("from", safe_text.line(signs.seat(message.sender))),
        ("to", safe_text.line(to)),
        ("written", safe_text.line(f"r{message.id}, {ages.when(message.written_at, now)}")),
    ]
    if message.reply_to is not None:
        found.append(("answers", safe_text.line(f"#{message.reply_to}")))
    if opened.answers:
        found.append(("answered by", safe_text.line(_numbers(opened.answers))))
    found += [("reference", safe_text.line(ref)) for ref in message.refs]
    found.append(("hops", safe_text.line(str(message.hops))))
    if message.origin is not None:
        found += _origin(message.origin, now)
    return found


def _origin(origin: Mapping[str, Any], now: datetime) -> list[tuple[str, Content]]:
    claim = {True: "true", False: "false"}.get(origin["read"], "not given")
    found = [
        (
            "imported",
            safe_text.line(
                f"from {origin['tool']}, team {origin['team']}, inbox {origin['inbox']},"
                f" position {origin['position']}"
            ),
        ),
        ("there", safe_text.line(f"{origin['sender']} → {origin['recipient']}")),
        ("dated there", safe_text.line(ages.when(origin["time"], now))),
        ("its claim", safe_text.line(f"read: {claim} (that tool's word, no evidence)")),
    ]
    if origin["summary"]:
        found.append(("its summary", safe_text.line(origin["summary"])))
    if origin["first"] is not None:
        earlier = f"#{origin['first']} was imported from the same position, with other bytes"
        found.append(("before it", safe_text.line(earlier)))
    return found


def facts(opened: Opened, now: datetime, width: int) -> Content:
    """Of each recipient: written, looked, acknowledged, answered, each with its time or "no"."""
    message = opened.message
    if message.origin is not None:
        note = "An imported message stands in no queue here: nobody has it to acknowledge."
        return joined(safe_text.line(note, MUTED).wrap(max(width, 1)))
    tasks = {task.holder: task for task in opened.tasks}
    rows = [_facts(opened, recipient, now) for recipient in message.recipients]
    names = [safe_text.line(signs.seat(one.seat), "bold") for one in message.recipients]
    shown = table(
        ("recipient", *FACTS), [(name, *row) for name, row in zip(names, rows, strict=True)], width
    )
    blocks: list[Content] = [] if shown is None else [shown]
    for recipient, name, row in zip(message.recipients, names, rows, strict=True):
        if shown is None:
            blocks.append(name)
            blocks += [
                labelled(f"  {fact}", value, width) for fact, value in zip(FACTS, row, strict=True)
            ]
        if recipient.seat in tasks:
            blocks += _task(opened, tasks[recipient.seat], now, width, named=shown is not None)
    return joined(blocks)


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
        return safe_text.line(NOT_KEPT, MUTED)
    return safe_text.line(NO if recipient.seat in opened.looking else NOT_KNOWN, MUTED)


def _acknowledged(recipient: Recipient, now: datetime) -> Content:
    if recipient.acknowledged is not None:
        return safe_text.line(ages.when(recipient.acknowledged, now))
    closed = recipient.closed_unread
    if closed is None:
        return safe_text.line(NO, MUTED)
    by = f"no: closed unread by {signs.seat(closed.by)}, {ages.when(closed.at, now)}"
    return safe_text.line(f"{by}: {closed.reason}", "$text-warning")


def _answered(recipient: Recipient) -> Content:
    if not recipient.answered:
        return safe_text.line(NO, MUTED)
    return safe_text.line(_numbers(recipient.answered))


def _task(opened: Opened, task: Task, now: datetime, width: int, *, named: bool) -> list[Content]:
    sign = signs.task_state(task.state)
    whose = f"{signs.seat(task.holder)}'s task " if named else ""
    said = [
        safe_text.line(f"{whose}{sign}", sign.style),
        safe_text.line(f"since {ages.when(task.since, now)}"),
    ]
    lines = [safe_text.row(said, ", ")]
    if task.evidence is not None:
        lines.append(_evidence(task.evidence, opened.evidence.get(task.holder)))
    if task.reason is not None:
        lines.append(safe_text.line(f"reason: {task.reason}"))
    return [indented(line, 2, width) for line in lines]


def _evidence(evidence: Mapping[str, Any], now: str | None) -> Content:
    """What a done task names; that it names nothing stands out, and so does a changed file."""
    said = operations.evidence(evidence)
    if evidence["kind"] == "none":
        return safe_text.line(f"{said} (the holder said so)", "$text-warning")
    if evidence["kind"] != "file":
        return safe_text.line(said, "$text-success")
    digest = f"{said}, sha256 {evidence['sha256'][:16]}…"
    style = {"unchanged": "$text-success", "changed": "$text-error", "gone": "$text-error"}
    became = {
        "unchanged": "the file is the same now",
        "changed": "the file has CHANGED since: it is no longer what was named",
        "gone": "the file is GONE: there is nothing there to look at now",
    }
    return safe_text.row(
        [
            (digest, ""),
            (became.get(now or "", "the file was not looked at"), style.get(now or "", MUTED)),
        ],
        "; ",
    )


def _numbers(numbers: Sequence[int]) -> str:
    shown = " ".join(f"#{number}" for number in numbers[:12])
    return shown + (f" +{len(numbers) - 12}" if len(numbers) > 12 else "")


def texts_heading(opened: Opened, width: int) -> Content:
    """The line over the text, which says how long it is."""
    body = opened.message.body
    if not body:
        return heading("text", width)
    lines = body.count("\n") + 1
    said = f"text: {lines:,} line{'' if lines == 1 else 's'}, {ages.size(len(body.encode()))}"
    return heading(said, width)
