"""What the campaigns share: a project, its writers, and what must be true of it after any fault."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from state.clock import SystemClock
from state.command import Actor
from state.create import create
from state.journal.verify import verify
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project
from tests.support import environment

SEATS = tuple((f"agent-{number}", "") for number in range(4))
SMALL_SEGMENT = 4000


def made(folder: Path) -> Paths:
    """A project with four agent seats."""
    folder.mkdir(exist_ok=True)
    return create(str(folder), name="faults", seats=SEATS, clock=SystemClock(), via="cli")


def started(paths: Paths, seat: int, count: int, *death: str) -> "subprocess.Popen[bytes]":
    """A writer process; its commits stand on its standard output, one a line.

    Nothing is read ahead, so that what `readline` leaves is what `communicate` gives.
    """
    command = [sys.executable, "-m", "tests.faults.writer", paths.project, SEATS[seat][0]]
    return subprocess.Popen(
        [*command, str(SMALL_SEGMENT), str(count), *death],
        bufsize=0,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def acknowledged(output: bytes) -> list[tuple[int, str]]:
    """What a writer said was committed; a line that it could not finish was not said."""
    whole = output[: output.rfind(b"\n") + 1].decode()
    return [(int(rev), title) for rev, title in (line.split() for line in whole.splitlines())]


def check_whole(paths: Paths, said: Iterable[tuple[int, str]]) -> None:
    """Nothing acknowledged is lost, nothing is doubled, the chain is whole, work goes on."""
    with Project(paths) as project:
        after = project.run(Post(("agent-0",), "after the fault"), Actor("user", "cli"))
        report = verify(project.journal)
        assert report.ok, report.findings
        assert report.lines == after.rev
        with project.view() as view:
            written = dict(view.rows("SELECT id, title FROM message"))
            rebuilt = view.number("SELECT count(*) FROM line")
    for rev, title in said:
        assert written.get(rev) == title
    assert rebuilt == after.rev
    doubled = [title for title, times in Counter(written.values()).items() if times > 1]
    assert doubled in ([], ["after the fault"])
