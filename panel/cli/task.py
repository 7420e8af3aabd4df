"""`task`: who holds which, and its way from open to done, declined or cancelled (M7)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from panel.words import messages as words
from panel.words import operations, signs
from state.errors import BadInput
from state.messages import evidence as files
from state.messages import tasks
from state.messages.operations import Evidence, MessageEvidence, NoEvidence

if TYPE_CHECKING:
    from state.command import Actor, Command
    from state.index.view import View
    from state.messages.tasks import Task

N = (("N", "the number of the message that made the task"),)


def _list(call: Call) -> int:
    with call.looking() as view:
        listed = tasks.tasks(view)
    project = call.paths.project
    shown = {"tasks": [_shape(task, project) for task in listed], "state": call.state}

    def lines() -> Iterator[str]:
        from panel.present import ages

        if not listed:
            yield "no task; one is given with: post SEAT --kind task --title …"
            return
        now = ages.parsed(call.project.clock.now())
        heads = ("#", "state", "holder", "author", "since", "title")
        rows = [
            (
                str(task.message),
                str(signs.task_state(task.state)),
                signs.seat(task.holder),
                signs.seat(task.author),
                ages.age(task.since, now),
                task.title + _aside(task, project),
            )
            for task in listed
        ]
        yield from output.table(heads, rows, right=(0,), keep=(1, 4))

    return call.answer(shown, lines)


def in_words(task: Task, project: str) -> str:
    """A holder's task: its state, and its evidence or reason."""
    return f"{signs.task_state(task.state)}{_aside(task, project)}"


def _aside(task: Task, project: str) -> str:
    if task.evidence is not None:
        became = _became(task, project)
        now = "" if became is None else f"; {words.FILE_BECAME[became]}"
        return f" · {operations.evidence(task.evidence)}{now}"
    return "" if task.reason is None else f" · {task.reason}"


def _became(task: Task, project: str) -> str | None:
    """What has become of the file that is the evidence, None where it is no file."""
    if task.evidence is None or task.evidence["kind"] != "file":
        return None
    return files.now(project, task.evidence)


def _shape(task: Task, project: str) -> dict[str, Any]:
    became = _became(task, project)
    now = {} if became is None else {"now": became}
    return {
        "message": task.message,
        "holder": task.holder,
        "author": task.author,
        "title": task.title,
        "state": task.state,
        "evidence": None if task.evidence is None else {**task.evidence, **now},
        "reason": task.reason,
        "since": task.since,
    }


def _change(name: str, make: Callable[[Call, int], Command]) -> Callable[[Call], int]:
    """A verb that moves a task; whether this seat may is answered before what is missing."""

    def run(call: Call) -> int:
        actor = call.actor()
        number = call.number(0)
        done = call.change(
            lambda: make(call, number), actor, may=lambda view: _may(view, name, number, actor)
        )
        result = any(op["op"] == "message_posted" for op in done.ops)
        shown = {
            "rev": done.rev,
            "task": number,
            "seat": actor.seat,
            "result": done.rev if result else None,
            "repeated": done.repeated,
        }

        def lines() -> Iterator[str]:
            from panel.neutral import plain

            again = ", before with this key; nothing was written now" if done.repeated else ""
            said = operations.all_in_words(done.ops, done.rev)
            yield plain(f"r{done.rev}: {signs.seat(actor.seat)} {said}{again}")

        return call.answer(shown, lines)

    return run


def _may(view: View, name: str, number: int, actor: Actor) -> None:
    from state.messages.actions import task_actions

    for action in task_actions(view, number, actor.seat):
        if action.name == name and action.refusal is not None:
            raise action.refusal


def _accept(call: Call, number: int) -> Command:
    return tasks.AcceptTask(number)


def _done(call: Call, number: int) -> Command:
    return tasks.FinishTask(number, _evidence(call))


def _evidence(call: Call) -> Evidence:
    args = call.args
    given = [args.evidence is not None, args.evidence_message is not None, args.no_evidence]
    if sum(given) != 1:
        raise BadInput(
            "a done task names its evidence once, or says that there is none",
            "--evidence FILE, --evidence-message M or --no-evidence",
            field="evidence",
        )
    if args.evidence is not None:
        return files.take_file(call.paths.project, args.evidence)
    if args.evidence_message is not None:
        return MessageEvidence(args.evidence_message)
    return NoEvidence()


def _decline(call: Call, number: int) -> Command:
    return tasks.DeclineTask(number, call.args.reason or "")


def _cancel(call: Call, number: int) -> Command:
    return tasks.CancelTask(number, call.args.reason or "", call.args.holder)


def _evidence_arguments(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--evidence", metavar="FILE", help="a file of the project; its sha256 is taken now"
    )
    group.add_argument(
        "--evidence-message",
        metavar="M",
        type=whole,
        help="a message of your own, later than the acceptance",
    )
    group.add_argument(
        "--no-evidence", action="store_true", help="say in so many words that there is none"
    )


def _reason(group: _ArgumentGroup) -> None:
    group.add_argument("--reason", metavar="TEXT", help="why; it is kept in the journal")


def _holder_and_reason(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--seat", metavar="S", dest="holder", help="only this holder's; else every holder's"
    )
    _reason(group)


HOLDER = "Only its holder may."

VERBS: Mapping[str, Verb] = {
    "list": Verb(
        _list,
        "Every task, the newest first, with its evidence and what became of that since.",
        more="Needs neither a seat nor a terminal and changes nothing.",
    ),
    "accept": Verb(
        _change("accept", _accept), "Take an open task on.", names=N, changes=True, more=HOLDER
    ),
    "done": Verb(
        _change("done", _done),
        "Finish an accepted task; its author gets a result message.",
        names=N,
        words="(--evidence FILE | --evidence-message M | --no-evidence)",
        arguments=_evidence_arguments,
        changes=True,
        more=HOLDER,
        examples=(
            "sublation-panel task done 12 --evidence docs/report.md",
            "sublation-panel task done 12 --no-evidence",
        ),
    ),
    "decline": Verb(
        _change("decline", _decline),
        "Say no to a task, with a reason; its author gets a result message.",
        names=N,
        words="--reason TEXT",
        arguments=_reason,
        changes=True,
        more=HOLDER,
    ),
    "cancel": Verb(
        _change("cancel", _cancel),
        "Take a task back, with a reason.",
        names=N,
        words="[--seat S] --reason TEXT",
        arguments=_holder_and_reason,
        changes=True,
        more="Only its author or the user may. Without --seat it ends for every holder.",
    ),
}
