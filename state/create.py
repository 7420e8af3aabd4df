"""Making a project: the folder is built under a temporary name and renamed into place."""

import os
import shutil
from collections.abc import Sequence
from hashlib import sha256

from state import checks, files
from state.clock import Clock
from state.errors import BadInput, CommitUnknown, NotCommitted, Refused
from state.journal import anchor as anchors
from state.journal import filesystem, identity
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.line import check, encode
from state.journal.operations import ProjectCreated
from state.paths import FOLDER, Paths, shown
from state.roster.operations import SeatAdded

USER = "user"
# A tracked journal would be rolled back by a checkout.
IGNORED = b"*\n"
# What the longest name of a file takes, the folder's own included.
LONGEST_NAME = 200


def create(
    folder: str,
    *,
    name: str,
    seats: Sequence[tuple[str, str]] = (),
    clock: Clock,
    via: str,
    force_filesystem: bool = False,
) -> Paths:
    """A new project in `folder`, with the user seat and the named agent seats (id, host).

    Refused where a project is already, and on a file system whose locks can't be trusted; of two
    that create at once, one wins. R1.
    """
    checks.display_name(name, "name")
    added: list[object] = [SeatAdded(USER, "user", "you", "", ())]
    for seat, host in seats:
        checks.seat_id(seat)
        added.append(SeatAdded(seat, "agent", seat, checks.label(host, "host"), ()))
    if len({seat for seat, _ in seats}) != len(seats):
        raise BadInput("a seat is named twice", "name each seat once", field="seat")
    project = os.path.realpath(folder)
    room = os.pathconf("/", "PC_PATH_MAX") - LONGEST_NAME
    if len(os.fsencode(project)) > room:
        raise BadInput(
            f"the folder's path is longer than {room:,} bytes",
            "choose a folder that lies less deep: the project's own files need the rest",
            field="project",
        )
    if not os.path.isdir(project):
        raise BadInput(f"{shown(folder)} is not a folder", "make it first", field="project")
    if not force_filesystem:
        filesystem.check(project)
    target = os.path.join(project, FOLDER)
    paths = Paths(target)
    if paths.is_there():
        raise _already(target)
    scratch = paths.new(f"{os.getpid()}.{os.urandom(4).hex()}")
    try:
        anchor = _build(scratch, name, added, clock.now(), via)
        # Renaming onto an existing folder fails unless it is empty, and a project never is.
        files.rename(scratch.root, target)
    except OSError as error:
        if os.path.lexists(target):
            raise _already(target) from error
        raise NotCommitted(
            f"the project can't be created: {error.strerror}", "choose a folder you may write"
        ) from error
    finally:
        shutil.rmtree(scratch.root, ignore_errors=True)
    try:
        files.sync_folder(project)
    except OSError as error:
        raise CommitUnknown(
            f"the disk did not confirm the new folder: {error.strerror}", f"look at {shown(target)}"
        ) from error
    anchors.write(anchor)
    return paths


def _already(target: str) -> Refused:
    return Refused("R1", f"there is a project already: {shown(target)}", "open it: sublation-panel")


def _build(paths: Paths, name: str, added: Sequence[object], now: str, via: str) -> Anchor:
    for place in paths.folders():
        os.mkdir(place, 0o700)
    project = os.urandom(16).hex()
    raw = identity.encode(project, now)
    files.write_new(paths.format, raw)
    files.write_new(paths.gitignore, IGNORED)
    files.write_new(paths.mutex, b"")
    first = encode(
        rev=1,
        prev=sha256(raw).hexdigest(),
        ts=now,
        seat=USER,
        via=via,
        req=os.urandom(16).hex(),
        guards={},
        ops=[ProjectCreated(project, name), *added],
    )
    files.write_new(paths.segment(1), first)
    line = check(first, rev=1, prev=sha256(raw).hexdigest(), segment=1, offset=0)
    head = Head(project, 1, 1, 1, 0, line.size, line.hash)
    files.write_new(paths.head, heads.whole(head))
    for place in reversed(paths.folders()):
        files.sync_folder(place)
    return Anchor(project, 1, line.hash, os.stat(paths.root).st_ino, now)
