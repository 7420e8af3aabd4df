"""What is found on disk before every append, and what is done about it (under the lock).

Bytes that were acknowledged are never repaired; bytes that never were are kept in `quarantine/`.
"""

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from state import files
from state.errors import MovedOrCopied, RolledBack
from state.journal import anchor as anchors
from state.journal.anchor import Anchor, check_anchor
from state.journal.head import Head
from state.journal.heal import (
    adopt,
    counted_in,
    cut_torn,
    following,
    last_whole,
    listed,
    unrecorded,
    write_anew,
)
from state.journal.journal import Journal, check_forward
from state.journal.line import check, named_prev
from state.journal.place import open_plain, reading
from state.journal.reader import check_last
from state.paths import Paths

if TYPE_CHECKING:
    from state.journal.operations import Recovered

SCRATCH = ("blob-", "head-", "segment-", "torn-")


class Examined(NamedTuple):
    """A sound journal: what HEAD says (None: blank), the last whole line, the anchor if any."""

    marked: Head | None
    head: Head
    anchor: Anchor | None


class Settled(NamedTuple):
    """The journal is sound up to `head`; `recovered` must be written down before anything else.

    `unanchored`: HEAD was rebuilt from the log alone, nothing outside the project confirms it.
    """

    head: Head
    recovered: "tuple[Recovered, ...]"
    anchor: Anchor | None
    unanchored: bool


def examine(journal: Journal, *, same_place: bool = True, same_history: bool = True) -> Examined:
    """How the journal stands on disk; changes nothing.

    Damaged, RolledBack, MovedOrCopied or NewerFormat when nothing may be written. Needs no lock,
    but only under it does what it finds stay true. `same_place=False` leaves out the question of
    where the folder stands, `same_history=False` whether it is as far as its anchor says: both for
    the commands that answer them.
    """
    before = journal.seen
    marked = journal.head_or_none()
    head = last_whole(journal) if marked is None else marked
    agreed = journal.agreed
    # What this process wrote itself, and found again as it was, it has looked at already.
    own = agreed is not None and agreed[0] == head
    log = _check_last_line(journal, head, own)
    size = log.st_size
    if marked is not None and size == head.off and journal.is_touched(log.st_mtime_ns):
        from state.journal.untouched import check_untouched

        check_untouched(journal, head, log.st_mtime_ns)
    last = head
    if size != head.off or os.path.lexists(journal.paths.segment(head.seg + 1)):
        last = following(journal, head)
    journal.check_start()
    if before is not None:
        check_forward(last, before)
    anchor = anchors.read(last.project)
    if anchor is not None:
        last = counted_in(journal, last, anchor)
        if same_place and anchor.root != journal.root_inode:
            raise _moved_or_copied(journal.paths, last, anchor)
        if same_history and (last, anchor) != agreed:
            check_anchor(journal.paths, last, anchor)
    return Examined(marked, last, anchor)


def settle(journal: Journal, *, same_place: bool = True, same_history: bool = True) -> Settled:
    """The whole table of states that an append may find; gives the head to append to.

    Errors as of `examine`, before anything was changed; NotCommitted when a torn end can't be set
    aside; OSError as the disk gives it.
    """
    found = examine(journal, same_place=same_place, same_history=same_history)
    head = found.head
    if found.marked is None:
        head = write_anew(journal, head)
    elif found.marked.rev != head.rev:
        adopt(journal, found.marked, head)
    journal.notice(head, None)
    log = journal.log_fd(head.seg)
    size = os.fstat(log).st_size
    if size > head.off:
        cut_torn(journal, log, head, size)
    _sweep(journal)
    unanchored = found.marked is None and found.anchor is None
    return Settled(head, unrecorded(journal, head), found.anchor, unanchored)


def _moved_or_copied(paths: Paths, head: Head, anchor: Anchor) -> MovedOrCopied:
    """The question that only the user can answer."""
    elsewhere = f"this project stands in another folder than when line {anchor.rev} was written"
    try:
        check_anchor(paths, head, anchor)
    except RolledBack as error:
        return MovedOrCopied(
            f"{elsewhere}, and {error.message}: an older state was put back, or it is a copy",
            f"say which: `sublation-panel doctor --accept` goes on from line {head.rev},"
            " `sublation-panel doctor --copy` makes it a project of its own",
        )
    return MovedOrCopied(
        f"{elsewhere}: it was moved, or it is a copy",
        "say which: `sublation-panel doctor --moved` or `sublation-panel doctor --copy`",
    )


def _check_last_line(journal: Journal, head: Head, own: bool) -> os.stat_result:
    """What the log is like whose last committed line is as HEAD names it.

    NewerFormat when that line is of a newer program: nothing is appended to it. `own`: this
    process wrote it.
    """
    path = journal.paths.segment(head.seg)
    with reading(path, segment=head.seg, offset=head.last):
        fd = open_plain(path)
        try:
            log = os.fstat(fd)
            last = check_last(fd, head, log.st_size)
        finally:
            os.close(fd)
    if not own:
        check(last, rev=head.rev, prev=named_prev(last), segment=head.seg, offset=head.last)
    return log


def _sweep(journal: Journal) -> None:
    """Removes what dead writers left in `tmp/`: only the holder of the lock has anything there."""
    for name in listed(journal.paths.tmp):
        if name.startswith(SCRATCH):
            # It is in nobody's way, and what forbids removing it will forbid writing too.
            with suppress(OSError):
                files.unlink(journal.paths.scratch(name))
