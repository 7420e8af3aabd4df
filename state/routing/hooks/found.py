"""A piece of evidence in a file: what it says, and where its line stands."""

from dataclasses import dataclass

from state.routing.hooks.seen import Seen


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file: its offset in bytes, its sha256, and the time that it names or None."""

    offset: int
    sha256: str
    at: str | None

    @property
    def id(self) -> str:
        """What the line is called where the host gave it no id."""
        return f"line@{self.offset}"


@dataclass(frozen=True, slots=True)
class Found:
    """What a line proves."""

    seen: Seen
    place: Place
