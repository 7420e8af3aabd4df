"""What is found on disk before every append, and what is done about it (under the lock).

Bytes that were acknowledged are never repaired; bytes that never were are kept in `quarantine/`.
"""

import os
from contextlib import suppress
from dataclasses import dataclass

from state import files
from state.errors import MovedOrCopied
from state.journal import anchor as anchors
from state.journal.anchor import Anchor, check_anchor
from state.journal.head import Head
from state.journal.heal import adopt, cut_torn, following, last_whole, unrecorded, write_anew
from state.journal.journal import Journal
from state.journal.line import check
from state.journal.operations import Recovered
from state.journal.reader import check_last

SCRATCH = ("blob-", "head-", "segment-", "torn-")


@dataclass(frozen=True, slots=True)
class Settled:
    """The journal is sound up to `head`; `recovered` must be written down before anything else.

    `unanchored`: HEAD was rebuilt from the log alone, nothing outside the project confirms it.
    """

    head: Head
    recovered: tuple[Recovered, ...]
    anchor: Anchor | None
    unanchored: bool


def settle(journal: Journal, *, same_place: bool = True) -> Settled:
    """The whole table of states that an append may find; gives the head to append to.

    Damaged, RolledBack, MovedOrCopied or NewerFormat when nothing may be written; OSError as the
    disk gives it. `same_place=False` leaves out the question of where the folder stands, for the
    command that answers it.
    """
    before = journal.seen
    marked = journal.head_or_none()
    head = last_whole(journal) if marked is None else marked
    log = journal.log_fd(head.seg)
    size = os.fstat(log).st_size
    _check_last_line(log, head, size)
    last = head
    if size != head.off or os.path.lexists(journal.paths.segment(head.seg + 1)):
        last = following(journal, head)
    journal.notice(last, before)
    anchor = anchors.read(last.project)
    if anchor is not None:
        if same_place and anchor.root != journal.root_inode:
            raise moved_or_copied(anchor)
        check_anchor(journal.paths, last, anchor)
    # Nothing was changed up to here; from here on the journal is known to be sound.
    if marked is None:
        last = write_anew(journal, last)
    elif last.rev != head.rev:
        adopt(journal, head, last)
    _cut_rest(journal, last)
    _sweep(journal)
    return Settled(last, unrecorded(journal, last), anchor, marked is None and anchor is None)


def moved_or_copied(anchor: Anchor) -> MovedOrCopied:
    """The question that only the user can answer."""
    return MovedOrCopied(
        "this project stands in another folder than when line "
        f"{anchor.rev} was written: it was moved, or it is a copy",
        "say which: `sublation-panel doctor --moved` or `sublation-panel doctor --copy`",
    )


def _cut_rest(journal: Journal, head: Head) -> None:
    log = journal.log_fd(head.seg)
    size = os.fstat(log).st_size
    if size > head.off:
        cut_torn(journal, log, head, size)


def _check_last_line(log: int, head: Head, size: int) -> None:
    """It is the one that HEAD names, and of this format: a newer one is not appended to."""
    last = check_last(log, head, size)
    named = last.find(b'"prev":"') + 8
    prev = last[named : named + 64].decode("ascii", "replace")
    check(last, rev=head.rev, prev=prev, segment=head.seg, offset=head.last)


def _sweep(journal: Journal) -> None:
    """Removes what dead writers left in `tmp/`: only the holder of the lock has anything there."""
    for name in os.listdir(journal.paths.tmp):
        if name.startswith(SCRATCH):
            # It is in nobody's way, and what forbids removing it will forbid writing too.
            with suppress(OSError):
                files.unlink(journal.paths.scratch(name))
