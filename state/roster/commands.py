"""Changes of the roster as commands (R1-R16, M15)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from state import checks
from state.clock import Moment
from state.command import Actor
from state.index.view import View
from state.roster import decide, queries
from state.roster.operations import (
    IntentsDismissed,
    QueueClosed,
    SeatAdded,
    SeatAway,
    SeatBack,
    SeatChanged,
    SeatDeactivated,
    SeatHidden,
    SeatRenamed,
    SeatRestored,
    SeatShown,
)


@dataclass(frozen=True, slots=True)
class RosterChange:
    """A change that carries the roster revision its author saw (R9)."""

    OP: ClassVar[str] = ""

    seat: str
    roster: int

    def __post_init__(self) -> None:
        checks.named(self.seat, "seat")
        checks.revision(self.roster, "roster")

    def guards(self) -> Mapping[str, int]:
        return {"roster": self.roster}

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _same(self, self.OP, ops)


@dataclass(frozen=True, slots=True)
class AddSeat(RosterChange):
    """R2, R7, R8: a new agent seat, queue only. Without a name it is called by its id."""

    OP: ClassVar[str] = "seat_added"

    name: str = ""
    host: str = ""
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        RosterChange.__post_init__(self)
        checks.seat_id(self.seat)
        name = self.seat if self.name == "" else self.name
        object.__setattr__(self, "name", checks.display_name(name))
        checks.label(self.host, "host")
        object.__setattr__(self, "roles", checks.roles(self.roles))

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_add(self.seat, queries.find(view, self.seat))
        return [SeatAdded(self.seat, "agent", self.name, self.host, self.roles)]


@dataclass(frozen=True, slots=True)
class SetLabels(RosterChange):
    """R13: host and roles, which are labels; None leaves one as it is."""

    OP: ClassVar[str] = "seat_changed"

    host: str | None = None
    roles: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        RosterChange.__post_init__(self)
        if self.host is not None:
            checks.label(self.host, "host")
        if self.roles is not None:
            object.__setattr__(self, "roles", checks.roles(self.roles))

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        seat = queries.get(view, self.seat)
        host = seat.host if self.host is None else self.host
        roles = seat.roles if self.roles is None else self.roles
        decide.changes_something(self.seat, (seat.host, seat.roles), (host, roles))
        return [SeatChanged(self.seat, host, roles)]


@dataclass(frozen=True, slots=True)
class HideSeat(RosterChange):
    """R6."""

    OP: ClassVar[str] = "seat_hidden"

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_hide(queries.get(view, self.seat))
        return [SeatHidden(self.seat)]


@dataclass(frozen=True, slots=True)
class ShowSeat(RosterChange):
    """R6."""

    OP: ClassVar[str] = "seat_shown"

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_show(queries.get(view, self.seat))
        return [SeatShown(self.seat)]


@dataclass(frozen=True, slots=True)
class RenameSeat(RosterChange):
    """R1, R2: another display name for an agent seat; the id stays."""

    OP: ClassVar[str] = "seat_renamed"

    name: str = ""

    def __post_init__(self) -> None:
        RosterChange.__post_init__(self)
        checks.display_name(self.name)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        seat = queries.get(view, self.seat)
        decide.may_rename(seat)
        decide.changes_something(self.seat, seat.name, self.name)
        return [SeatRenamed(self.seat, self.name)]


@dataclass(frozen=True, slots=True)
class DeactivateSeat(RosterChange):
    """R3, R4, R5."""

    OP: ClassVar[str] = "seat_deactivated"

    reason: str = ""
    drifted: Collection[str] = frozenset()

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (self.seat,)

    def __post_init__(self) -> None:
        RosterChange.__post_init__(self)
        checks.reason(self.reason)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        seat = queries.get(view, self.seat)
        decide.may_deactivate(seat, queries.live_tasks(view, self.seat))
        return [SeatDeactivated(self.seat, self.reason)]


@dataclass(frozen=True, slots=True)
class RestoreSeat(RosterChange):
    """R5, R7, R8."""

    OP: ClassVar[str] = "seat_restored"

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_restore(queries.get(view, self.seat))
        return [SeatRestored(self.seat)]


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A change that touches one seat and not the roster's revision."""

    OP: ClassVar[str] = ""

    seat: str

    def __post_init__(self) -> None:
        checks.named(self.seat, "seat")

    def guards(self) -> Mapping[str, int]:
        return {}

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _same(self, self.OP, ops)


@dataclass(frozen=True, slots=True)
class MarkAway(SeatChange):
    """M15: not due until that time (UTC, as stored)."""

    OP: ClassVar[str] = "seat_away"

    until: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        SeatChange.__post_init__(self)
        object.__setattr__(self, "until", checks.moment(self.until, "until"))
        checks.reason(self.reason)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_leave(queries.get(view, self.seat))
        decide.still_to_come(self.until, now.utc)
        return [SeatAway(self.seat, self.until, self.reason)]


@dataclass(frozen=True, slots=True)
class MarkBack(SeatChange):
    """M15."""

    OP: ClassVar[str] = "seat_back"

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        decide.may_return(queries.get(view, self.seat))
        return [SeatBack(self.seat)]


@dataclass(frozen=True, slots=True)
class CloseQueue(SeatChange):
    """R14: what was unread is closed unread, what was unfinished is cancelled, wishes dismissed."""

    OP: ClassVar[str] = "queue_closed"

    reason: str = ""
    drifted: Collection[str] = frozenset()

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (self.seat,)

    def __post_init__(self) -> None:
        SeatChange.__post_init__(self)
        checks.reason(self.reason)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        decide.by_user_only(actor.seat)
        seat = queries.get(view, self.seat)
        tasks = queries.live_tasks(view, self.seat)
        decide.may_close_queue(seat, tasks, queries.leased_message(view, self.seat, now))
        cursor = seat.cursor
        unread: tuple[tuple[int, int], ...] = ()
        if seat.next_due is not None:
            cursor = queries.last_in_queue(view, self.seat)
            unread = ((seat.next_due, cursor),)
        held = decide.as_ranges(queries.tasks_since(view, self.seat, tasks[0])) if tasks else ()
        closed = QueueClosed(self.seat, self.reason, unread, seat.unread, held, len(tasks), cursor)
        wishes = queries.dismissable(view, self.seat)
        if not wishes:
            return [closed]
        return [closed, IntentsDismissed(self.seat, self.reason, wishes[0], wishes[-1])]


def _same(command: object, op: str, ops: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an operation says what the command says, in every field that both have."""
    for operation in ops:
        if operation["op"] == op:
            shared = [name for name in operation if hasattr(command, name) and name != "op"]
            return all(getattr(command, name) in (None, _plain(operation[name])) for name in shared)
    return False


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
