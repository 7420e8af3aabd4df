"""The contract between a command and the project that runs it, and the question behind a key."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from state import checks
from state.clock import Moment
from state.errors import BadInput, Refused
from state.index.view import View
from state.journal.line import VIAS

USER = "user"


@dataclass(frozen=True, slots=True)
class Actor:
    """The seat that acts, and the way it came (`via`: tui, tty, cli, hook, import, demo).

    BadInput for what can be neither a seat nor a way; whether the seat may act is decided later.
    """

    seat: str
    via: str

    def __post_init__(self) -> None:
        if not checks.SEAT_ID.fullmatch(checks.named(self.seat, "seat")):
            raise BadInput(
                f"{self.seat!r} can't be a seat", "name a seat of this project", field="seat"
            )
        if checks.text(self.via, "via") not in VIAS:
            raise BadInput(f"{self.via!r} is no way to come", field="via")


class Command(Protocol):
    """A wish of one seat. Making one checks the input (BadInput); nothing is touched by that."""

    def guards(self) -> Mapping[str, int]:
        """Entity -> the revision at which the author saw it."""
        ...

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        """The operations that fulfil it in this state, or Refused, NotFound, BadInput."""
        ...

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a line with these operations is what this very command wrote earlier."""
        ...


class OnTime(Protocol):
    """A command before and after which what the time has brought about is written (W27)."""

    @property
    def drifted(self) -> Collection[str]:
        """Adapters whose files were found to differ from their registration (W13)."""
        ...

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        """The seats that it is about."""
        ...


class Action(NamedTuple):
    """What may be done now: `refusal` is None when it may, else the rule and the reason."""

    name: str
    refusal: Refused | None


def asked(name: str, *rules: Callable[[], object]) -> Action:
    """The action, with the first refusal that one of the rules gives."""
    try:
        for rule in rules:
            rule()
    except Refused as refused:
        # Without its traceback: that would keep the view and the whole call alive.
        return Action(name, refused.with_traceback(None))
    return Action(name, None)
