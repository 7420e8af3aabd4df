"""`doctor --accept`: going on from the last good line, the damaged folder set aside unchanged.

A new folder is built beside the old one: the verified beginning of the log, byte for byte, so that
numbers stay what they were, and one line that says what is no longer part of the journal. Then the
two change places. Nothing of the old folder is altered or deleted.
"""

import os
import shutil
from contextlib import closing
from hashlib import sha256

from state import files
from state.clock import Clock
from state.command import USER, Actor
from state.create import IGNORED
from state.errors import CommitUnknown, NotCommitted, Refused
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.heal import finish
from state.journal.journal import Journal
from state.journal.line import Line, check, encode
from state.journal.lock import exclusive
from state.journal.operations import Accepted
from state.paths import Paths, shown
from state.prospect import Prospect, prospect


def accept(paths: Paths, actor: Actor, clock: Clock) -> tuple[Line, Paths]:
    """Goes on from the last good line. Gives the new line and where the old folder lies now.

    Refused for anyone but the user, and as of `prospect`; NotCommitted when the new folder can't
    be made or named: then everything is as it was.
    """
    if actor.seat != USER:
        raise Refused("R11", "only the user goes on from damage", "ask the user")
    now = clock.now()
    with closing(Journal(paths)) as journal, exclusive(paths.mutex, seat=USER, since=now):
        found = prospect(journal)
        aside = _free_name(paths, now)
        scratch = paths.new(f"{os.getpid()}.{os.urandom(4).hex()}")
        try:
            raw = _line(found, actor, now, aside)
            head = _build(paths, scratch, found, raw)
            _change_places(paths, scratch, aside)
        except OSError as error:
            # What copies whole folders says what it met in its own way.
            raise NotCommitted(
                f"the project can't go on: {error.strerror or error}",
                "make room on the disk, or give this process the right to what it names",
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
        if os.path.isdir(source):
            _carry(source, target)
    files.write_new(new.format, files.read_whole(old.format, os.stat(old.format).st_size))
    files.write_new(new.gitignore, IGNORED)
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


def _carry(source: str, target: str) -> None:
    """Every file of a folder, on the disk afterwards; what is no file, or can't be read, is left.

    It still lies in the old folder, and a text that is missing is one damaged attachment.
    """
    for entry in os.scandir(source):
        if entry.is_file(follow_symlinks=False):
            copy = os.path.join(target, entry.name)
            try:
                held = files.read_whole(entry.path, entry.stat().st_size)
            except PermissionError:
                continue
            files.write_new(copy, held)


def _change_places(paths: Paths, scratch: Paths, aside: Paths) -> None:
    files.rename(paths.root, aside.root)
    try:
        files.rename(scratch.root, paths.root)
    except BaseException:
        # Whoever interrupts this must not be left without a project.
        if not os.path.lexists(paths.root):
            files.rename(aside.root, paths.root)
        raise
    files.sync_folder(paths.project)
