"""`doctor --accept`: going on from the last good line, the damaged folder set aside unchanged.

A new folder is built beside the old one: the verified beginning of the log, byte for byte, so that
numbers stay what they were, and one line that says what is no longer part of the journal. Then the
two change places. Nothing of the old folder is altered or deleted.
"""

import os
import shutil
from dataclasses import dataclass
from hashlib import sha256

from state import files
from state.clock import Clock
from state.command import USER, Actor
from state.errors import CommitUnknown, Damaged, NotCommitted, Refused, Unsound
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.heal import Scan, finish, project_after
from state.journal.journal import Journal
from state.journal.line import Line, check, encode
from state.journal.lock import exclusive
from state.journal.operations import Accepted
from state.journal.settle import examine
from state.journal.verify import verify
from state.paths import Paths, shown

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
    reason = _reason(journal)
    project, last = journal.original, None
    try:
        for line in Scan(journal, journal.start()).lines():
            project, last = project_after(project, line), line
    except Unsound:
        # Everything before this place was verified, which is what is kept.
        pass
    if last is None:
        raise Damaged(
            "not even line 1 can be believed: there is nothing to go on from",
            "restore a backup of the folder, or move it away and make a new project",
        )
    marked, anchor = _marked(journal), anchors.read(project)
    known = max(0 if marked is None else marked.rev, 0 if anchor is None else anchor.rev)
    size = sum(entry.stat().st_size for entry in os.scandir(journal.paths.log_dir))
    kept = last.offset + last.size
    kept += sum(os.stat(journal.paths.segment(n)).st_size for n in range(1, last.segment))
    return Prospect(project, last, max(0, known - last.rev), size - kept, reason)


def accept(paths: Paths, actor: Actor, clock: Clock) -> tuple[Line, Paths]:
    """Goes on from the last good line. Gives the new line and where the old folder lies now.

    Refused for anyone but the user, and as of `prospect`; NotCommitted when the new folder can't
    be made or named: then everything is as it was.
    """
    if actor.seat != USER:
        raise Refused("R11", "only the user goes on from damage", "ask the user")
    journal = Journal(paths)
    now = clock.now()
    with exclusive(paths.mutex, seat=actor.seat, since=now):
        found = prospect(journal)
        aside = _free_name(paths, now)
        scratch = paths.new(f"{os.getpid()}.{os.urandom(4).hex()}")
        try:
            raw = _line(found, actor, now, aside)
            head = _build(paths, scratch, found, raw)
            _change_places(paths, scratch, aside)
        except OSError as error:
            raise NotCommitted(
                f"the project can't go on: {error.strerror}", "make room on the disk, then repeat"
            ) from error
        finally:
            shutil.rmtree(scratch.root, ignore_errors=True)
    root = os.stat(paths.root).st_ino
    if not anchors.write(Anchor(found.project, head.rev, head.hash, root, now)):
        raise CommitUnknown(
            "the project goes on, but the anchor outside it can't be written",
            "make its folder writable, then: sublation-panel doctor",
        )
    line = check(raw, rev=head.rev, prev=found.last.hash, segment=head.seg, offset=head.last)
    return line, aside


def _reason(journal: Journal) -> str:
    try:
        examine(journal)
        report = verify(journal)
    except Unsound as error:
        if error.code in NOT_FOR_THIS:
            raise
        return error.message
    if report.ok:
        raise Refused(None, "this project is sound", "nothing to do")
    return report.findings[0].what


def _marked(journal: Journal) -> Head | None:
    try:
        return journal.head_or_none()
    except Unsound:
        return None


def _free_name(paths: Paths, now: str) -> Paths:
    stamp = now[:19].replace("-", "").replace(":", "") + "Z"
    aside, number = paths.aside(stamp), 1
    while os.path.lexists(aside.root):
        number += 1
        aside = paths.aside(f"{stamp}-{number}")
    return aside


def _line(found: Prospect, actor: Actor, now: str, aside: Paths) -> bytes:
    last = found.last
    accepted = Accepted(
        rev=last.rev,
        hash=last.hash,
        reason=found.reason,
        lost_revs=found.lost_revs,
        lost_bytes=found.lost_bytes,
        folder=shown(os.path.basename(aside.root)),
    )
    return encode(
        rev=last.rev + 1,
        prev=last.hash,
        ts=now,
        seat=actor.seat,
        via=actor.via,
        req=os.urandom(16).hex(),
        guards={},
        ops=[accepted],
    )


def _build(old: Paths, new: Paths, found: Prospect, raw: bytes) -> Head:
    """The new folder, complete and on the disk, before it has its name."""
    last = found.last
    for place in new.folders():
        os.mkdir(place, 0o700)
    for source, target in zip(old.carried(), new.carried(), strict=True):
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    for path, copy in ((old.format, new.format), (old.gitignore, new.gitignore)):
        files.write_new(copy, files.read_whole(path, os.stat(path).st_size))
    files.write_new(new.mutex, b"")
    for number in range(1, last.segment):
        path = old.segment(number)
        files.write_new(new.segment(number), files.read_whole(path, os.stat(path).st_size))
        finish(new, number)
    start = last.offset + last.size
    files.write_new(
        new.segment(last.segment), files.read_whole(old.segment(last.segment), start) + raw
    )
    head = Head(
        found.project,
        1,
        last.rev + 1,
        last.segment,
        start,
        start + len(raw),
        sha256(raw).hexdigest(),
    )
    files.write_new(new.head, heads.whole(head))
    for place in reversed(new.folders()):
        files.sync_folder(place)
    return head


def _change_places(paths: Paths, scratch: Paths, aside: Paths) -> None:
    files.rename(paths.root, aside.root)
    try:
        files.rename(scratch.root, paths.root)
    except OSError:
        files.rename(aside.root, paths.root)
        raise
    files.sync_folder(paths.project)
