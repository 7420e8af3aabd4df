"""What can happen to a seat: the facts that the journal keeps (R5, R10)."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SeatAdded:
    """A seat that never was. `kind` is `user` or `agent`; host and roles are labels (R13)."""

    op: str = field(default="seat_added", init=False)
    seat: str
    kind: str
    name: str
    host: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """The labels as they are afterwards."""

    op: str = field(default="seat_changed", init=False)
    seat: str
    host: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatHidden:
    op: str = field(default="seat_hidden", init=False)
    seat: str


@dataclass(frozen=True, slots=True)
class SeatShown:
    op: str = field(default="seat_shown", init=False)
    seat: str


@dataclass(frozen=True, slots=True)
class SeatRenamed:
    op: str = field(default="seat_renamed", init=False)
    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class SeatDeactivated:
    """The tombstone of R5; messages and tasks stay as they are."""

    op: str = field(default="seat_deactivated", init=False)
    seat: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatRestored:
    """The cursor starts again at the last message of this moment (R7)."""

    op: str = field(default="seat_restored", init=False)
    seat: str


@dataclass(frozen=True, slots=True)
class SeatAway:
    op: str = field(default="seat_away", init=False)
    seat: str
    until: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatBack:
    op: str = field(default="seat_back", init=False)
    seat: str


@dataclass(frozen=True, slots=True)
class QueueClosed:
    """R14. The ranges hold numbers of messages, both ends included; in them every message of the
    seat's queue that was unread, and every task of the seat that was open or accepted, is meant.

    `cursor` is where the seat's cursor stands afterwards.
    """

    op: str = field(default="queue_closed", init=False)
    seat: str
    reason: str
    unread: tuple[tuple[int, int], ...]
    unread_count: int
    tasks: tuple[tuple[int, int], ...]
    task_count: int
    cursor: int


@dataclass(frozen=True, slots=True)
class IntentsDismissed:
    """R14: with its queue each of the seat's intents that was pending, failed or in
    `terminal_hold`; `first` and `last` are the messages of the oldest and the newest.
    """

    op: str = field(default="intents_dismissed", init=False)
    seat: str
    reason: str
    first: int
    last: int
