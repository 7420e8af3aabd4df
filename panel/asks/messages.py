"""What the panel asks of messages, each as a question that a worker puts to one view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from state.clock import Moment
from state.command import Action
from state.index.view import View
from state.messages import actions, listing, openings, tasks
from state.messages.actions import NextDue
from state.messages.listing import Filter, MessageRow
from state.messages.threads import Branch, tree

RowsQuestion = Callable[[View, Moment], Sequence[MessageRow]]


@dataclass(frozen=True, slots=True)
class Listed:
    """How many messages a filter let through at `rev`, and where one of them stood.

    Positions count from the oldest, so that new messages change none.
    """

    rev: int
    count: int
    position: int | None


def listed(wanted: Filter, number: int | None) -> Callable[[View, Moment], Listed]:
    """How long the list is, and where the message with this number stands in it."""

    def ask(view: View, _: Moment) -> Listed:
        count = listing.count(view, wanted)
        place = None if number is None else listing.place(view, wanted, number)
        return Listed(view.rev, count, None if place is None else count - 1 - place)

    return ask


def page(
    wanted: Filter, first: int, size: int, known: Listed
) -> Callable[[View, Moment], Sequence[MessageRow]]:
    """The rows at the positions from `first` on."""

    def ask(view: View, _: Moment) -> Sequence[MessageRow]:
        count = known.count if view.rev == known.rev else listing.count(view, wanted)
        newest = count - first - size
        found = listing.page(view, wanted, max(newest, 0), size + min(newest, 0))
        return openings.with_openings(view, found[::-1])

    return ask


def rows(numbers: Sequence[int]) -> Callable[[View, Moment], Sequence[MessageRow]]:
    """The rows of these messages, in this order; those that are no messages are left out."""

    def ask(view: View, _: Moment) -> Sequence[MessageRow]:
        return openings.with_openings(view, listing.of(view, numbers))

    return ask


def thread(number: int) -> Callable[[View, Moment], Sequence[Branch]]:
    """The whole thread of a message as a tree."""

    def ask(view: View, _: Moment) -> Sequence[Branch]:
        return tree(view, number)

    return ask


@dataclass(frozen=True, slots=True, eq=False)
class Able:
    """What may be done with one message, and if not, why; whom a reply would go to."""

    number: int
    title: str
    reply_to: tuple[str, ...]
    refusals: Mapping[str, str | None]


def able(number: int) -> Callable[[View, Moment], Able]:
    """What the user may do with a message. NotFound when there is no such message."""

    def ask(view: View, _: Moment) -> Able:
        refusals = {
            action.name: None if action.refusal is None else action.refusal.message
            for action in actions.message_actions(view, number)
        }
        row = listing.of(view, (number,))[0]
        return Able(number, row.title, actions.reply_to(view, number), refusals)

    return ask


def due() -> Callable[[View, Moment], NextDue]:
    """What acknowledging means for the user now."""

    def ask(view: View, _: Moment) -> NextDue:
        return actions.next_due(view)

    return ask


@dataclass(frozen=True, slots=True, eq=False)
class TaskChoices:
    """What the user may do with a task: by name, and of each holder's whether it can be cancelled.

    `cancels` are (holder, state, action).
    """

    title: str
    actions: Mapping[str, Action]
    cancels: Sequence[tuple[str, str, Action]]


def task(number: int) -> Callable[[View, Moment], TaskChoices]:
    """What may be done with the task of a message. NotFound when there is no such message."""

    def ask(view: View, _: Moment) -> TaskChoices:
        held = tasks.of_message(view, number)
        found = actions.task_actions(view, number)
        return TaskChoices(
            listing.of(view, (number,))[0].title,
            {action.name: action for action in found},
            [
                (one.holder, one.state, actions.task_actions(view, number, holder=one.holder)[-1])
                for one in held
            ],
        )

    return ask
