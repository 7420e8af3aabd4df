"""What the journal itself writes: a project's birth, a recovery, a new segment, a new identity."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ProjectCreated:
    """The first operation of line 1. `project` is the id that FORMAT gives."""

    op: str = field(default="project_created", init=False)
    project: str
    name: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """Bytes after HEAD that were no line: kept in `quarantine/<file>`, cut from the segment."""

    op: str = field(default="recovered", init=False)
    file: str
    bytes: int
    sha256: str
    segment: int
    offset: int


@dataclass(frozen=True, slots=True)
class SegmentStarted:
    """The first line of segment `number`; `size` and `sha256` are those of the one before it."""

    op: str = field(default="segment", init=False)
    number: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The user went on from the last good line; what is left out lies whole in `folder`."""

    op: str = field(default="accepted", init=False)
    rev: int
    hash: str
    reason: str
    lost_revs: int
    lost_bytes: int
    folder: str


@dataclass(frozen=True, slots=True)
class ProjectForked:
    """A copy became a project of its own: its id from here on, and where it branched off."""

    op: str = field(default="project_forked", init=False)
    project: str
    parent: str
    rev: int
    hash: str
