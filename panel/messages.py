"""What happened, as the panel's parts tell each other. Past participles; nothing here decides.

The app posts `ViewRefreshed` to the screens that are seen whenever a newer picture was taken. A
screen that calls `app.submit(command)` gets exactly one of `CommandCommitted` and `CommandRefused`
as the answer, and after the first, once the journal has come back with that line, `CommandSaved`.
"""

from __future__ import annotations

from typing import NamedTuple

from textual.message import Message

from panel.snapshot import Snapshot
from state.command import Command
from state.errors import StateError


class ViewRefreshed(Message, bubble=False):
    """A newer picture of the project; of several that wait, only the last one counts."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.snapshot = snapshot

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, ViewRefreshed)


class _Answer(Message, bubble=False):
    def __init__(self, command: Command) -> None:
        super().__init__()
        self.command = command


class CommandCommitted(_Answer):
    """The command's line is on the disk as line `rev`; nothing on the screen has changed by that.

    `repeated`: an earlier line said the same under the same key, and nothing was written now.
    """

    def __init__(self, command: Command, rev: int, repeated: bool) -> None:
        super().__init__(command)
        self.rev = rev
        self.repeated = repeated


class CommandSaved(_Answer):
    """The journal came back with line `rev`: now the screen shows what the command did."""

    def __init__(self, command: Command, rev: int) -> None:
        super().__init__(command)
        self.rev = rev


class CommandRefused(_Answer):
    """The command was not carried out, or it isn't known (`CommitUnknown`); `error` says why.

    A conflict of revisions comes here only after the person dropped the change (R9).
    """

    def __init__(self, command: Command, error: StateError) -> None:
        super().__init__(command)
        self.error = error


class Place(NamedTuple):
    """Where something can be looked at or dealt with.

    By kind, `id` is the number of a `message` (mode queue), the seat whose `queue` is meant (mode
    queue, filtered by it), a `seat` (mode overview), a seat whose window is meant (`wake`) or the
    number of a `line` (mode journal).
    """

    kind: str
    id: int | str


class PlaceOpened(Message, bubble=False):
    """The person wants to go there; posted to the screen of the mode that can show it."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
