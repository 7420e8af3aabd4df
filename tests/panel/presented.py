"""One message, one row and one task to present, and what comes out of a presenter as text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from textual.content import Content

from panel.asks.opened import Opened
from panel.present import messages
from state.messages.listing import MessageRow
from state.messages.queries import Message, Recipient
from state.messages.tasks import Task

NOW = datetime(2026, 11, 30, 10, 5, tzinfo=UTC)


def at(minutes: int) -> str:
    return (NOW - timedelta(minutes=minutes)).isoformat(timespec="microseconds")


ROW = MessageRow(
    id=1284,
    sender="hermes",
    to=("user",),
    addressing="direct",
    kind="question",
    title="merge the two crawler skills?",
    at=at(2),
    reply_to=None,
    hops=1,
    urgent=False,
    imported=False,
    replies=0,
    unread_by=(),
    tasks=(),
)
NOBODY = Recipient("codex", None, None, (), None, None)
MESSAGE = Message(
    id=1284,
    sender="user",
    to=("codex", "gemini"),
    addressing="direct",
    kind="note",
    title="read this",
    body="the text",
    reply_to=None,
    hops=0,
    at=at(10),
    written_at=at(10),
    urgent=False,
    refs=(),
    origin=None,
    recipients=(NOBODY,),
)


def opened(message: Message, *tasks: Task, **more: Any) -> Opened:
    given: dict[str, Any] = {"evidence": {}, "looking": frozenset(), **more}
    return Opened(1300, message, tasks, **given)


def task(state: str, evidence: Mapping[str, Any] | None = None, reason: str | None = None) -> Task:
    return Task(1284, "codex", "user", "read this", state, evidence, reason, at(3), "codex", 1290)


def cells(row: MessageRow, depth: int = 0) -> list[str]:
    made = messages.row(row, lambda: NOW, depth)
    return [cell.plain if isinstance(cell, Content) else cell().plain for cell in made.cells]


def text(content: Content) -> str:
    return content.plain
