"""What is read, as the JSON that `docs/cli.md` promises: fields may be added, never renamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from state.looked import Look
from state.messages.queries import Message
from state.roster.queries import Seat


def in_queue(message: Message, task: str | None) -> dict[str, Any]:
    """A message as its recipient finds it; `task` is the state of the task it made, if any."""
    return {
        "id": message.id,
        "from": message.sender,
        "to": message.to,
        "kind": message.kind,
        "title": message.title,
        "body": message.body,
        "reply_to": message.reply_to,
        "hops": message.hops,
        "at": message.at,
        "urgent": message.urgent,
        "task": task,
        "refs": message.refs,
    }


def whole(message: Message, seat: str | None) -> dict[str, Any]:
    """A message with the facts of each recipient (M11) and where it came from (M16).

    `task` is the state of that seat's task, else that of the only holder.
    """
    states = {one.seat: one.task for one in message.recipients if one.task is not None}
    task = states.get(seat or "")
    if task is None and len(states) == 1:
        task = next(iter(states.values()))
    return in_queue(message, task) | {
        "addressing": message.addressing,
        "written": message.written_at,
        "recipients": message.recipients,
        "origin": message.origin,
    }


def seat(one: Seat, looks: Mapping[str, Look]) -> dict[str, Any]:
    """A seat as `seat list` and `status` give it."""
    look = looks.get(one.seat)
    return {
        "seat": one.seat,
        "name": one.name,
        "kind": one.kind,
        "host": one.host,
        "roles": one.roles,
        "status": one.status,
        "visibility": one.visibility,
        "unread": one.unread,
        "open_tasks": one.open_tasks,
        "cursor": one.cursor,
        "mode": one.mode,
        "window": one.window,
        "looked_at": None if look is None else look.at,
        "away": one.away,
        "next_due": one.next_due,
    }


def seats(listed: Sequence[Seat], looks: Mapping[str, Look]) -> list[dict[str, Any]]:
    """Every seat, in the order in which they are shown."""
    return [seat(one, looks) for one in listed]
