"""What may be done with a message or task now, and if not, why: for keys, menus and commands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from state.command import USER, Action, asked
from state.index.view import View
from state.messages import decide, queries, tasks
from state.messages.commands import acknowledgement
from state.roster import queries as roster
from state.roster.decide import may_act


@dataclass(frozen=True, slots=True)
class NextDue:
    """Acknowledging the next message due: `number` is None when nothing is, and `action` says so.

    `still_open`: it is a question that the seat has not answered or a task that it has neither
    accepted nor ended, so a person is asked first. `sender` and `title` are of that message.
    """

    action: Action
    number: int | None
    still_open: bool
    sender: str = ""
    title: str = ""


def next_due(view: View, actor: str = USER) -> NextDue:
    """What acknowledging means for a seat now (M5)."""
    seat = roster.find(view, actor)
    number = None if seat is None else seat.next_due
    action = asked("acknowledge", lambda: acknowledgement(view, actor, number or 0, through=False))
    if number is None or action.refusal is not None:
        return NextDue(action, None, False)
    message = queries.get(view, number, {})
    own = next(one for one in message.recipients if one.seat == actor)
    owed = decide.still_open(message.kind, answered=bool(own.answered), task=own.task)
    return NextDue(action, number, owed, message.sender, message.title)


def message_actions(view: View, number: int, actor: str = USER) -> tuple[Action, ...]:
    """What a seat may do with one message. NotFound when there is no such message.

    Names: acknowledge, reply, task, accept, done, decline, cancel. `task` may be done when any of
    the four after it may, each of which is about the task that the message made.
    """
    to = reply_to(view, number, actor)
    of_task = task_actions(view, number, actor)
    able = next((action for action in of_task if action.refusal is None), of_task[0])
    return (
        asked("acknowledge", lambda: acknowledgement(view, actor, number, through=False)),
        asked(
            "reply",
            lambda: may_act("M3", actor, roster.find(view, actor)),
            lambda: decide.resolve(actor, to, roster.statuses(view)),
        ),
        Action("task", able.refusal),
        *of_task,
    )


def reply_to(view: View, number: int, actor: str = USER) -> tuple[str, ...]:
    """Whom a reply by that seat goes to. NotFound when there is no such message."""
    message = queries.get(view, number, {})
    return decide.answered_to(message.sender, message.to, actor)


def task_actions(
    view: View, number: int, actor: str = USER, holder: str | None = None
) -> tuple[Action, ...]:
    """What a seat may do with a task: accept, done, decline, cancel.

    The first three are about the seat's own one; `cancel` is about that of `holder`, without one
    about every holder's.
    """
    held = tasks.of_message(view, number)
    meant = {task.holder: task.state for task in held if holder in (None, task.holder)}
    own = next((task.state for task in held if task.holder == actor), None)
    author = held[0].author if held else actor
    rules: Mapping[str, Callable[[], object]] = {
        "accept": lambda: decide.may_accept(own, number),
        "done": lambda: decide.may_finish(own, number),
        "decline": lambda: decide.may_decline(own, number),
        "cancel": lambda: decide.may_cancel(actor, author, number, meant),
    }
    seat = roster.find(view, actor)
    return tuple(
        asked(name, lambda: may_act("M7", actor, seat), rule) for name, rule in rules.items()
    )
