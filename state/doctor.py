"""What is wrong with a project, in plain words: where, what was done about it, what can be done."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from state.beside import Finding, beside, unwritable
from state.clock import Clock
from state.errors import (
    Damaged,
    MovedOrCopied,
    NoProject,
    Refused,
    Replaced,
    StateError,
    Unsound,
)
from state.health import OK, READ_ONLY, remember
from state.index.store import quick_check
from state.journal.findings import BESIDE, HEAD_BLANK
from state.journal.heal import Scan
from state.journal.place import CAN_BE_DONE, check_plain, reading
from state.journal.reader import segment_size
from state.journal.settle import Examined, examine
from state.journal.verify import Progress, verify
from state.paths import Paths, shell_word
from state.project import Project

LASTING = "nothing is written as long as this lasts"
# A new index is made of all segments.
INSIDE = (
    "a change looks at the last segment alone, which is sound: changes are still written, until the"
    " index must be built anew"
)
RESTORE = "restore a backup of the folder"
GO_ON = (
    f"{RESTORE}, or go on from the last good line and keep this one aside:"
    " sublation-panel doctor --accept"
)
CAN_GO_ON = frozenset({"damaged", "rolled_back"})


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`state` as in `status`: `ok`, `read_only`, or the code of what stands against writing."""

    state: str
    findings: tuple[Finding, ...]


def diagnose(
    paths: Paths, clock: Clock | None = None, progress: Progress | None = None
) -> Diagnosis:
    """What is wrong, worst first, the whole chain included; `progress` as of `verify`.

    An index in doubt is dropped; nothing else is changed. NoProject where there is none.
    """
    try:
        project = Project(paths, clock)
    except NoProject:
        raise
    except StateError as error:
        return Diagnosis(error.code, (_of(error, RESTORE),))
    with project:
        way = _way_on(project)
        try:
            project.journal.check_place()
            found = examine(project.journal)
        except StateError as error:
            if isinstance(error, MovedOrCopied):
                # That must be said before anything else can be done.
                way = error.hint
            chain = _chain(project, progress, LASTING, way)
            first = [_of(error, way)] if not any(_same(error, other) for other in chain) else []
            return Diagnosis(error.code, (*first, *chain, *beside(project)))
        chain = [*_lock(paths), *_chain(project, progress, INSIDE, way, mends=True)]
        beside_it = (*_waiting(paths, found), *_index(project), *beside(project, found))
        wrong = [finding.code for finding in chain if finding.code not in BESIDE]
        meaning = [] if wrong else [*_meaning(project, progress, way)]
        wrong += [finding.code for finding in meaning]
        findings = (*meaning, *chain, *beside_it)
        state = OK if unwritable(project, found) is None else READ_ONLY
    return Diagnosis(wrong[0] if wrong else state, findings)


def _way_on(project: Project) -> str:
    """What can be done about damage: without line 1 there is nothing to go on from."""
    try:
        first = next(Scan(project.journal, project.journal.start()).lines(), None)
    except StateError:
        first = None
    return RESTORE if first is None else GO_ON


def _lock(paths: Paths) -> Iterator[Finding]:
    """A lock file that no writer would take."""
    try:
        with reading(paths.mutex):
            check_plain(os.lstat(paths.mutex), paths.mutex)
    except Damaged as error:
        if os.path.lexists(paths.mutex):
            yield _of(error, RESTORE)
            return
        then = (
            f"when no process uses the project any more: (umask 077; : > {shell_word(paths.mutex)})"
        )
        what = "the project's lock file is gone"
        yield Finding(Replaced.code, None, None, None, what, LASTING, then)
    except Refused as error:
        yield _of(error, "")


def _chain(
    project: Project,
    progress: Progress | None,
    done: str,
    way: str,
    *,
    mends: bool = False,
) -> list[Finding]:
    """What the check of the whole chain finds; `mends`: the next change writes HEAD anew."""
    try:
        report = verify(project.journal, progress, deep=True)
    except Unsound:
        # Nothing tells where the journal ends; what stands against reading it was found already.
        return []
    except Refused as error:
        return [_of(error, way, done)]
    remember(project, report)
    found = []
    for one in report.findings:
        where = one.rev, one.segment, one.offset
        if one.code == HEAD_BLANK:
            found.append(Finding(one.code, *where, one.what, "", one.hint if mends else way))
        elif one.code in BESIDE:
            then = "put the file back, if there is a copy"
            found.append(Finding(one.code, *where, one.what, "", then))
        else:
            found.append(Finding(one.code, *where, one.what, done, _next(one.code, one.hint, way)))
    if found and not report.complete:
        last = found[-1]
        found[-1] = replace(last, what=f"{last.what}; what stands behind it was not checked")
    return found


def _meaning(project: Project, progress: Progress | None, way: str) -> Iterator[Finding]:
    """A line that is whole and says what can't be after those before it: no change gets past it."""
    try:
        project.view(progress).close()
    except StateError as error:
        yield _of(error, way)


def _same(error: StateError, other: Finding) -> bool:
    if error.message == other.what:
        return True
    return isinstance(error, Unsound) and (error.code, error.rev) == (other.code, other.rev)


def _of(error: StateError, way: str, done: str = LASTING) -> Finding:
    rev = segment = offset = None
    if isinstance(error, Unsound):
        rev, segment, offset = error.rev, error.segment, error.offset
    then = _next(error.code, error.hint, way)
    return Finding(error.code, rev, segment, offset, error.message, done, then)


def _next(code: str, hint: str, way: str) -> str:
    """The hint of an error, or the way on where that only leads here."""
    leads_here = not hint or CAN_BE_DONE in hint
    return way if leads_here and code in CAN_GO_ON else hint


def _waiting(paths: Paths, found: Examined) -> Iterator[Finding]:
    """What the next change will put in order by itself."""
    head, marked = found.head, found.marked
    at = (head.rev, head.seg, head.off)
    if marked is not None and marked.rev < head.rev:
        first = marked.rev + 1
        which = f"lines {first} to {head.rev} are" if first < head.rev else f"line {first} is"
        what = f"{which} whole, but HEAD doesn't name {'them' if first < head.rev else 'it'} yet"
        yield Finding("unmarked", *at, what, "", "the next change takes them over")
    rest = segment_size(paths, head.seg) - head.off
    if rest > 0:
        what = f"after line {head.rev} stand {rest:,} bytes that are no line"
        yield Finding("torn", *at, what, "", "the next change keeps them in quarantine")


def _index(project: Project) -> Iterator[Finding]:
    if not quick_check(project.journal, project.clock):
        what = "the index was damaged"
        yield Finding(
            "index", None, None, None, what, "it was dropped", "it is built anew by itself"
        )
