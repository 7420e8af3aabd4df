"""A message as a whole, with what became of it: asked in one view, so that nothing contradicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from state import looked
from state.clock import Moment
from state.index.view import View
from state.messages import evidence, listing, openings, queries, tasks
from state.messages.listing import MessageRow
from state.messages.queries import Message
from state.messages.tasks import Task
from state.messages.threads import Branch, tree
from state.roster import queries as roster

# So many of a thread are shown beside a message; the list shows all of it.
NEAR = 12


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A message as it stands at `rev`, with what else is shown of it.

    `looking` are the seats of which a last look is known at all; `evidence` says by holder what
    has become of a file that a done task names. `thread` are the messages around this one, each
    with its depth, of `thread_size` in all.
    """

    rev: int
    message: Message
    tasks: Sequence[Task]
    evidence: Mapping[str, str]
    looking: frozenset[str]
    answers: Sequence[int] = ()
    thread: Sequence[tuple[MessageRow, int]] = ()
    thread_size: int = 1


def opened(number: int) -> Callable[[View, Moment], Opened]:
    """A message with everything that is shown of it."""

    def ask(view: View, _: Moment) -> Opened:
        agents = tuple(seat.seat for seat in roster.seats(view) if seat.kind == "agent")
        looks = looked.read_all(view.paths, agents)
        message = queries.get(view, number, looks)
        held = tasks.of_message(view, number)
        branches = tree(view, number)
        here = next(place for place, branch in enumerate(branches) if branch.id == number)
        near = _near(branches, here)
        rows = openings.with_openings(view, listing.of(view, [branch.id for branch in near]))
        return Opened(
            rev=view.rev,
            message=message,
            tasks=held,
            evidence={
                task.holder: evidence.now(view.paths.project, task.evidence)
                for task in held
                if task.evidence is not None and task.evidence["kind"] == "file"
            },
            looking=frozenset(looks),
            answers=_answers(branches, here),
            thread=tuple((row, branch.depth) for row, branch in zip(rows, near, strict=True)),
            thread_size=len(branches),
        )

    return ask


def _near(branches: Sequence[Branch], here: int) -> Sequence[Branch]:
    first = max(min(here - NEAR // 2, len(branches) - NEAR), 0)
    return branches[first : first + NEAR]


def _answers(branches: Sequence[Branch], here: int) -> tuple[int, ...]:
    depth = branches[here].depth
    found = []
    for branch in branches[here + 1 :]:
        if branch.depth <= depth:
            break
        if branch.depth == depth + 1:
            found.append(branch.id)
    return tuple(found)
