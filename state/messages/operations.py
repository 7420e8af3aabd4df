"""What can happen to messages and tasks: the facts that the journal keeps.

A message's id is the revision of its line, so it stands in no field.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Blob:
    """A text kept in `blobs/<sha256>` because it would have been too long for a line."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class FileEvidence:
    """A file of the project as it was when the task was done; `path` is relative to the project."""

    kind: str = field(default="file", init=False)
    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class MessageEvidence:
    """A message by the holder, later than the acceptance."""

    kind: str = field(default="message", init=False)
    message: int


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """`evidence: none`, in so many words (M7)."""

    kind: str = field(default="none", init=False)


Evidence = FileEvidence | MessageEvidence | NoEvidence


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """`to` is the resolved list (M2), `addressing` is `direct` or `all`; `hops` as M8 counts."""

    op: str = field(default="message_posted", init=False)
    sender: str
    to: tuple[str, ...]
    addressing: str
    kind: str
    title: str
    body: str | Blob
    reply_to: int | None
    refs: tuple[str, ...]
    urgency: str
    hops: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an imported message stood; `read` is that tool's claim and nothing more (M16)."""

    tool: str
    team: str
    inbox: str
    position: int
    sender: str
    recipient: str
    time: str
    read: bool | None
    summary: str
    sha256: str


@dataclass(frozen=True, slots=True)
class MessageImported:
    """A message of another tool. `first` names the message of the same position, if there was one.

    `sender` and `to` are the seats that its names were mapped to, empty for a name without a seat.
    """

    op: str = field(default="message_imported", init=False)
    sender: str
    to: tuple[str, ...]
    title: str
    body: str | Blob
    origin: Origin
    first: int | None


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The cursor passed `count` messages from `first` to `through`, and stands at `cursor`."""

    op: str = field(default="acknowledged", init=False)
    seat: str
    first: int
    through: int
    count: int
    cursor: int


@dataclass(frozen=True, slots=True)
class TaskAccepted:
    op: str = field(default="task_accepted", init=False)
    message: int
    seat: str


@dataclass(frozen=True, slots=True)
class TaskDone:
    op: str = field(default="task_done", init=False)
    message: int
    seat: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class TaskDeclined:
    op: str = field(default="task_declined", init=False)
    message: int
    seat: str
    reason: str


@dataclass(frozen=True, slots=True)
class TaskCancelled:
    """`holders` are the seats whose tasks were open or accepted and are cancelled by this."""

    op: str = field(default="task_cancelled", init=False)
    message: int
    holders: tuple[str, ...]
    reason: str
