"""Checking the whole chain from line 1 to HEAD, and what its lines say; needs no lock."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice, takewhile

from state.errors import Damaged, NewerFormat, Unsound
from state.journal import anchor as anchors
from state.journal.anchor import behind
from state.journal.contents import faults
from state.journal.findings import BESIDE, Finding, finding, head_blank
from state.journal.head import Head
from state.journal.heal import counted_in, last_whole
from state.journal.journal import Journal, two_histories
from state.journal.line import chained, damaged, is_sealed, named_prev, named_rev
from state.journal.reader import AT_ONCE, cut_off, segment_size, stored, take

BATCH = 5000
MOST_FINDINGS = 100
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    """`ok`: every line that was checked is sound; `complete`: all up to `head` were checked.

    `lines` counts the lines that were checked and are sound. After 100 findings the check ends.
    """

    ok: bool
    lines: int
    head: Head
    findings: tuple[Finding, ...]
    complete: bool

    @property
    def worst(self) -> Finding | None:
        """The first thing that is wrong with the journal itself."""
        return next((one for one in self.findings if one.code not in BESIDE), None)


def verify(
    journal: Journal,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    *,
    deep: bool = False,
) -> Report:
    """Each line from 1 to HEAD: its sum, its place in the chain, and whether anchor and HEAD agree.

    `deep`: also that each line parses, that each operation has the fields and types it must have,
    and that the blobs, finished segments and quarantined bytes it names are as it says.

    `progress` is told lines done and lines in all after each batch of 5,000; `cancelled` is asked
    then. After damage the check goes on with the lines behind it. Replaced when the folder is not
    the one that was opened; Damaged when neither HEAD nor a scan tells where the journal ends.
    """
    journal.check_place()
    findings: list[Finding] = []
    before = journal.seen
    marked = journal.head_or_none()
    head = last_whole(journal) if marked is None else marked
    if marked is None:
        findings.append(head_blank(head, anchored=anchors.read(head.project) is not None))
    try:
        journal.notice(head, before)
    except Unsound as error:
        findings.append(finding(error))
    check = _Check(journal, head, findings, deep)
    complete = check.run(progress or _nothing, cancelled or _never)
    ok = all(found.code in BESIDE for found in findings)
    return Report(ok, check.sound, head, tuple(findings), complete)


class _Check:
    """One check under way: where it stands, and what it found."""

    def __init__(self, journal: Journal, head: Head, findings: list[Finding], deep: bool) -> None:
        self.sound = 0
        self._seen = 0
        self._journal = journal
        self._head = head
        self._findings = findings
        self._deep = deep
        self._position = journal.start()
        # After a damaged line its follower says itself which line it is and what it follows.
        self._doubt = False
        self._anchor = anchors.read(head.project)

    def run(self, progress: Progress, cancelled: Callable[[], bool]) -> bool:
        """Whether everything was checked."""
        position, head = self._position, self._head
        self._check_reach()
        for segment in range(1, head.seg + 1):
            position.segment, position.offset = segment, 0
            try:
                if not self._segment(progress, cancelled):
                    return False
            except NewerFormat as error:
                self._note(error)
                return False
            except Damaged as error:
                # The file is missing or can't be read: the check goes on with the next one.
                if error.rev is None and not self._doubt:
                    error.rev = position.rev + 1
                self._note(error)
                self._doubt = True
                if len(self._findings) >= MOST_FINDINGS:
                    return False
        if not self._doubt and (position.rev, position.hash) != (head.rev, head.hash):
            self._note(damaged(head.rev, head.seg, head.last, "is not the one that HEAD names"))
        progress(head.rev, head.rev)
        return True

    def _check_reach(self) -> None:
        """The journal goes as far as its anchor."""
        anchor = self._anchor
        if anchor is None:
            return
        try:
            last = counted_in(self._journal, self._head, anchor)
        except Unsound:
            # What stands behind HEAD is no part of this check.
            last = self._head
        if last.rev < anchor.rev:
            self._note(behind(last, anchor))

    def _segment(self, progress: Progress, cancelled: Callable[[], bool]) -> bool:
        number, head = self._position.segment, self._head
        paths = self._journal.paths
        size = segment_size(paths, number)
        if size == 0 and number < head.seg:
            take(b"", self._position)
        end = head.off if number == head.seg else size
        records = stored(paths, number, 0, end)
        if size < end:
            records = takewhile(_is_ended, records)
        while batch := list(islice(records, min(AT_ONCE, BATCH - self._seen % BATCH))):
            if not self._lines(batch):
                return False
            if self._seen % BATCH == 0:
                progress(min(self._position.rev, head.rev), head.rev)
                # So that a screen in another thread gets its turn.
                time.sleep(0)
                if cancelled():
                    return False
        if size < end and not self._findings:
            self._note(cut_off(head, size))
        self._doubt = self._doubt or size < end
        return True

    def _lines(self, batch: list[bytes]) -> bool:
        """Checks the records that come next; False once enough was found."""
        at = 0
        while at < len(batch):
            if self._doubt:
                self._align(batch[at])
            sound = 0 if self._deep else self._run(batch[at:] if at else batch)
            if at + sound < len(batch):
                self._line(batch[at + sound])
                sound += 1
            at += sound
            self._seen += sound
            if len(self._findings) >= MOST_FINDINGS:
                return False
        return True

    def _run(self, batch: list[bytes]) -> int:
        """How many records from the first one on chain; what they say is not looked at."""
        position = self._position
        hashes = chained(batch, position.rev + 1, position.hash)
        if hashes:
            self._compare(position.rev, hashes)
            position.rev += len(hashes)
            position.hash = hashes[-1]
            position.offset += sum(map(len, batch[: len(hashes)]))
            self.sound += len(hashes)
            self._doubt = False
        return len(hashes)

    def _line(self, raw: bytes) -> None:
        try:
            line = take(raw, self._position)
        except Damaged as error:
            self._note(error)
            self._pass(raw)
            return
        if self._deep:
            self._findings.extend(faults(self._journal.paths, line))
        self._doubt = False
        self.sound += 1
        self._compare(line.rev - 1, [line.hash])

    def _compare(self, before: int, hashes: list[str]) -> None:
        """The lines after line `before` have these hashes: the anchor's must be the same."""
        anchor = self._anchor
        if anchor is None or not before < anchor.rev <= before + len(hashes):
            return
        if hashes[anchor.rev - before - 1] != anchor.hash:
            self._note(two_histories(anchor.rev))

    def _pass(self, raw: bytes) -> None:
        position = self._position
        said = named_rev(raw) if is_sealed(raw) else None
        position.rev = position.rev + 1 if said is None else said
        position.hash = sha256(raw).hexdigest()
        position.offset += len(raw)
        self._doubt = True

    def _align(self, raw: bytes) -> None:
        position = self._position
        said = named_rev(raw) if is_sealed(raw) else None
        if said is None:
            return
        if said > position.rev + 1:
            what = f"and what follows up to line {said - 1} is missing"
            self._note(damaged(position.rev + 1, position.segment, position.offset, what))
        position.rev, position.hash = said - 1, named_prev(raw)

    def _note(self, error: Unsound) -> None:
        self._findings.append(finding(error))


def _is_ended(raw: bytes) -> bool:
    return raw.endswith(b"\n")


def _nothing(_done: int, _total: int) -> None:
    return


def _never() -> bool:
    return False
