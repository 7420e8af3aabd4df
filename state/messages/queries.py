"""What stands in queues and threads: messages, and the facts there are of each recipient (M11)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from state.clock import Moment
from state.errors import NotFound
from state.index.names import QUEUED
from state.index.view import View
from state.looked import Look
from state.roster.queries import leased_message

_OWN = "SELECT {} FROM involved WHERE seat=? AND role=?"


@dataclass(frozen=True, slots=True)
class Closed:
    """R14: who closed the queue that this message stood in unread, when and why."""

    rev: int
    at: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """Four facts, none derived from another (M11); a task adds its state.

    `looked_at` is the seat's last look at its queue after the message came, None when there was
    none or it isn't known. `acknowledged` is when its cursor passed the message.
    """

    seat: str
    looked_at: str | None
    acknowledged: str | None
    answered: tuple[int, ...]
    closed_unread: Closed | None
    task: str | None


class Message(NamedTuple):
    """A message as it was written. `at` is when, for an imported one by its origin (M16).

    `body` is None when its text lies in a blob that is missing or changed.
    """

    id: int
    sender: str
    to: tuple[str, ...]
    addressing: str
    kind: str
    title: str
    body: str | None
    reply_to: int | None
    hops: int
    at: str
    written_at: str
    urgent: bool
    refs: tuple[str, ...]
    origin: Mapping[str, Any] | None
    recipients: tuple[Recipient, ...]


def get(view: View, number: int, looks: Mapping[str, Look]) -> Message:
    """One message with the facts of each recipient. NotFound for any other number."""
    if view.row("SELECT 1 FROM message WHERE id=?", number) is None:
        raise NotFound(f"there is no message #{number}", "`message list` shows what there is")
    line = view.line(number)
    if line is None:
        raise NotFound(f"there is no line {number}", "`journal log` shows what there is")
    for op in line.ops:
        if op["op"] == "message_posted":
            return _posted(view, number, line.ts, op, looks)
        if op["op"] == "message_imported":
            return _imported(view, number, line.ts, op)
    raise NotFound(f"line {number} holds no message", "`journal show` shows what it holds")


def queue(view: View, seat: str, limit: int) -> tuple[int, ...]:
    """Numbers of the seat's unread messages, oldest first (M5)."""
    row = _queue_of(view, seat)
    if row is None or row.queued == row.passed:
        return ()
    found = view.rows(
        _OWN.format("message") + " AND message>? ORDER BY message LIMIT ?",
        *(row.number, QUEUED, row.cursor, limit),
    )
    return tuple(number for (number,) in found)


def in_queue(view: View, seat: str, number: int) -> int | None:
    """The place of a message in a seat's queue, from 1; None when it never stood there."""
    row = _queue_of(view, seat)
    if row is None:
        return None
    own = (row.number, QUEUED)
    if not view.number(_OWN.format("count(*)") + " AND message=?", *own, number):
        return None
    between = _OWN.format("count(*)") + " AND message>? AND message<=?"
    if number > row.cursor:
        return row.passed + view.number(between, *own, row.cursor, number)
    return row.passed - view.number(between, *own, number, row.cursor)


def hops_of(view: View, number: int) -> int | None:
    """The hop count of a message, None when there is no such message."""
    row = view.row("SELECT hops FROM message WHERE id=?", number)
    return None if row is None else int(row[0])


def highest_acknowledged_hops(view: View, seat: str, since: str) -> int:
    """The highest hop count among what the seat acknowledged since that time, 0 without any."""
    row = _queue_of(view, seat)
    if row is None:
        return 0
    before = view.number(
        "SELECT through FROM ack WHERE seat=? AND at<? ORDER BY through DESC LIMIT 1", seat, since
    )
    # The cursor moves in order, so what was passed since then is one stretch of the queue; what
    # was closed in it (R14) was not acknowledged.
    closed = view.rows("SELECT first, last FROM closed WHERE seat=? AND last>?", seat, before)
    highest = 0
    for first, last in (*closed, (row.cursor + 1, None)):
        highest = max(
            highest,
            view.number(
                _OWN.format("max(hops)") + " AND message>? AND message<?",
                *(row.number, QUEUED, before, first),
            ),
        )
        before = last
    return highest


