"""The contract between a command and the project that runs it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from state.index.view import View

USER = "user"


@dataclass(frozen=True, slots=True)
class Actor:
    """The seat that acts, and the way it came (`via`: tui, tty, cli, hook, import, demo)."""

    seat: str
    via: str


class Command(Protocol):
    """A wish of one seat. Making one checks the input (BadInput); nothing is touched by that."""

    def guards(self) -> Mapping[str, int]:
        """Entity -> the revision at which the author saw it."""
        ...

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        """The operations that fulfil it in this state, or Refused, NotFound, BadInput."""
        ...

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a line with these operations is what this very command wrote earlier."""
        ...
