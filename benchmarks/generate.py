"""Realistic journals of any length, written straight in the stored format.

usage: python -m benchmarks.generate FOLDER MESSAGES
"""

import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random

from state.clock import SystemClock, stamp
from state.create import create
from state.journal import anchor as anchors
from state.journal import head as heads
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.line import encode
from state.journal.operations import SegmentStarted
from state.journal.writer import SEGMENT_BYTES
from state.messages.operations import Acknowledged, MessagePosted
from state.paths import Paths
from state.project import Project

SEATS = (("claude-code", "claude-code"), ("codex", "codex"), ("hermes", "hermes"))
Operation = Callable[[int], object]
STEP = timedelta(seconds=7)
# Each seat acknowledges after so many messages in its queue; a rest stays unread.
ACKNOWLEDGE_EVERY = 10
TALK = (
    "cart rounding test adapter migration index query token window queue retry coupon basket "
    "checkout payment crawler merge branch review flaky budget schema cache lock journal"
)
WORDS = TALK.split()


def generate(folder: str, messages: int, seed: int = 1) -> Paths:
    """A project with so many messages among three agents and the user, mostly acknowledged.

    Written without a fsync for each line, in segments of the usual size, chained and marked as
    the program itself would have. `folder` must exist and hold no project.
    """
    paths = create(folder, name="bench", seats=SEATS, clock=SystemClock(), via="demo")
    with Project(paths) as project:
        head = project.journal.head()
    with _Log(paths, head, seed) as log:
        for seat, at, operation in _story(messages, seed):
            log.append(seat, at, operation)
    fd = os.open(paths.head, os.O_RDWR)
    heads.write(fd, log.head)
    os.close(fd)
    inode = os.stat(paths.root).st_ino
    anchors.write(Anchor(head.project, log.head.rev, log.head.hash, inode, SystemClock().now()))
    return paths


class _Log:
    """Lines and segments as the program writes them, buffered. `head` is what HEAD will say."""

    def __init__(self, paths: Paths, head: Head, seed: int) -> None:
        self._paths = paths
        self._seed = seed
        self._file = open(paths.segment(head.seg), "ab")  # noqa: SIM115 closed in __exit__
        self.head = head

    def append(self, seat: str, at: str, operation: Operation) -> None:
        if self.head.off >= SEGMENT_BYTES:
            self._start_segment(at)
        self._write(seat, at, operation(self.head.rev + 1))

    def _start_segment(self, at: str) -> None:
        self._file.close()
        path = self._paths.segment(self.head.seg)
        with open(path, "rb") as finished:
            digest = sha256(finished.read()).hexdigest()
        os.chmod(path, 0o400)
        started = SegmentStarted(self.head.seg + 1, self.head.off, digest)
        self._file = open(self._paths.segment(started.number), "xb")  # noqa: SIM115
        os.chmod(self._file.name, 0o600)
        self.head = self.head._replace(seg=started.number, off=0)
        self._write("system", at, started)

    def _write(self, seat: str, at: str, operation: object) -> None:
        rev = self.head.rev + 1
        raw = encode(
            rev=rev,
            prev=self.head.hash,
            ts=at,
            seat=seat,
            via="cli",
            req=sha256(f"{self._seed}-{rev}".encode()).hexdigest()[:32],
            guards={},
            ops=[operation],
        )
        self._file.write(raw)
        start = self.head.off
        self.head = self.head._replace(
            gen=self.head.gen + 1,
            rev=rev,
            last=start,
            off=start + len(raw),
            hash=sha256(raw).hexdigest(),
        )

    def __enter__(self) -> "_Log":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _story(messages: int, seed: int) -> Iterator[tuple[str, str, Operation]]:
    """Author, time and operation of each line; an operation is told the number of its line."""
    random = Random(seed)
    names = ("user", *(seat for seat, _ in SEATS))
    queues: dict[str, list[int]] = {name: [] for name in names}
    # About a line in ten is an acknowledgement: the last message is some minutes old.
    at = datetime.now(UTC) - STEP * (messages + messages // ACKNOWLEDGE_EVERY + 100)

    def posted(sender: str, to: tuple[str, ...], kind: str) -> Operation:
        title = " ".join(random.choices(WORDS, k=5))
        body = " ".join(random.choices(WORDS, k=random.randint(5, 60)))

        def numbered(rev: int) -> MessagePosted:
            for seat in to:
                queues[seat].append(rev)
            hops = 0 if sender == "user" else 1
            return MessagePosted(sender, to, "direct", kind, title, body, None, (), "normal", hops)

        return numbered

    for _ in range(messages):
        at += STEP
        sender, receiver = random.sample(names, 2)
        kind = random.choices(("note", "question", "result"), (7, 2, 1))[0]
        yield sender, stamp(at), posted(sender, (receiver,), kind)
        for seat, queue in queues.items():
            if len(queue) >= ACKNOWLEDGE_EVERY * 2:
                first, through = queue[0], queue[ACKNOWLEDGE_EVERY - 1]
                del queue[:ACKNOWLEDGE_EVERY]
                at += STEP
                yield seat, stamp(at), _acknowledged(seat, first, through)


def _acknowledged(seat: str, first: int, through: int) -> Operation:
    return lambda rev: Acknowledged(seat, first, through, ACKNOWLEDGE_EVERY, through)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    generate(sys.argv[1], int(sys.argv[2]))
