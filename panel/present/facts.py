"""Of each recipient of a message four facts told apart (M11), and how its task stands (M7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from textual.content import Content

from panel import safe_text
from panel.asks.opened import Opened
from panel.present import ages
from panel.present.layout import MUTED, indented, joined, labelled, table
from panel.words import messages as words
from panel.words import operations, signs
from state.messages.queries import Recipient
from state.messages.tasks import Task

# Up to so many recipients each fact has a line of its own.
FEW = 3
_NUMBERS_AT_MOST = 12


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
    return safe_text.line(numbers_of(recipient.answered))


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


def numbers_of(numbers: Sequence[int]) -> str:
    """Numbers of messages in a row, the first twelve."""
    shown = " ".join(f"#{number}" for number in numbers[:_NUMBERS_AT_MOST])
    rest = len(numbers) - _NUMBERS_AT_MOST
    return f"{shown} +{rest}" if rest > 0 else shown
