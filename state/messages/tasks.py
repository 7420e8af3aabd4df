"""Tasks: what they are and how they move (M7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from state import checks
from state.clock import Moment
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
    NoEvidence,
    TaskAccepted,
    TaskCancelled,
    TaskDeclined,
    TaskDone,
)
from state.roster import queries as roster
from state.roster.decide import may_act


@dataclass(frozen=True, slots=True)
class Task:
    """One holder's task. `since` is when it got into its state and `by` who did that: who cancelled
    it or closed the queue, too (R14). `accepted` is the line in which it was accepted.
    """

    message: int
    holder: str
    author: str
    title: str
    state: str
    evidence: Mapping[str, Any] | None
    reason: str | None
    since: str
    by: str
    accepted: int | None


_SELECT = (
    "SELECT message, holder, author, title, state, evidence, reason, since, by, accepted FROM task"
)


def tasks(view: View, limit: int = -1) -> tuple[Task, ...]:
    """Every task, newest first."""
    found = view.rows(_SELECT + " ORDER BY message DESC, holder LIMIT ?", limit)
    return tuple(_task(row) for row in found)


def of_message(view: View, number: int) -> tuple[Task, ...]:
    """The tasks that one message made, one for each recipient."""
    return tuple(_task(row) for row in view.rows(_SELECT + " WHERE message=?", number))


def find(view: View, number: int, holder: str) -> Task | None:
    """One holder's task, None when there is none."""
    row = view.row(_SELECT + " WHERE message=? AND holder=?", number, holder)
    return None if row is None else _task(row)


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

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        task = _own(view, self.number, actor.seat)
        decide.may_accept(_state(task), self.number)
        return [TaskAccepted(self.number, actor.seat)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return _find(ops, "task_accepted", self.number) is not None


@dataclass(frozen=True, slots=True)
class FinishTask(_Numbered):
    """M7: done with evidence, or with none in so many words; the author gets a result.

    A file as evidence comes from `state.messages.evidence.take_file`.
    """

    evidence: Evidence

    def __post_init__(self) -> None:
        _Numbered.__post_init__(self)
        if isinstance(self.evidence, MessageEvidence):
            checks.revision(self.evidence.message, "evidence")
        elif not isinstance(self.evidence, FileEvidence | NoEvidence):
            raise BadInput(
                "a done task names its evidence, or says that there is none",
                "--evidence FILE, --evidence-message M or --no-evidence",
                field="evidence",
            )

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        task = _own(view, self.number, actor.seat)
        decide.may_finish(_state(task), self.number)
        if isinstance(self.evidence, MessageEvidence):
            number = self.evidence.message
            row = view.row("SELECT sender FROM message WHERE id=? AND NOT imported", number)
            accepted = 0 if task is None or task.accepted is None else task.accepted
            sender = None if row is None else row[0]
            decide.evidence_message(number, sender, actor.seat, accepted)
        done = TaskDone(self.number, actor.seat, self.evidence)
        return [done, *_result(view, task, "done", _shown(self.evidence), now)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        op = _find(ops, "task_done", self.number)
        return op is not None and _is_same_evidence(self.evidence, op["evidence"])


@dataclass(frozen=True, slots=True)
class DeclineTask(_Numbered):
    """M7: its holder says no, with a reason; the author gets a result."""

    reason: str

    def __post_init__(self) -> None:
        _Numbered.__post_init__(self)
        checks.reason(self.reason)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        task = _own(view, self.number, actor.seat)
        decide.may_decline(_state(task), self.number)
        declined = TaskDeclined(self.number, actor.seat, self.reason)
        return [declined, *_result(view, task, "declined", self.reason, now)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        op = _find(ops, "task_declined", self.number)
        return op is not None and op["reason"] == self.reason


@dataclass(frozen=True, slots=True)
class CancelTask(_Numbered):
    """M7: its author or the user ends it, for one holder or for every one."""

    reason: str
    seat: str | None = None

    def __post_init__(self) -> None:
        _Numbered.__post_init__(self)
        checks.reason(self.reason)
        if self.seat is not None:
            checks.named(self.seat, "seat")

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        may_act("M7", actor.seat, roster.find(view, actor.seat))
        held = of_message(view, self.number)
        if not held:
            raise NotFound(f"there is no task #{self.number}", "task list shows what there is")
        meant = {
            task.holder: task.state
            for task in held
            if self.seat is None or task.holder == self.seat
        }
        author = held[0].author
        live = decide.may_cancel(actor.seat, author, self.number, meant)
        return [TaskCancelled(self.number, live, self.reason)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        op = _find(ops, "task_cancelled", self.number)
        return (
            op is not None
            and op["reason"] == self.reason
            and (self.seat is None or op["holders"] == [self.seat])
        )


def _own(view: View, number: int, actor: str) -> Task | None:
    """The actor's own task of that number, when the actor is one who can have any."""
    may_act("M7", actor, roster.find(view, actor))
    return find(view, number, actor)


def _state(task: Task | None) -> str | None:
    return None if task is None else task.state


def _result(view: View, task: Task | None, word: str, body: str, now: Moment) -> Sequence[object]:
    """What the author gets in the queue, nothing when the author's seat is inactive (M7)."""
    author = None if task is None else roster.find(view, task.author)
    if task is None or author is None or author.status == "inactive":
        return ()
    return (
        MessagePosted(
            sender=task.holder,
            to=(task.author,),
            addressing="direct",
            kind="result",
            title=f"{word}: {task.title}"[: checks.TITLE_LIMIT],
            body=body,
            reply_to=task.message,
            refs=(),
            urgency="normal",
            hops=hop_count(view, task.holder, task.message, now),
        ),
    )


def _shown(evidence: Evidence) -> str:
    if isinstance(evidence, FileEvidence):
        return f"evidence: file {evidence.path} (sha256 {evidence.sha256})"
    if isinstance(evidence, MessageEvidence):
        return f"evidence: message #{evidence.message}"
    return "evidence: none"


def _is_same_evidence(evidence: Evidence, written: Mapping[str, Any]) -> bool:
    """A file is the same by its path: a retry is safe whatever became of it since (M4)."""
    if evidence.kind != written["kind"]:
        return False
    if isinstance(evidence, FileEvidence):
        return bool(evidence.path == written["path"])
    return not isinstance(evidence, MessageEvidence) or evidence.message == written["message"]


def _find(ops: Sequence[Mapping[str, Any]], name: str, number: int) -> Mapping[str, Any] | None:
    return next((op for op in ops if op["op"] == name and op["message"] == number), None)


def _task(row: tuple[Any, ...]) -> Task:
    found = Task(*row)
    return found if row[5] is None else replace(found, evidence=orjson.loads(row[5]))
