"""What an import does, as commands: seats in one line, then one line for each message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from state import checks
from state.clock import Moment
from state.command import Actor
from state.importing import decide
from state.index.fold_messages import origin_place
from state.index.view import View
from state.messages.operations import MessageImported, Origin
from state.roster import decide as roster
from state.roster import queries
from state.roster.operations import SeatAdded


@dataclass(frozen=True, slots=True)
class TakeSeats:
    """Seats for members, all or none. The request id of its line says for which team they are."""

    seats: tuple[SeatAdded, ...]
    roster: int

    def __post_init__(self) -> None:
        checks.revision(self.roster, "roster")
        for seat in self.seats:
            checks.seat_id(seat.seat)
            checks.display_name(seat.name)
            checks.label(seat.host, "host")
            checks.roles(seat.roles)

    def guards(self) -> Mapping[str, int]:
        return {"roster": self.roster}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        roster.by_user_only(actor.seat)
        for seat in self.seats:
            roster.may_add(seat.seat, queries.find(view, seat.seat))
        return self.seats

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return added(ops) == tuple(seat.seat for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ImportMessage:
    """M16: one message of another tool, kept as it was there."""

    sender: str
    to: tuple[str, ...]
    title: str
    body: str
    origin: Origin

    def __post_init__(self) -> None:
        checks.title(self.title)
        checks.body(self.body)

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        first = decide.first_of(known(view, self.origin), self.origin.sha256)
        return [MessageImported(self.sender, self.to, self.title, self.body, self.origin, first)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(
            op["op"] == "message_imported"
            and op["origin"]["sha256"] == self.origin.sha256
            and place(op["origin"]) == place(_fields(self.origin))
            for op in ops
        )


def known(view: View, origin: Origin) -> dict[str, int]:
    """The messages that were imported from this position: hash -> number."""
    found = view.rows(
        "SELECT sha256, message FROM origin WHERE place=? ORDER BY message", place(_fields(origin))
    )
    return dict(found)


def place(origin: Mapping[str, Any]) -> str:
    """The position in another tool's inbox as the index keys it."""
    return origin_place(dict(origin))


def added(ops: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The seats that a line adds."""
    return tuple(op["seat"] for op in ops if op["op"] == "seat_added")


def key_of_seats(tool: str, team: str, seats: Sequence[str]) -> str:
    """The key under which a team's seats are taken, so that it is known later whose they are.

    A label could be changed by hand; the request id of a line can't.
    """
    return f"import:{sha256(orjson.dumps([tool, team, *seats])).hexdigest()}"


def _fields(origin: Origin) -> dict[str, Any]:
    return {name: getattr(origin, name) for name in ("tool", "team", "inbox", "position")}
