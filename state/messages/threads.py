"""A thread as the tree that it is: who answers whom."""

from typing import NamedTuple

from state.errors import NotFound
from state.index.view import View

_ROOT = (
    "WITH RECURSIVE up(id, parent) AS (SELECT id, reply_to FROM message WHERE id=?"
    " UNION ALL SELECT m.id, m.reply_to FROM message m JOIN up ON m.id=up.parent)"
    " SELECT min(id) FROM up"
)
_BRANCHES = (
    "WITH RECURSIVE down(parent, id) AS (SELECT 0, ? UNION ALL SELECT reply.parent, reply.child"
    " FROM reply JOIN down ON reply.parent=down.id) SELECT parent, id FROM down"
)


class Branch(NamedTuple):
    """One message of a thread; `depth` is 0 for the first, one more for each answer."""

    id: int
    depth: int


def tree(view: View, number: int) -> tuple[Branch, ...]:
    """The whole thread of a message: each one before its answers, those oldest first (M10).

    NotFound when there is no such message.
    """
    root = view.number(_ROOT, number)
    if not root:
        raise NotFound(f"there is no message #{number}", "`message list` shows what there is")
    answers: dict[int, list[int]] = {}
    for parent, child in view.rows(_BRANCHES, root):
        answers.setdefault(parent, []).append(child)
    found: list[Branch] = []
    waiting = [Branch(root, 0)]
    while waiting:
        branch = waiting.pop()
        found.append(branch)
        children = sorted(answers.get(branch.id, ()), reverse=True)
        waiting += [Branch(child, branch.depth + 1) for child in children]
    return tuple(found)
