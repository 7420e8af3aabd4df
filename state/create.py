"""Making a project: the folder is built under a temporary name and renamed into place."""

import os
import shutil
from collections.abc import Sequence
from hashlib import sha256

import orjson

from state import __version__, checks, files
from state.clock import Clock
from state.errors import BadInput, NotCommitted, Refused
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.line import check, encode
from state.journal.operations import ProjectCreated
from state.paths import FOLDER, HEAD_SIZE, Paths
from state.roster.operations import SeatAdded

USER = "user"
FORMAT_VERSION = 1


def create(
    folder: str,
    *,
    name: str,
    seats: Sequence[tuple[str, str]] = (),
    clock: Clock,
    via: str,
) -> Paths:
    """A new project in `folder`, with the user seat and the named agent seats (id, host).

    Refused where a project is already; of two that create at once, one wins. R1.
    """
    checks.display_name(name, "name")
    added: list[object] = [SeatAdded(USER, "user", "you", "", ())]
    for seat, host in seats:
        checks.seat_id(seat)
        added.append(SeatAdded(seat, "agent", seat, checks.label(host, "host"), ()))
    if len({seat for seat, _ in seats}) != len(seats):
        raise BadInput("a seat is named twice", "name each seat once", field="seat")
    project = os.path.realpath(folder)
    if not os.path.isdir(project):
        raise BadInput(f"{folder} is not a folder", "make it first", field="project")
    target = os.path.join(project, FOLDER)
    if os.path.lexists(target):
        raise _already(target)
    scratch = f"{target}.new.{os.getpid()}.{os.urandom(4).hex()}"
    paths = Paths(target)
    try:
        anchor = _build(Paths(scratch), name, added, clock.now(), via)
        files.sync_folder(scratch)
        # Renaming onto an existing folder fails unless it is empty, and an initialised one isn't.
        files.rename(scratch, target)
        files.sync_folder(project)
    except FileExistsError:
        raise _already(target) from None
    except OSError as error:
        if os.path.lexists(target):
            raise _already(target) from error
        raise NotCommitted(
            f"the project can't be created: {error.strerror}", "choose a folder you may write"
        ) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    anchors.write(anchor)
    return paths


def _already(target: str) -> Refused:
    return Refused("R1", f"there is a project already: {target}", "open it: sublation-panel")


def _build(paths: Paths, name: str, added: Sequence[object], now: str, via: str) -> Anchor:
    for place in paths.folders():
        os.mkdir(place, 0o700)
    project = os.urandom(16).hex()
    stated = {
        "format": "sublation-panel",
        "version": FORMAT_VERSION,
        "project": project,
        "created": now,
        "program": __version__,
    }
    raw = orjson.dumps(stated) + b"\n"
    files.write_new(paths.format, raw)
    files.write_new(paths.gitignore, b"*\n")
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
    slots = bytearray(HEAD_SIZE)
    slots[heads.OFFSETS[1] : heads.OFFSETS[1] + heads.SLOT] = heads.encode(head)
    files.write_new(paths.head, bytes(slots))
    for place in reversed(paths.folders()):
        files.sync_folder(place)
    return Anchor(project, 1, line.hash, os.stat(paths.root).st_ino, now)
