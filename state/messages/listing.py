"""Pages of the whole list of messages, newest first, by any filter (M10)."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from state.index.view import View
from state.messages.filters import Filter, pick

__all__ = ["Filter", "MessageRow", "count", "lets_through", "of", "page", "place"]

AT_ONCE = 500
_NAME = "SELECT sender FROM origin WHERE message=?"


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One row of a list: what is known without opening the line. `to` is the resolved list.

    `unread_by` are the recipients after whose cursor it stands; `tasks` are (holder, state).
    `opening` is how the text begins, where `openings` has looked.
    """

    id: int
    sender: str
    to: tuple[str, ...]
    addressing: str
    kind: str
    title: str
    at: str
    reply_to: int | None
    hops: int
    urgent: bool
    imported: bool
    replies: int
    unread_by: tuple[str, ...]
    tasks: tuple[tuple[str, str], ...]
    opening: str = ""


def count(view: View, wanted: Filter) -> int:
    """How many messages a filter lets through."""
    return pick(view, wanted).count()


def page(view: View, wanted: Filter, first: int, size: int) -> tuple[MessageRow, ...]:
    """Rows `first` (from 0, the newest) to `first + size`."""
    return of(view, pick(view, wanted).page(max(first, 0), size))


def place(view: View, wanted: Filter, number: int) -> int | None:
    """Where in the list the message stands that `page` would give there, None if it is left out."""
    return pick(view, wanted).place(number)


def lets_through(view: View, wanted: Filter, number: int) -> bool:
    """Whether one message passes a filter."""
    return pick(view, wanted).holds(number)


def of(view: View, numbers: Sequence[int]) -> tuple[MessageRow, ...]:
    """The rows of these messages, in this order; a number that is no message is left out."""
    found: dict[int, MessageRow] = {}
    for start in range(0, len(numbers), AT_ONCE):
        found |= _rows(view, tuple(numbers[start : start + AT_ONCE]))
    return tuple(found[number] for number in numbers if number in found)


def _rows(view: View, numbers: tuple[int, ...]) -> dict[int, MessageRow]:
    among = f"IN ({','.join('?' * len(numbers))})"
    cursors = dict(view.rows("SELECT id, cursor FROM seat"))
    replies = dict(
        view.rows(
            f"SELECT parent, count(*) FROM reply WHERE parent {among} GROUP BY parent", *numbers
        )
    )
    tasks: dict[int, list[tuple[str, str]]] = {}
    for message, holder, state in view.rows(
        f"SELECT message, holder, state FROM task WHERE message {among} ORDER BY message, holder",
        *numbers,
    ):
        tasks.setdefault(message, []).append((holder, state))
    found = {}
    for row in view.rows(
        "SELECT id, sender, recipients, addressing, kind, title, at, reply_to, hops, urgent,"
        f" imported FROM message WHERE id {among}",
        *numbers,
    ):
        number, sender, recipients, addressing, kind, title, at, reply_to, hops = row[:9]
        urgent, imported = bool(row[9]), bool(row[10])
        to = tuple(orjson.loads(recipients))
        if not sender:
            # The name that an imported message gives, which has no seat.
            (sender,) = view.row(_NAME, number) or ("",)
        found[number] = MessageRow(
            id=number,
            sender=sender,
            to=to,
            addressing=addressing,
            kind=kind,
            title=title,
            at=at,
            reply_to=reply_to,
            hops=hops,
            urgent=urgent,
            imported=imported,
            replies=replies.get(number, 0),
            unread_by=() if imported else tuple(seat for seat in to if cursors[seat] < number),
            tasks=tuple(tasks.get(number, ())),
        )
    return found
