"""What is found on disk before every append, and what is done about it (under the lock).

Bytes that were acknowledged are never repaired; bytes that never were are kept in `quarantine/`.
"""

import os
from dataclasses import dataclass
from hashlib import sha256

from state import files
from state.errors import Damaged, MovedOrCopied, RolledBack
from state.journal import anchor as anchors
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.heal import CAN_BE_DONE, adopt, cut_torn, rebuild_head, unrecorded
from state.journal.journal import Journal
from state.journal.operations import Recovered
from state.journal.reader import cut_off


@dataclass(frozen=True, slots=True)
class Settled:
    """The journal is sound up to `head`; `recovered` must open the next line's operations.

    `unanchored`: HEAD was rebuilt from the log alone, nothing outside the project confirms it.
    """

    head: Head
    recovered: tuple[Recovered, ...]
    anchor: Anchor | None
    unanchored: bool


def settle(journal: Journal, *, same_place: bool = True) -> Settled:
    """The whole table of states that an append may find; gives the head to append to.

    Damaged, RolledBack or MovedOrCopied when nothing may be written. `same_place=False` leaves
    out the question of where the folder stands, for the command that answers it.
    """
    head = journal.head_or_none()
    unanchored = False
    if head is None:
        head, unanchored = rebuild_head(journal)
    anchor = anchors.read(head.project)
    if anchor is not None:
        if same_place and anchor.root != journal.root_inode:
            raise moved_or_copied(anchor)
        check_anchor(head, anchor)
    log = journal.log_fd(head.seg)
    size = os.fstat(log).st_size
    check_last(log, head, size)
    if size > head.off or os.path.lexists(journal.paths.segment(head.seg + 1)):
        head = adopt(journal, head)
        log = journal.log_fd(head.seg)
        size = os.fstat(log).st_size
        if size > head.off:
            cut_torn(journal, log, head, size)
    return Settled(head, unrecorded(journal, head), anchor, unanchored)


def check_last(log: int, head: Head, size: int) -> None:
    """The last committed line is there and is the one that HEAD names."""
    if size < head.off:
        raise cut_off(head, size)
    last = files.pread_exact(log, head.off - head.last, head.last)
    if sha256(last).hexdigest() != head.hash:
        raise Damaged(
            f"line {head.rev} (segment {head.seg}, offset {head.last}) is not what was committed",
            CAN_BE_DONE,
            rev=head.rev,
            segment=head.seg,
            offset=head.last,
        )


def check_anchor(head: Head, anchor: Anchor) -> None:
    """The journal is not older than what was seen of it, and not another history."""
    if head.rev < anchor.rev:
        raise RolledBack(
            f"the journal ends with line {head.rev}; line {anchor.rev} had been written already",
            CAN_BE_DONE,
            rev=head.rev,
        )
    if head.rev == anchor.rev and head.hash != anchor.hash:
        raise RolledBack(
            f"line {head.rev} is another one than was seen here before: two histories",
            CAN_BE_DONE,
            rev=head.rev,
        )


def moved_or_copied(anchor: Anchor) -> MovedOrCopied:
    """The question that only the user can answer."""
    return MovedOrCopied(
        "this project stands in another folder than when line "
        f"{anchor.rev} was written: it was moved, or it is a copy",
        "say which: `sublation-panel doctor --moved` or `sublation-panel doctor --copy`",
    )
