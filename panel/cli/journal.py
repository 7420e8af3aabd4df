"""`journal`: every line, its bytes, the whole chain, and anchors outside."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from panel.cli import chain, output
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from panel.neutral import plain
from panel.present import ages
from panel.words import messages as words
from panel.words import operations, signs
from state.errors import Damaged, NotFound

if TYPE_CHECKING:
    from state.index.view import View
    from state.journal.line import Line

LIMIT = 50
LIMIT_SINCE = 1000
READS = "Needs neither a seat nor a terminal and changes nothing."


def _log(call: Call) -> int:
    since = call.args.since
    with call.looking() as view:
        limit = call.args.limit
        if since is None:
            limit = LIMIT if limit is None else limit
            first = max(view.rev - limit, 0) + 1
            revs = range(view.rev, first - 1, -1)
            more = first > 1
        else:
            limit = LIMIT_SINCE if limit is None else limit
            last = min(since + limit, view.rev)
            revs = range(since + 1, last + 1)
            more = last < view.rev
        found = [(rev, _line_or_none(call, view, rev)) for rev in revs]

    def lines() -> Iterator[str]:
        now = ages.parsed(call.project.clock.now())
        rows = [_row(call, rev, line, now) for rev, line in found]
        yield from output.table(
            ("line", "when", "seat", "via", "what"), rows, right=(0,), keep=(1, 3)
        )
        if more:
            yield "there are more: --limit N"

    listed = [
        {"rev": rev, "error": call.damaged[rev]} if line is None else _shape(line)
        for rev, line in found
    ]
    return call.answer({"lines": listed, "more": more, "state": call.state}, lines)


def _line_or_none(call: Call, view: View, rev: int) -> Line | None:
    """One line; a damaged one is one bad row (fault 43)."""
    try:
        return _line(view, rev)
    except Damaged as error:
        call.found_damage(rev, error)
        return None


def _row(call: Call, rev: int, line: Line | None, now: datetime) -> tuple[str, ...]:
    if line is None:
        return (str(rev), "", "", "", words.bad(call.damaged[rev]))
    return (
        str(rev),
        ages.when(line.ts, now),
        signs.seat(line.seat),
        line.via,
        operations.all_in_words(line.ops, rev),
    )


def _show(call: Call) -> int:
    with call.looking() as view:
        line = _line(view, call.number(0, "REV"))

    def lines() -> Iterator[str]:
        now = ages.parsed(call.project.clock.now())
        yield output.heading(f"line {line.rev:,} · {ages.when(line.ts, now)}")
        yield plain(
            f"{signs.seat(line.seat)} {operations.all_in_words(line.ops, line.rev)}"
            f" (via {line.via})"
        )
        yield f"segment {line.segment}, offset {line.offset:,}, {line.size:,} bytes"
        yield f"hash   {line.hash}"
        yield f"prev   {line.prev}"
        yield f"req    {line.req}"
        for entity, revision in line.guards.items():
            yield plain(f"guard  {entity} was at {revision}")
        yield from output.encoded(line.ops, indent=True).split("\n")

    return call.answer(_shape(line) | {"state": call.state}, lines)


def _head(call: Call) -> int:
    with call.looking() as view:
        head = view.head
    shown = {
        "project": head.project,
        "rev": head.rev,
        "hash": head.hash,
        "segment": head.seg,
        "offset": head.off,
        "state": call.state,
    }
    return call.answer(shown, lambda: [f"{name:8} {value}" for name, value in shown.items()])


def _line(view: View, rev: int) -> Line:
    found = view.line(rev)
    if found is None:
        raise NotFound(f"there is no line {rev}", f"the last one is {view.rev}")
    return found


def _shape(line: Line) -> dict[str, Any]:
    return {
        "rev": line.rev,
        "at": line.ts,
        "seat": line.seat,
        "via": line.via,
        "req": line.req,
        "guards": line.guards,
        "ops": line.ops,
        "prev": line.prev,
        "hash": line.hash,
        "segment": line.segment,
        "offset": line.offset,
        "size": line.size,
    }


def _since(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--since", metavar="REV", type=whole, help="what came after this line, oldest first"
    )
    group.add_argument(
        "--limit",
        metavar="N",
        type=whole,
        help=f"at most so many, else {LIMIT}, with --since {LIMIT_SINCE:,}",
    )


def _deep(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--deep", action="store_true", help="what the lines say as well, and their attachments"
    )


def _git_too(group: _ArgumentGroup) -> None:
    group.add_argument("--git", action="store_true", help="in a ref of the git repository too")


VERBS: Mapping[str, Verb] = {
    "log": Verb(
        _log,
        "The last lines, the newest first.",
        words="[--since REV] [--limit N]",
        arguments=_since,
        more=READS,
    ),
    "show": Verb(
        _show, "One line with everything in it.", names=(("REV", "its number"),), more=READS
    ),
    "head": Verb(_head, "The last committed line: revision, hash, place.", more=READS),
    "verify": Verb(
        chain.verify,
        "Check every line from the first one: its sum, its place in the chain.",
        words="[--deep]",
        arguments=_deep,
        more=f"Exit 6 when something is wrong, with the line and its place. {READS}",
    ),
    "anchor": Verb(
        chain.anchor,
        "Keep the last line's number and hash outside the project.",
        words="[--git]",
        arguments=_git_too,
        more="What lies outside shows a rolled-back or restored folder. In git it is a commit on a"
        " ref of its own; nothing is pushed.",
    ),
    "export": Verb(
        chain.export,
        "The stored bytes of every line, to a file or pipe.",
        more=f"Each line holds the sha256 of the one before it, the first that of FORMAT. {READS}",
    ),
}
