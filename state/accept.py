"""`doctor --accept`: going on from the last good line, the damaged folder set aside unchanged.

A new folder is built beside the old one: the verified beginning of the log, byte for byte, so that
numbers stay what they were, and one line that says what is no longer part of the journal. Then the
two change places; where that was cut off, `resume` does the rest. Nothing of the old folder is
altered or deleted.
"""

import os
import shutil
from contextlib import closing

from state import files
from state.clock import Clock
from state.command import USER, Actor
from state.errors import CommitUnknown, Damaged, NotCommitted, Refused, Unsound
from state.journal import anchor as anchors
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.journal import Journal
from state.journal.line import Line, check, encode, named_prev
from state.journal.lock import exclusive
from state.journal.operations import Accepted
from state.journal.reader import read_line
from state.journal.settle import examine
from state.paths import Paths, shown
from state.prospect import Prospect, prospect
from state.successor import build


def accept(paths: Paths, actor: Actor, clock: Clock) -> tuple[Line, Paths]:
    """Goes on from the last good line. Gives the new line and where the old folder lies now.

    Refused for anyone but the user, and as of `prospect`; NotCommitted when the new folder can't
    be made or named, or the anchor not be renewed: then everything is as it was. CommitUnknown
    when the disk doesn't confirm the names.
    """
    _check_user(actor)
    now = clock.now()
    with closing(Journal(paths)) as journal, exclusive(paths.mutex, seat=USER, since=now):
        found = prospect(journal)
        aside = _free_name(paths, now)
        scratch = paths.successor
        try:
            # Only the holder of the lock builds here: what there is, a dead one left.
            shutil.rmtree(scratch.root, ignore_errors=True)
            raw = _line(found, actor, now, aside)
            head = build(paths, scratch, found, raw)
            _change_places(paths, aside, _anchor(scratch, head, now))
        except OSError as error:
            raise _not_now(error) from error
        finally:
            if os.path.lexists(paths.root):
                shutil.rmtree(scratch.root, ignore_errors=True)
    line = check(raw, rev=head.rev, prev=found.last.hash, segment=head.seg, offset=head.last)
    return line, aside


def is_cut_off(paths: Paths) -> bool:
    """Whether an `accept` ended before the new folder had its name: `resume` does what is left."""
    return paths.is_there() and not os.path.lexists(paths.root)


def resume(paths: Paths, actor: Actor, clock: Clock) -> tuple[Line, Paths]:
    """Gives the new folder its name where an `accept` was cut off; gives what that would have.

    Refused for anyone but the user; Damaged where what lies there is not what `accept` makes;
    NotCommitted and CommitUnknown as of `accept`.
    """
    _check_user(actor)
    scratch = paths.successor
    try:
        with closing(Journal(scratch)) as journal:
            head = examine(journal, same_place=False, same_history=False).head
        raw = read_line(scratch, head.seg, head.last, head.off - head.last)
        prev = named_prev(raw)
        line = check(raw, rev=head.rev, prev=prev, segment=head.seg, offset=head.last)
    except Unsound as error:
        raise _no_successor(paths, error.message) from error
    accepted = line.ops[0]
    if accepted["op"] != "accepted":
        raise _no_successor(paths, f"line {line.rev} is another than the one that goes on")
    try:
        _renew(_anchor(scratch, head, clock.now()))
        _take_place(paths)
    except OSError as error:
        raise _not_now(error) from error
    return line, Paths(os.path.join(paths.project, accepted["folder"]))


def _check_user(actor: Actor) -> None:
    if actor.seat != USER:
        raise Refused("R11", "only the user goes on from damage", "ask the user")


def _no_successor(paths: Paths, why: str) -> Damaged:
    return Damaged(
        f"{shown(paths.root)} is gone, and {shown(paths.successor.root)} can't take its place:"
        f" {why}",
        "give the project's folder its name back, then: sublation-panel doctor",
    )


def _not_now(error: OSError) -> NotCommitted:
    where = f" ({shown(error.filename)})" if isinstance(error.filename, str) else ""
    return NotCommitted(
        f"the project can't go on: {error.strerror or error}{where}",
        "make room on the disk, or give this process the right to what it names",
    )


def _anchor(scratch: Paths, head: Head, now: str) -> Anchor:
    return Anchor(head.project, head.rev, head.hash, os.stat(scratch.root).st_ino, now)


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


def _change_places(paths: Paths, aside: Paths, anchor: Anchor) -> None:
    """Whoever dies in between leaves no project of that name: `resume` goes on from there."""
    files.rename(paths.root, aside.root)
    try:
        _renew(anchor)
    except BaseException:
        files.rename(aside.root, paths.root)
        raise
    _take_place(paths)


def _renew(anchor: Anchor) -> None:
    """The anchor is for the new folder before that has its name: it would look like a copy.

    One that isn't there need not be.
    """
    if not anchors.write(anchor) and anchors.read(anchor.project) is not None:
        raise anchors.unwritten(anchor.project)


def _take_place(paths: Paths) -> None:
    try:
        files.rename(paths.successor.root, paths.root)
    except FileNotFoundError:
        # Two may finish it at once.
        if not os.path.lexists(paths.root):
            raise
    try:
        files.sync_folder(paths.project)
    except OSError as error:
        raise CommitUnknown(
            f"the disk did not confirm the new folder's name: {error.strerror}",
            f"look at {shown(paths.root)}",
        ) from error
