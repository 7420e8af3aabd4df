"""What going on from damage would mean: the last line that can be believed, and what is lost."""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass

from state.errors import Damaged, NewerFormat, NotCommitted, Refused, Unsound
from state.index.build import FLUSH, create
from state.index.fold import Fold
from state.journal import anchor as anchors
from state.journal.head import Head
from state.journal.heal import Scan, project_after
from state.journal.journal import Journal
from state.journal.line import Line
from state.journal.settle import examine
from state.journal.shapes import misfit
from state.journal.verify import verify

MAKE_ROOM = "make room on the disk, then repeat"
NOT_FOR_THIS = frozenset({"moved_or_copied", "newer_format", "replaced"})


@dataclass(frozen=True, slots=True)
class Prospect:
    """What going on would mean: the last good line, what is lost, and why it is needed.

    `lost_revs` counts the lines that were committed or anchored and will not be part of the
    journal, `lost_bytes` the bytes of the log that won't.
    """

    project: str
    last: Line
    lost_revs: int
    lost_bytes: int
    reason: str


def prospect(journal: Journal) -> Prospect:
    """What `accept` would do; changes nothing.

    Refused for a sound journal, and where another answer is asked for first; Damaged when not
    even line 1 can be believed.
    """
    journal.check_place()
    reason = _trouble(journal)
    project, last, more = _good(journal)
    if last is None:
        raise Damaged(
            "not even line 1 can be believed: there is nothing to go on from",
            "restore a backup of the folder, or move it away and make a new project",
        )
    if not reason and not more:
        raise Refused(None, "this project is sound", "nothing to do")
    marked, anchor = _marked(journal), anchors.read(project)
    known = max(0 if marked is None else marked.rev, 0 if anchor is None else anchor.rev)
    size = sum(entry.stat().st_size for entry in os.scandir(journal.paths.log_dir))
    kept = last.offset + last.size
    kept += sum(os.stat(journal.paths.segment(n)).st_size for n in range(1, last.segment))
    lost = max(0, known - last.rev)
    return Prospect(project, last, lost, size - kept, reason or more)


def _trouble(journal: Journal) -> str:
    """What is wrong with the journal's bytes, or nothing."""
    try:
        examine(journal, same_place=False)
        # Where the folder stands is the first question wherever it can still be answered.
        examine(journal)
        report = verify(journal)
    except Unsound as error:
        if error.code in NOT_FOR_THIS:
            raise
        return error.message
    return "" if report.worst is None else report.worst.what


def _good(journal: Journal) -> tuple[str, Line | None, str]:
    """The project's id and the last line up to which all can be believed, and what ends them.

    A line must be whole, its operations of the shape that they must have, and its meaning must be
    possible after what came before it.
    """
    project, last, what = journal.original, None, ""
    with closing(sqlite3.connect("", isolation_level=None)) as scratch:
        create(scratch)
        scratch.execute("BEGIN")
        fold = Fold(scratch)
        try:
            for line in Scan(journal, journal.start()).lines():
                what = next(filter(None, map(misfit, line.ops)), "")
                if what:
                    return project, last, f"line {line.rev} {what}"
                fold.add(line)
                if not line.rev % FLUSH:
                    fold.flush()
                project, last = project_after(project, line), line
        except NewerFormat:
            raise
        except Unsound as error:
            # Everything before this place was verified, which is what is kept.
            what = error.message
        except sqlite3.Error as error:
            raise NotCommitted(f"the lines can't be looked through: {error}", MAKE_ROOM) from error
    return project, last, what


def _marked(journal: Journal) -> Head | None:
    try:
        return journal.head_or_none()
    except Unsound:
        return None
