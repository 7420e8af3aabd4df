"""The chain as a whole: checked, kept outside, written out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from panel.cli import output
from panel.cli.call import Call
from panel.neutral import plain
from state.errors import BadInput, RolledBack

if TYPE_CHECKING:
    from state.index.view import View


def anchor(call: Call) -> int:
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


def verify(call: Call) -> int:
    from state.health import remember
    from state.journal.verify import verify as check

    report = check(call.project.journal, call.progress("lines"), deep=call.args.deep)
    remember(call.project, report)
    worst = report.worst
    if worst is not None:
        call.note_trouble(worst.code, worst.what, worst.hint)
    head = {"rev": report.head.rev, "hash": report.head.hash}
    shown = {
        "ok": report.ok,
        "lines": report.lines,
        "head": head,
        "findings": report.findings,
        "complete": report.complete,
    }

    def lines() -> Iterator[str]:
        said = "sound" if report.ok else "NOT sound"
        yield f"{report.lines:,} lines checked up to line {report.head.rev:,}: {said}"
        for one in report.findings:
            where = f"segment {one.segment}, offset {one.offset}: " if one.segment else ""
            yield plain(f"{one.code}: {where}{one.what}")
        if not report.complete:
            yield "the check ended before the last line"

    return call.answer(shown, lines)


def export(call: Call) -> int:
    from state.journal.export import export as stored

    if output.is_terminal():
        raise BadInput(
            "the stored bytes are not for a terminal",
            "send them somewhere: journal export > lines.jsonl; to look at lines: journal log",
        )
    stored(call.project.journal, output.write_bytes)
    return 0
