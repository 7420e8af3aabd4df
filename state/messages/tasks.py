"""Tasks: what they are and how they move (M7)."""

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from typing import Any

import orjson

from state import checks
from state.command import Actor
from state.errors import BadInput, NotFound
from state.index.view import View
from state.messages import decide
from state.messages.commands import hop_count
from state.messages.operations import (
    Evidence,
    FileEvidence,
    MessageEvidence,
    MessagePosted,
    TaskAccepted,
    TaskCancelled,
    TaskDeclined,
    TaskDone,
)
from state.roster import queries as roster


@dataclass(frozen=True, slots=True)
class Task:
    """One holder's task. `since` is when it got into its state; `accepted` the line that did so."""

    message: int
    holder: str
    author: str
    title: str
    state: str
    evidence: Mapping[str, Any] | None
    reason: str | None
    since: str
    accepted: int | None


_SELECT = (
    "SELECT t.message, t.holder, t.author, m.title, t.state, t.evidence, t.reason, t.since,"
    " t.accepted FROM task t JOIN message m ON m.id=t.message"
)


def tasks(view: View, limit: int = -1) -> tuple[Task, ...]:
    """Every task, newest first."""
    found = view.rows(_SELECT + " ORDER BY t.message DESC, t.holder LIMIT ?", limit)
    return tuple(_task(row) for row in found)


def of_message(view: View, number: int) -> tuple[Task, ...]:
    """The tasks that one message made, one for each recipient."""
    return tuple(_task(row) for row in view.rows(_SELECT + " WHERE t.message=?", number))


def find(view: View, number: int, holder: str) -> Task | None:
    """One holder's task, None when there is none."""
    row = view.row(_SELECT + " WHERE t.message=? AND t.holder=?", number, holder)
    return None if row is None else _task(row)


def take_file(project: str, path: str) -> FileEvidence:
    """A file of the project as evidence: its hash is taken here and now, by the program (M7).

    BadInput unless it is a regular file inside the project's folder, reached through no link.
    """
    root = os.path.realpath(project)
    wanted = os.path.normpath(os.path.join(os.getcwd(), path))
    inside = os.path.relpath(os.path.realpath(wanted), root)
    if os.path.realpath(wanted) != os.path.join(
        os.path.realpath(os.path.dirname(wanted)), (os.path.basename(wanted))
    ) or inside.startswith(".."):
        raise BadInput(
            f"{path} is a link or lies outside the project",
            f"evidence is a plain file below {root}",
            field="evidence",
        )
    try:
        with open(wanted, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise BadInput(f"{path} is no regular file", field="evidence")
            return FileEvidence(inside, file_digest(file, "sha256").hexdigest(), found.st_size)
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}", field="evidence") from error


@dataclass(frozen=True, slots=True)
class _Numbered:
    number: int

    def __post_init__(self) -> None:
        checks.revision(self.number, "task")

    def guards(self) -> Mapping[str, int]:
        return {}


@dataclass(frozen=True, slots=True)
class AcceptTask(_Numbered):
    """M7: its holder takes an open task on."""

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        decide.may_accept(_state(view, self.number, actor.seat), self.number, actor.seat)
        return [TaskAccepted(self.number, actor.seat)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _names(ops, "task_accepted", self.number)


@dataclass(frozen=True, slots=True)
class FinishTask(_Numbered):
    """M7: done with evidence, or with none in so many words; the author gets a result."""

    evidence: Evidence

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        task = find(view, self.number, actor.seat)
        decide.may_finish(None if task is None else task.state, self.number, actor.seat)
        if isinstance(self.evidence, MessageEvidence):
            row = view.row("SELECT sender FROM message WHERE id=?", self.evidence.message)
            decide.evidence_message(
                self.evidence.message,
                None if row is None else row[0],
                actor.seat,
                None if task is None else task.accepted,
            )
        done = TaskDone(self.number, actor.seat, self.evidence)
        return [done, *_result(view, actor.seat, self.number, "done", _shown(self.evidence), now)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _names(ops, "task_done", self.number)


@dataclass(frozen=True, slots=True)
class DeclineTask(_Numbered):
    """M7: its holder says no, with a reason; the author gets a result."""

    reason: str

    def __post_init__(self) -> None:
        _Numbered.__post_init__(self)
        checks.reason(self.reason)

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        decide.may_decline(_state(view, self.number, actor.seat), self.number, actor.seat)
        declined = TaskDeclined(self.number, actor.seat, self.reason)
        return [
            declined,
            *_result(view, actor.seat, self.number, "declined", self.reason, now),
        ]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _names(ops, "task_declined", self.number)


@dataclass(frozen=True, slots=True)
class CancelTask(_Numbered):
    """M7: its author or the user ends it, for one holder or for every one."""

    reason: str
    seat: str | None = None

    def __post_init__(self) -> None:
        _Numbered.__post_init__(self)
        checks.reason(self.reason)

    def decide(self, view: View, actor: Actor, now: str) -> Sequence[object]:
        held = of_message(view, self.number)
        if not held:
            raise NotFound(f"there is no task #{self.number}", "task list shows what there is")
        if self.seat is not None:
            roster.get(view, self.seat)
            held = tuple(task for task in held if task.holder == self.seat)
        live = tuple(task.holder for task in held if task.state not in decide.FINAL)
        author = view.row("SELECT sender FROM message WHERE id=?", self.number)
        decide.may_cancel(actor.seat, author[0] if author else "", self.number, live)
        return [TaskCancelled(self.number, live, self.reason)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _names(ops, "task_cancelled", self.number)


def _result(
    view: View, holder: str, number: int, word: str, body: str, now: str
) -> Sequence[object]:
    task = find(view, number, holder)
    author = None if task is None else roster.find(view, task.author)
    if task is None or author is None or author.status == "inactive":
        return ()
    return (
        MessagePosted(
            sender=holder,
            to=(task.author,),
            addressing="direct",
            kind="result",
            title=f"{word}: {task.title}"[: checks.TITLE_LIMIT],
            body=body,
            reply_to=number,
            refs=(),
            urgency="normal",
            hops=hop_count(view, holder, number, now),
        ),
    )


def _shown(evidence: Evidence) -> str:
    if isinstance(evidence, FileEvidence):
        return f"evidence: file {evidence.path} (sha256 {evidence.sha256})"
    if isinstance(evidence, MessageEvidence):
        return f"evidence: message #{evidence.message}"
    return "evidence: none"


def _state(view: View, number: int, holder: str) -> str | None:
    task = find(view, number, holder)
    return None if task is None else task.state


def _names(ops: Sequence[Mapping[str, Any]], name: str, number: int) -> bool:
    return any(op["op"] == name and op["message"] == number for op in ops)


def _task(row: tuple[Any, ...]) -> Task:
    evidence = None if row[5] is None else orjson.loads(row[5])
    return Task(row[0], row[1], row[2], row[3], row[4], evidence, row[6], row[7], row[8])
