"""A thread as the tree that it is: who answers whom."""

from typing import NamedTuple

from state.errors import NotFound
from state.index.view import View

AT_ONCE = 500


class Branch(NamedTuple):
    """One message of a thread; `depth` is 0 for the first, one more for each answer."""

    id: int
    depth: int


def tree(view: View, number: int) -> tuple[Branch, ...]:
    """The whole thread of a message: each one before its answers, those oldest first (M10).

    NotFound when there is no such message.
    """
    root = _root(view, number)
    answers = _answers(view, root)
    found: list[Branch] = []
    waiting = [Branch(root, 0)]
    while waiting:
        branch = waiting.pop()
        found.append(branch)
        children = sorted(answers.get(branch.id, ()), reverse=True)
        waiting += [Branch(child, branch.depth + 1) for child in children]
    return tuple(found)


def _root(view: View, number: int) -> int:
    """The message that a thread began with."""
    row = view.row("SELECT reply_to FROM message WHERE id=?", number)
    if row is None:
        raise NotFound(f"there is no message #{number}", "`message list` shows what there is")
    while row is not None and row[0] is not None:
        number = row[0]
        row = view.row("SELECT reply_to FROM message WHERE id=?", number)
    return number


def _answers(view: View, root: int) -> dict[int, list[int]]:
    """The answers to each message of a thread, asked for by generations: a recursive question
    would go through whole tables where the index lacks lines.
    """
    answers: dict[int, list[int]] = {}
    generation = [root]
    while generation:
        born: list[int] = []
        for start in range(0, len(generation), AT_ONCE):
            parents = generation[start : start + AT_ONCE]
            among = ",".join("?" * len(parents))
            for parent, child in view.rows(
                f"SELECT parent, child FROM reply WHERE parent IN ({among})", *parents
            ):
                answers.setdefault(parent, []).append(child)
                born.append(child)
        generation = born
    return answers
