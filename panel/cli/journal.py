"""`journal`: every line, its bytes, the whole chain, and anchors outside."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from state.errors import BadInput, NotFound, RolledBack

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
        found = [_line(view, rev) for rev in revs]

    def lines() -> Iterator[str]:
        from panel.present import ages
        from panel.words import operations, signs

        now = ages.parsed(call.project.clock.now())
        rows = [
            (
                str(line.rev),
                ages.when(line.ts, now),
                signs.seat(line.seat),
                line.via,
                operations.all_in_words(line.ops, line.rev),
            )
            for line in found
        ]
        yield from output.table(("line", "when", "seat", "via", "what"), rows, right=(0,))
        if more:
            yield "there are more: --limit N"

    shown = {"lines": [_shape(line) for line in found], "more": more, "state": call.state}
    return call.answer(shown, lines)


def _show(call: Call) -> int:
    with call.looking() as view:
        line = _line(view, call.number(0, "REV"))

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.present import ages
        from panel.words import operations, signs

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


def _anchor(call: Call) -> int:
    from state.journal import anchor as anchors

    with call.looking() as view:
        if not call.is_sound:
            return 0
        head = view.head
        kept = _in_git(call, view) if call.args.git else None
    now = call.project.clock.now()
    root = call.project.journal.root_inode
    written = anchors.advance(anchors.Anchor(head.project, head.rev, head.hash, root, now))
    shown = {
        "project": head.project,
        "rev": head.rev,
        "hash": head.hash,
        "written": written,
        "ref": None if kept is None else kept["ref"],
        "commit": None if kept is None else kept["commit"],
    }

    def lines() -> Iterator[str]:
        yield f"line {head.rev:,} {head.hash}"
        yield "anchored outside the project" if written else "the anchor can't be written here"
        if kept is not None:
            yield f"and in git: {kept['ref']} {kept['commit']}"
            yield f"others hold it once you push it: git push REMOTE {kept['ref']}"

    return call.answer(shown, lines)


def _in_git(call: Call, view: View) -> dict[str, str]:
    """The ref moves forward only, and must agree with the journal."""
    from state.journal import git

    head, folder = view.head, call.paths.project
    before = git.read(folder, head.project)
    if before is not None:
        line = view.line(before.rev)
        if line is None or line.hash != before.hash:
            raise RolledBack(
                f"git holds another line {before.rev} ({before.hash[:16]}…) than this journal",
                f"look at what it holds: git log {before.ref}",
                rev=before.rev,
            )
    kept = git.keep(folder, head.project, head.rev, head.hash, before)
    return {"ref": kept.ref, "commit": kept.commit}


def _verify(call: Call) -> int:
    from state.health import remember
    from state.journal.verify import verify

    report = verify(call.project.journal, call.progress("lines"), deep=call.args.deep)
    remember(call.project, report)
    if not report.ok:
        call.note_trouble(report.findings[0].code, report.findings[0].what)
    head = {"rev": report.head.rev, "hash": report.head.hash}
    shown = {
        "ok": report.ok,
        "lines": report.lines,
        "head": head,
        "findings": report.findings,
        "complete": report.complete,
    }

    def lines() -> Iterator[str]:
        from panel.neutral import plain

        said = "sound" if report.ok else "NOT sound"
        yield f"{report.lines:,} lines checked up to line {report.head.rev:,}: {said}"
        for one in report.findings:
            where = f"segment {one.segment}, offset {one.offset}: " if one.segment else ""
            yield plain(f"{one.code}: {where}{one.what}")
        if not report.complete:
            yield "the check ended before the last line"

    return call.answer(shown, lines)


def _export(call: Call) -> int:
    from state.journal.export import export

    if output.is_terminal():
        raise BadInput(
            "the stored bytes are not for a terminal",
            "send them somewhere: journal export > lines.jsonl; to look at lines: journal log",
        )
    export(call.project.journal, output.write_bytes)
    return 0


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
        _verify,
        "Check every line from the first one: its sum, its place in the chain.",
        words="[--deep]",
        arguments=_deep,
        more=f"Exit 6 when something is wrong, with the line and its place. {READS}",
    ),
    "anchor": Verb(
        _anchor,
        "Keep the last line's number and hash outside the project.",
        words="[--git]",
        arguments=_git_too,
        more="What lies outside shows a rolled-back or restored folder. In git it is a commit on a"
        " ref of its own; nothing is pushed.",
    ),
    "export": Verb(
        _export,
        "The stored bytes of every line, to a file or pipe.",
        more=f"Each line holds the sha256 of the one before it, the first that of FORMAT. {READS}",
    ),
}
