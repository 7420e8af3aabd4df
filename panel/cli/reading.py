"""Messages as they are read from the log; one that is damaged is one bad message (fault 43)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from state.errors import Damaged
from state.messages import queries
from state.messages.queries import Message

if TYPE_CHECKING:
    from panel.cli.call import Call
    from state.index.view import View
    from state.looked import Look


def messages(
    call: Call, view: View, numbers: Iterable[int], looks: Mapping[str, Look]
) -> list[Message]:
    """The messages of these numbers. NotFound for a number that is none.

    Where a line doesn't verify, the message has what the index knows of it and no text; the call
    is told of the damage.
    """
    found = []
    for number in numbers:
        try:
            found.append(queries.get(view, number, looks))
        except Damaged as error:
            call.found_damage(number, error)
            found.append(_without_text(view, number, looks))
    return found


def _without_text(view: View, number: int, looks: Mapping[str, Look]) -> Message:
    from state.messages import listing

    (row,) = listing.of(view, (number,))
    return Message(
        id=row.id,
        sender=row.sender,
        to=row.to,
        addressing=row.addressing,
        kind=row.kind,
        title=row.title,
        body=None,
        reply_to=row.reply_to,
        hops=row.hops,
        at=row.at,
        written_at=row.at,
        urgent=row.urgent,
        refs=(),
        origin=None,
        recipients=() if row.imported else queries.recipients(view, number, row.to, looks),
    )
