"""Eight writers that never pause: each gets its turns, and none waits long for one (fault 8)."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.faults.conftest import Tally
from tests.faults.project import SEATS, acknowledged, check_whole, made
from tests.faults.scale import scaled
from tests.support import environment

WRITERS = 8
SECONDS = scaled(2, 5)
# The program itself is the judge: whoever waits longer for the lock ends with Busy.
LONGEST_WAIT_SECONDS = 2


def test_eight_busy_writers_all_make_progress(disk: Path, tally: Tally) -> None:
    paths = made(disk / "project")
    with ExitStack() as stack:
        running = []
        for number in range(WRITERS):
            seat, _ = SEATS[number % len(SEATS)]
            command = [sys.executable, "-m", "tests.faults.busy", paths.project, seat]
            writer = subprocess.Popen(
                [*command, str(SECONDS), str(LONGEST_WAIT_SECONDS)],
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            running.append(stack.enter_context(writer))
            stack.callback(writer.kill)
        for writer in running:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n", writer.communicate()
        for writer in running:
            assert writer.stdin is not None
            writer.stdin.write(b"go\n")
            writer.stdin.flush()
        ends = [writer.communicate(timeout=120) for writer in running]
    assert [writer.returncode for writer in running] == [0] * WRITERS, [err for _, err in ends]
    commits = [acknowledged(out) for out, _ in ends]
    assert min(map(len, commits)) > 1
    check_whole(paths, [one for of_writer in commits for one in of_writer])
    tally("commits of eight writers that never paused", sum(map(len, commits)))
