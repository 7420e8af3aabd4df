"""What the model keeps of seats, messages and tasks."""

from __future__ import annotations

from dataclasses import dataclass, field

USER = "user"
FINAL = ("done", "declined", "cancelled")
LIVE = ("open", "accepted")


@dataclass
class MSeat:
    """A seat; `queue` are all numbers that ever came in, the cursor has passed `passed` of them."""

    id: str
    kind: str
    name: str
    host: str = ""
    roles: tuple[str, ...] = ()
    status: str = "active"
    visibility: str = "visible"
    revision: int = 0
    joined: int = 0
    cursor: int = 0
    queue: list[int] = field(default_factory=list)
    passed: int = 0
    away: tuple[str, str, str] | None = None

    @property
    def unread(self) -> list[int]:
        return self.queue[self.passed :]


@dataclass
class MMessage:
    """A message and what became of it for each recipient."""

    id: int
    sender: str
    to: tuple[str, ...]
    addressing: str
    kind: str
    title: str
    body: str
    reply_to: int | None
    urgent: bool
    hops: int
    at: str
    acknowledged: dict[str, str] = field(default_factory=dict)
    closed: dict[str, tuple[int, str, str, str]] = field(default_factory=dict)


@dataclass
class MTask:
    """One holder's task."""

    message: int
    holder: str
    author: str
    state: str
    since: str
    by: str
    accepted: int | None = None
    evidence: str | None = None
    reason: str | None = None
