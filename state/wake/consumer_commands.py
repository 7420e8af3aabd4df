"""Declaring a consumer that can't hold a lock, and saying that it has ended, as commands (W22).

The user or the seat itself declares; whoever declared it or the user says that it ended.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.clock import Moment
from state.command import USER, Actor
from state.errors import Refused
from state.index.view import View
from state.roster import decide as roster
from state.roster import queries
from state.roster.queries import Seat
from state.wake.consumer_operations import ConsumerDeclared, ConsumerEnded
from state.wake.consumers import Consumer, declared, in_the_way


@dataclass(frozen=True, slots=True)
class DeclareConsumer:
    """W22: something called `name` claims for the seat, until `EndConsumer`."""

    seat: str
    name: str

    def __post_init__(self) -> None:
        checks.named(self.seat, "seat")
        checks.display_name(self.name, "name")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        may_speak(actor.seat, self.seat, queries.find(view, self.seat))
        may_declare(self.name, declared(view, self.seat))
        return [ConsumerDeclared(self.seat, self.name)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {"op": "consumer_declared", "seat": self.seat, "name": self.name}
        return any(mine.items() <= op.items() for op in ops)


@dataclass(frozen=True, slots=True)
class EndConsumer:
    """W22: what was declared for the seat claims no longer."""

    seat: str

    def __post_init__(self) -> None:
        checks.named(self.seat, "seat")

    def guards(self) -> Mapping[str, int]:
        return {}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        queries.get(view, self.seat)
        stands = may_end(actor.seat, self.seat, declared(view, self.seat))
        return [ConsumerEnded(self.seat, stands.name)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {"op": "consumer_ended", "seat": self.seat}
        return any(mine.items() <= op.items() for op in ops)


def may_speak(actor: str, seat: str, found: Seat | None) -> None:
    """W22: the user, or the seat itself, says who claims for an active agent seat."""
    if actor not in (USER, seat):
        raise Refused(
            "W22",
            f"only {seat} itself or the user says who claims for {seat}; {actor} may not",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )
    if roster.may_act("W22", seat, found).kind == USER:
        raise Refused("W22", "nothing claims for the user seat", "name an agent's seat")


def may_hold(name: str, stands: Consumer | None) -> None:
    """W22: who may speak for the seat holds its lock while nothing else is declared for it."""
    if stands is not None and stands.name != name:
        raise in_the_way(stands)


def may_declare(name: str, stands: Consumer | None) -> None:
    """W22: one consumer is declared for a seat at a time."""
    if stands is None:
        return
    if stands.name == name:
        raise Refused("W22", f"{name!r} is declared for {stands.seat} already", "nothing to do")
    raise in_the_way(stands)


def may_end(actor: str, seat: str, stands: Consumer | None) -> Consumer:
    """W22: the user, or whoever declared it; gives what is ended."""
    if stands is None:
        raise Refused("W22", f"no consumer is declared for {seat}", "see: consumer list")
    if actor not in (USER, stands.by):
        raise Refused(
            "W22",
            f"{stands.by} declared {stands.name!r} for {seat}; {actor} may not end it",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )
    return stands
