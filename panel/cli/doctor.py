"""`doctor`: how the project is, and the three answers that only the user can give."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb
from panel.neutral import plain
from state.errors import BadInput

if TYPE_CHECKING:
    from state.beside import Finding


def _run(call: Call) -> int:
    args = call.args
    answers = {_accepted: args.accept, _moved: args.moved, _copied: args.copy}
    given = [answer for answer, wanted in answers.items() if wanted]
    if len(given) > 1:
        raise BadInput(
            "several answers at once", "give one: --accept, --moved or --copy", field="answer"
        )
    return given[0](call) if given else _report(call)


def _report(call: Call) -> int:
    from state.clock import SystemClock
    from state.doctor import diagnose
    from state.health import OK, READ_ONLY

    found = diagnose(call.paths, SystemClock(), call.progress("lines"))
    if found.state not in (OK, READ_ONLY):
        worst = next(one for one in found.findings if one.code == found.state)
        call.note_trouble(found.state, worst.what, worst.next if call.json else "")

    def lines() -> Iterator[str]:
        yield output.heading(f"state: {found.state}")
        if not found.findings:
            yield "every line is sound, and nothing stands against writing"
        yield from _said_once(found.findings)

    return call.answer({"state": found.state, "findings": found.findings}, lines)


def _said_once(findings: Sequence[Finding]) -> Iterator[str]:
    """Each finding; what was done and what can be done stand below the last that they are for."""
    told = {""}
    kinds: dict[tuple[str, str], list[Finding]] = {}
    for one in findings:
        kinds.setdefault((one.done, one.next), []).append(one)
    for kind, alike in kinds.items():
        for one in alike:
            where = "" if one.rev is None else f" (line {one.rev})"
            yield plain(f"· {one.code}{where}: {one.what}")
        yield from (f"    {plain(said)}" for said in kind if said not in told)
        told.update(kind)


def _accepted(call: Call) -> int:
    from panel.cli.ask import confirmed
    from state.accept import accept, is_cut_off, resume
    from state.clock import SystemClock
    from state.journal.journal import Journal
    from state.paths import shown
    from state.prospect import prospect

    actor = call.user()
    if is_cut_off(call.paths):
        # It was confirmed then.
        line, aside = resume(call.paths, actor, SystemClock())
    else:
        found = prospect(Journal(call.paths))
        confirmed(
            f"go on from line {found.last.rev:,} of {found.last.ts}? {found.lost_revs:,} later"
            f" lines and {found.lost_bytes:,} bytes will not be part of the journal; the folder as"
            " it is now is kept beside it"
        )
        line, aside = accept(call.paths, actor, SystemClock())
    accepted = line.ops[0]
    told = {"rev": line.rev, "accepted": accepted, "folder": shown(aside.root)}

    def lines() -> Iterator[str]:
        yield f"goes on from line {accepted['rev']:,}; line {line.rev:,} says so"
        # While the question waited, others may have written more.
        lost = f"{accepted['lost_revs']:,} later lines and {accepted['lost_bytes']:,} bytes"
        yield f"{lost} are no longer part of the journal"
        yield f"the folder as it was lies in {told['folder']}"

    return call.answer(told, lines)


def _moved(call: Call) -> int:
    from state.moved import moved

    call.user()
    head = moved(call.project)
    shown = {"project": head.project, "rev": head.rev, "state": call.state}
    return call.answer(shown, lambda: [f"moved here: the anchor is renewed at line {head.rev:,}"])


def _copied(call: Call) -> int:
    from state.moved import copied

    line = copied(call.project, call.user())
    forked = next(op for op in line.ops if op["op"] == "project_forked")
    shown = {"project": forked["project"], "parent": forked["parent"], "rev": line.rev}

    def lines() -> Iterator[str]:
        yield f"a project of its own from line {line.rev:,} on: {forked['project']}"

    return call.answer(shown | {"state": call.state}, lines)


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--accept",
        action="store_true",
        help="go on from the last good line; the damaged folder is kept beside it, unchanged",
    )
    group.add_argument(
        "--moved", action="store_true", help="this is the project, in another place than before"
    )
    group.add_argument(
        "--copy", action="store_true", help="this is a copy: it becomes a project of its own"
    )


VERBS = Verb(
    _run,
    "Is the project sound? Checks the whole chain, and what stands beside it.",
    words="[--accept | --moved | --copy]",
    arguments=_arguments,
    more="Without an option it changes nothing. Going on from damage, and saying that the folder"
    " was moved or copied, is the user's, at a terminal; --accept shows what would be lost and"
    " asks.",
    examples=("sublation-panel doctor", "sublation-panel doctor --moved"),
)
