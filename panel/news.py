"""What the app's own workers found, as messages to the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from panel.bridge import Bridge, Seen
from state.errors import StateError

if TYPE_CHECKING:
    from state.journal.follow import News


class ProjectOpened(Message, bubble=False):
    """A project is open now, at the start or again after its folder was made anew."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge


class ProjectRefused(Message, bubble=False):
    """It can't be opened or followed."""

    def __init__(self, error: StateError) -> None:
        super().__init__()
        self.error = error


class Followed(Message, bubble=False):
    """News of the journal."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


class FollowingEnded(Message, bubble=False):
    """The follower is at its end: because the panel is, or because of an error."""

    def __init__(self, error: StateError | None) -> None:
        super().__init__()
        self.error = error


class IndexBuilt(Message, bubble=False):
    """How much is built of an index that the next picture needs."""

    def __init__(self, done: int, of: int) -> None:
        super().__init__()
        self.done = done
        self.of = of

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, IndexBuilt)


class SnapshotTaken(Message, bubble=False):
    """A picture was taken through this bridge, or why it could not be."""

    def __init__(self, bridge: Bridge, seen: Seen | None, error: StateError | None) -> None:
        super().__init__()
        self.bridge = bridge
        self.seen = seen
        self.error = error


class ChainChecked(Message, bubble=False):
    """How far the check of the whole chain has come; `wrong` says what it found, and in which line.

    That line is None where it is about no line.
    """

    def __init__(
        self,
        bridge: Bridge,
        upto: int,
        of: int,
        wrong: str | None = None,
        wrong_rev: int | None = None,
    ) -> None:
        super().__init__()
        self.bridge = bridge
        self.upto = upto
        self.of = of
        self.wrong = wrong
        self.wrong_rev = wrong_rev

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, ChainChecked)
