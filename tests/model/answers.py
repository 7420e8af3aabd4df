"""What a project and the model say of themselves, in the same plain shapes, to be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from state.clock import Moment
from state.history.changes import changes
from state.index.view import View
from state.messages import listing, queries, tasks
from state.messages.listing import Filter
from state.messages.threads import tree
from state.overview import overview
from state.roster import queries as roster
from tests.model.model import Model
from tests.model.records import MMessage, MTask

Facts = dict[str, Any]


def of_project(view: View, now: Moment) -> Facts:
    """Everything but the hints of when seats looked, which the cache may lose."""
    seen = overview(view, now)
    numbers = [row.id for row in listing.page(view, Filter(), 0, 10_000)]
    return {
        "project": (seen.rev, seen.roster, seen.at, seen.messages),
        "hidden": (seen.hidden_seats, seen.hidden_unread),
        "needs": [
            (need.kind, need.seat, need.id, need.since, need.text, need.hidden)
            for need in seen.needs
        ],
        "seats": [_seat(seat) for seat in seen.seats],
        "queues": {seat.seat: queries.queue(view, seat.seat, 10_000) for seat in seen.seats},
        "unread in lists": {
            seat.seat: listing.count(view, Filter(seat=seat.seat, state="unread"))
            for seat in seen.seats
        },
        "messages": numbers,
        "texts": [_message(queries.get(view, number, {})) for number in numbers],
        "rows": [
            (row.id, row.replies, row.unread_by, row.tasks) for row in listing.of(view, numbers)
        ],
        "tasks": sorted(_task(task) for task in tasks.tasks(view)),
        "live tasks": {seat.seat: roster.live_tasks(view, seat.seat) for seat in seen.seats},
        "threads": {
            number: sorted(branch.id for branch in tree(view, number)) for number in numbers
        },
    }


def of_model(model: Model, now: str) -> Facts:
    """The same of the model."""
    hidden = [
        seat
        for seat in model.seats.values()
        if seat.visibility == "hidden" and seat.status == "active"
    ]
    numbers = sorted(model.messages, reverse=True)
    return {
        "project": (model.rev, model.roster, model.at, len(model.messages)),
        "hidden": (len(hidden), sum(len(seat.unread) for seat in hidden)),
        "needs": model.needs(now),
        "seats": [
            (
                *(seat.id, seat.kind, seat.name, seat.host, seat.roles),
                *(seat.status, seat.visibility, len(seat.unread), len(model.live_tasks(seat.id))),
                *(seat.cursor, seat.joined, seat.revision, seat.away),
                seat.unread[0] if seat.unread else None,
            )
            for seat in model.seats.values()
        ],
        "queues": {seat.id: tuple(seat.unread) for seat in model.seats.values()},
        "unread in lists": {seat.id: len(seat.unread) for seat in model.seats.values()},
        "messages": numbers,
        "texts": [_model_message(model, model.messages[number]) for number in numbers],
        "rows": [_model_row(model, model.messages[number]) for number in numbers],
        "tasks": sorted(_model_task(task) for task in model.tasks.values()),
        "live tasks": {
            seat: tuple(task.message for task in model.live_tasks(seat)) for seat in model.seats
        },
        "threads": {number: model.thread(number) for number in numbers},
    }


def changed(before: Facts, after: Facts) -> set[tuple[str, str, object, object]]:
    """What differs between two moments, as the changes of a line say it."""
    fields = {"name": 2, "host": 3, "roles": 4, "status": 5, "visibility": 6}
    old = {seat[0]: seat for seat in before["seats"]}
    found: set[tuple[str, str, object, object]] = set()
    for seat in after["seats"]:
        was = old.get(seat[0])
        pairs = {name: (None if was is None else was[n], seat[n]) for name, n in fields.items()}
        pairs["away"] = (None if was is None else _until(was[12]), _until(seat[12]))
        if was is not None:
            pairs["cursor"] = (was[9], seat[9])
        found |= {
            (f"seat:{seat[0]}", name, one, two) for name, (one, two) in pairs.items() if one != two
        }
    states = {(task[0], task[1]): task[3] for task in before["tasks"]}
    for message, holder, _, state, *_ in after["tasks"]:
        was = states.get((message, holder))
        if was != state:
            found.add((f"task:{message}:{holder}", "state", was, state))
    return found


def told(view: View, rev: int) -> set[tuple[str, str, object, object]]:
    """The same as the program says it of line `rev`."""
    compared = ("name", "host", "roles", "status", "visibility", "away", "cursor", "state")
    return {
        (change.what, change.field, _plain(change.before), _plain(change.after))
        for change in changes(view, rev)
        if change.field in compared
    }


def lets_through(model: Model, wanted: Filter, message: MMessage) -> bool:
    """What a filter means, said of one message (M10)."""
    seat, state = wanted.seat, wanted.state
    states = {
        holder: task.state
        for (number, holder), task in model.tasks.items()
        if number == message.id and seat in (None, holder)
    }
    unread = [
        holder
        for holder in message.to
        if seat in (None, holder) and message.id in model.seats[holder].unread
    ]
    return (
        (seat is None or seat in (message.sender, *message.to))
        and wanted.sender in (None, message.sender)
        and wanted.kind in (None, message.kind)
        and (wanted.since is None or message.at >= wanted.since)
        and (wanted.until is None or message.at <= wanted.until)
        and (state is None or (bool(unread) if state == "unread" else state in states.values()))
    )


def differences(one: Facts, two: Facts) -> Iterator[str]:
    """Each answer in which two differ, in words."""
    for name in one:
        if one[name] != two[name]:
            yield f"{name}: the project says {one[name]!r}, the model {two[name]!r}"


def _until(away: tuple[str, str, str] | None) -> str | None:
    return None if away is None else away[0]


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _seat(seat: roster.Seat) -> tuple[Any, ...]:
    away = None if seat.away is None else (seat.away.until, seat.away.reason, seat.away.by)
    return (
        *(seat.seat, seat.kind, seat.name, seat.host, seat.roles, seat.status, seat.visibility),
        *(seat.unread, seat.open_tasks, seat.cursor, seat.joined, seat.revision, away),
        seat.next_due,
    )


def _message(message: queries.Message) -> tuple[Any, ...]:
    recipients = [
        (
            fact.seat,
            fact.acknowledged,
            fact.answered,
            None
            if (closed := fact.closed_unread) is None
            else (closed.rev, closed.at, closed.by, closed.reason),
            fact.task,
        )
        for fact in message.recipients
    ]
    return (
        *(message.id, message.sender, message.to, message.addressing, message.kind),
        *(message.title, message.body, message.reply_to, message.hops, message.urgent),
        *(message.at, recipients),
    )


def _model_message(model: Model, message: MMessage) -> tuple[Any, ...]:
    recipients = [
        (
            holder,
            message.acknowledged.get(holder),
            tuple(each.id for each in model.answers(message.id) if each.sender == holder),
            message.closed.get(holder),
            None if (task := model.tasks.get((message.id, holder))) is None else task.state,
        )
        for holder in message.to
    ]
    return (
        *(message.id, message.sender, message.to, message.addressing, message.kind),
        *(message.title, message.body, message.reply_to, message.hops, message.urgent),
        *(message.at, recipients),
    )


def _model_row(model: Model, message: MMessage) -> tuple[Any, ...]:
    tasks_of = sorted(
        (holder, task.state)
        for (number, holder), task in model.tasks.items()
        if number == message.id
    )
    unread_by = tuple(holder for holder in message.to if message.id in model.seats[holder].unread)
    return message.id, len(model.answers(message.id)), unread_by, tuple(tasks_of)


def _task(task: tasks.Task) -> tuple[Any, ...]:
    evidence = ""
    if task.evidence is not None:
        number = task.evidence.get("message")
        evidence = "none" if number is None else f"message {number}"
    end = (evidence, task.reason or "", task.accepted or 0)
    return (task.message, task.holder, task.author, task.state, task.since, task.by, *end)


def _model_task(task: MTask) -> tuple[Any, ...]:
    end = (task.evidence or "", task.reason or "", task.accepted or 0)
    return (task.message, task.holder, task.author, task.state, task.since, task.by, *end)