def leased_hops(view: View, seat: str, now: Moment) -> int:
    """The hop count of the message under the seat's live lease, 0 without one (M8)."""
    leased = leased_message(view, seat, now)
    return 0 if leased is None else hops_of(view, leased) or 0


def verified_after(view: View, seat: str, number: int) -> tuple[int, int]:
    """How many messages of the queue directly after `number` are verified (W20), and the last one.

    The last one is `number` itself where there are none.
    """
    found = view.rows(
        "SELECT message FROM intent WHERE seat=? AND state='sent_and_verified' AND message>?"
        " ORDER BY message",
        seat,
        number,
    )
    count = 0
    row = _queue_of(view, seat)
    for (verified,) in found:
        if row is None or number != _before(view, row.number, verified, number):
            break
        count, number = count + 1, verified
    return count, number


def _before(view: View, queue: int, message: int, least: int) -> int:
    """The message that stands directly before another one in a queue, at least `least`."""
    last = view.number(
        _OWN.format("max(message)") + " AND message<? AND message>=?",
        *(queue, QUEUED, message, least),
    )
    return last or least


def recipients(
    view: View, number: int, to: Iterable[str], looks: Mapping[str, Look]
) -> tuple[Recipient, ...]:
    """The facts of each recipient of one message."""
    answers: dict[str, list[int]] = {}
    for sender, child in view.rows(
        "SELECT sender, child FROM reply WHERE parent=? ORDER BY child", number
    ):
        answers.setdefault(sender, []).append(child)
    states = dict(view.rows("SELECT holder, state FROM task WHERE message=?", number))
    return tuple(
        Recipient(
            seat=seat,
            looked_at=_looked(looks.get(seat), number),
            acknowledged=_acknowledged(view, seat, number),
            answered=tuple(answers.get(seat, ())),
            closed_unread=_closed(view, seat, number),
            task=states.get(seat),
        )
        for seat in to
    )


class _Queue(NamedTuple):
    number: int
    cursor: int
    queued: int
    passed: int


def _queue_of(view: View, seat: str) -> _Queue | None:
    row = view.row("SELECT number, cursor, queued, passed FROM seat WHERE id=?", seat)
    return None if row is None else _Queue(*row)


def _looked(look: Look | None, number: int) -> str | None:
    return look.at if look is not None and look.rev >= number else None


def _acknowledged(view: View, seat: str, number: int) -> str | None:
    row = view.row(
        "SELECT first, at, through FROM ack WHERE seat=? AND through>=? ORDER BY through LIMIT 1",
        seat,
        number,
    )
    return row[1] if row is not None and row[0] <= number else None


def _closed(view: View, seat: str, number: int) -> Closed | None:
    row = view.row(
        "SELECT first, rev, at, by, reason, last FROM closed WHERE seat=? AND last>=?"
        " ORDER BY last LIMIT 1",
        seat,
        number,
    )
    return Closed(*row[1:5]) if row is not None and row[0] <= number else None


def _text(view: View, body: str | dict[str, Any]) -> str | None:
    if isinstance(body, str):
        return body
    raw = view.blob(body["sha256"])
    return None if raw is None else raw.decode()


def _posted(
    view: View, number: int, at: str, op: dict[str, Any], looks: Mapping[str, Look]
) -> Message:
    return Message(
        id=number,
        sender=op["sender"],
        to=tuple(op["to"]),
        addressing=op["addressing"],
        kind=op["kind"],
        title=op["title"],
        body=_text(view, op["body"]),
        reply_to=op["reply_to"],
        hops=op["hops"],
        at=at,
        written_at=at,
        urgent=op["urgency"] == "high",
        refs=tuple(op["refs"]),
        origin=None,
        recipients=recipients(view, number, op["to"], looks),
    )


def _imported(view: View, number: int, written_at: str, op: dict[str, Any]) -> Message:
    origin = op["origin"]
    return Message(
        id=number,
        sender=op["sender"] or origin["sender"],
        to=tuple(op["to"]) or (origin["recipient"],),
        addressing="direct",
        kind="note",
        title=op["title"],
        body=_text(view, op["body"]),
        reply_to=None,
        hops=0,
        at=origin["time"],
        written_at=written_at,
        urgent=False,
        refs=(),
        origin={**origin, "first": op["first"]},
        recipients=(),
    )
