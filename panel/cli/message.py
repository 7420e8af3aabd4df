"""`message`: list, show, search, and a whole thread (M10, M11)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from panel.cli import messages, reading, shapes, times
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from panel.neutral import plain
from state import looked
from state.messages.listing import Filter
from state.roster import queries as roster

if TYPE_CHECKING:
    from state.index.view import View
    from state.messages.queries import Message

LIMIT = 50
N = (("N", "the message's number"),)
READS = "Needs neither a seat nor a terminal and changes nothing."


def _list(call: Call) -> int:
    from state.messages import listing

    limit = call.args.limit
    with call.looking() as view:
        wanted = _filter(call, view)
        rows = listing.page(view, wanted, 0, limit + 1)
        found = _messages(call, view, (row.id for row in rows[:limit]))
        total = listing.count(view, wanted)

    def lines() -> Iterator[str]:
        if not total:
            yield "no message"
            return
        yield from messages.rows(found, messages.now(call))
        if len(rows) > limit:
            yield f"{total:,} messages; more with --limit N"

    return call.answer(_shown(call, found) | {"more": len(rows) > limit, "count": total}, lines)


def _show(call: Call) -> int:
    number = call.number(0)
    with call.looking() as view:
        (found,) = _messages(call, view, (number,))
        tasks = _task_words(call, view, number)

    def lines() -> Iterator[str]:
        return messages.whole(call, found, tasks, raw=call.args.raw)

    return call.answer(shapes.whole(found, call.named_seat()) | _shown(call, (found,)), lines)


def _thread(call: Call) -> int:
    from state.messages import threads

    number = call.number(0)
    with call.looking() as view:
        branches = threads.tree(view, number)
        found = _messages(call, view, (branch.id for branch in branches))
    depths = {branch.id: branch.depth for branch in branches}

    def lines() -> Iterator[str]:
        now = messages.now(call)
        for message in found:
            indent = "  " * min(depths[message.id], 10)
            shown = (*messages.head(message, now), *messages.body(call, message))
            mark = "▸ " if message.id == number else "  "
            for place, line in enumerate(shown):
                yield f"{indent}{mark if place == 0 else '  '}{line}"
            yield ""

    listed = [
        shapes.whole(message, call.named_seat()) | {"depth": depths[message.id]}
        for message in found
    ]
    return call.answer({"messages": listed, "state": call.state}, lines)


def _search(call: Call) -> int:
    from state.messages.search import search

    query = call.given(0, "TEXT")
    limit = call.args.limit
    with call.looking() as view:
        wanted = _filter(call, view)
        hits = list(islice(search(view, query, wanted, lambda: False), limit + 1))
        found = _messages(call, view, (hit.id for hit in hits[:limit]))
    more = len(hits) > limit

    def lines() -> Iterator[str]:
        now = messages.now(call)
        for message, hit in zip(found, hits, strict=False):
            yield from messages.head(message, now)
            if hit.where != "title":
                yield f"{messages.INDENT}{plain(hit.excerpt)}"
        if not hits:
            yield "nothing found"
        elif more:
            yield "there are more: --limit N"

    listed = [
        shapes.whole(message, call.named_seat()) | {"where": hit.where, "excerpt": hit.excerpt}
        for message, hit in zip(found, hits, strict=False)
    ]
    return call.answer({"messages": listed, "more": more, "state": call.state}, lines)


def _messages(call: Call, view: View, numbers: Iterable[int]) -> list[Message]:
    looks = looked.read_all(view.paths, tuple(roster.statuses(view)))
    return reading.messages(call, view, numbers, looks)


def _shown(call: Call, found: Sequence[Message]) -> dict[str, Any]:
    listed = [shapes.whole(message, call.named_seat()) for message in found]
    return {"messages": listed, "state": call.state}


def _task_words(call: Call, view: View, number: int) -> Mapping[str, str]:
    """What each holder's task is, with its evidence as it was named and as it is now (M7)."""
    from panel.cli.task import in_words
    from state.messages import tasks

    held = tasks.of_message(view, number)
    return {task.holder: in_words(task, call.paths.project) for task in held}


def _filter(call: Call, view: View) -> Filter:
    args = call.args
    now = call.project.clock.now()
    # `--seat` stands beside `--as`: whose messages, and who asks, are two things.
    seat = args.about
    return Filter(
        seat=None if seat is None else roster.get(view, seat).seat,
        kind=args.kind,
        since=None if args.since is None else times.ago(args.since, "since", now),
    )


def _limit(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--limit", metavar="N", type=whole, default=LIMIT, help=f"at most so many, else {LIMIT}"
    )


def _narrowed(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--seat", metavar="S", dest="about", help="only what this seat sent or was sent"
    )
    group.add_argument("--kind", metavar="K", help="note, question, task, reply or result")
    group.add_argument("--since", metavar="TIME", help=f"not before: {times.HOW}")
    _limit(group)


def _raw(group: _ArgumentGroup) -> None:
    group.add_argument("--raw", action="store_true", help="a text that is JSON as it stands")


VERBS: Mapping[str, Verb] = {
    "list": Verb(
        _list,
        "The newest messages first.",
        words="[--seat S] [--kind K] [--since TIME] [--limit N]",
        arguments=_narrowed,
        more=READS,
        examples=("sublation-panel message list --seat codex --kind task --since 2d",),
    ),
    "show": Verb(
        _show,
        "One message, and for each recipient four facts: written, looked, acknowledged, answered.",
        names=N,
        words="[--raw]",
        arguments=_raw,
        more=f"None of the four follows from another. {READS}",
    ),
    "thread": Verb(
        _thread,
        "The whole thread of a message, answers under what they answer.",
        names=N,
        more=READS,
    ),
    "search": Verb(
        _search,
        "Look for a text in all titles and bodies, the newest hits first.",
        names=(("TEXT", "what to look for; a capital letter in it makes capitals count"),),
        words="[--seat S] [--kind K] [--since TIME] [--limit N]",
        arguments=_narrowed,
        more=READS,
    ),
}
