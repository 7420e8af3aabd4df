"""Pages of the whole list of messages, newest first, by any filter (M10)."""

from dataclasses import dataclass
from typing import Any

from state.index.view import View


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list shows; None leaves a question out. Times are UTC as stored.

    `seat` is sender or recipient. `state` is one of `unread`, `open`, `accepted`, `done`,
    `declined`, `cancelled`: of the seat's own copy where `seat` is given, else of anybody's.
    """

    seat: str | None = None
    sender: str | None = None
    kind: str | None = None
    state: str | None = None
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One row of a list: what is known without opening the line. `to` is the resolved list.

    `unread_by` are the recipients after whose cursor it stands; `tasks` are (holder, state).
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


def count(view: View, wanted: Filter) -> int:
    """How many messages a filter lets through."""
    raise NotImplementedError


def page(view: View, wanted: Filter, first: int, size: int) -> tuple[MessageRow, ...]:
    """Rows `first` (from 0, the newest) to `first + size`."""
    raise NotImplementedError


def place(view: View, wanted: Filter, number: int) -> int | None:
    """Where in the list the message stands that `page` would give there, None if it is left out."""
    raise NotImplementedError


def _where(wanted: Filter) -> tuple[str, tuple[Any, ...]]:
    raise NotImplementedError
