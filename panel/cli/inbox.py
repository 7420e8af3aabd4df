"""`inbox` and what it shows: the unread messages of one seat, oldest first (M5, M6)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator

from panel.cli import reading, shapes
from panel.cli.call import USER, Call
from panel.cli.parser import Verb, whole
from state import looked
from state.looked import Look
from state.messages import queries
from state.roster import queries as roster

LIMIT = 50


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--limit", metavar="N", type=whole, default=LIMIT, help=f"at most so many, else {LIMIT}"
    )
    group.add_argument(
        "--peek", action="store_true", help="leave no hint that this seat has looked"
    )


def _run(call: Call) -> int:
    seat_id = call.seat()
    with call.looking() as view:
        seat = roster.get(view, seat_id)
        numbers = queries.queue(view, seat.seat, call.args.limit + 1)
        more = len(numbers) > call.args.limit
        found = reading.messages(call, view, numbers[: call.args.limit], {})
        rev = view.rev
    # Without a terminal it is not known to be the person who looks; who is shown nothing of what
    # waits has not looked.
    looks = (seat.seat != USER or call.at_terminal) and (bool(found) or not more)
    if not call.args.peek and call.is_sound and looks:
        looked.leave(call.paths, seat.seat, Look(call.project.clock.now(), rev))
    tasks_of = {
        message.id: one.task
        for message in found
        for one in message.recipients
        if one.seat == seat.seat and one.task is not None
    }

    def lines() -> Iterator[str]:
        from panel.cli.messages import paragraphs

        return paragraphs(call, seat, found, tasks_of, more)

    shown = {
        "seat": seat.seat,
        "cursor": seat.cursor,
        "unread": seat.unread,
        "more": more,
        "messages": [shapes.in_queue(message, tasks_of.get(message.id)) for message in found],
        "state": call.state,
    }
    return call.answer(shown, lines)


VERBS = Verb(
    _run,
    "The unread messages of a seat, oldest first.",
    words="[--limit N] [--peek]",
    arguments=_arguments,
    more="Reading moves nothing: a message stays unread until the seat acknowledges it with `ack`."
    " The time of this look is kept as a hint, unless --peek is given.",
    examples=(
        "sublation-panel --as codex inbox",
        "SUBLATION_SEAT=codex sublation-panel inbox --json --limit 1",
    ),
)
