"""Eight writers that never pause: each gets its turns, and none waits long for one (fault 8).

Two seconds is the limit where commits follow each other within 5 ms. Where disk and processor are
slower, or stand still for a while, it is as many turns of the others as that would be.
"""

import subprocess
import sys
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

from tests.faults.conftest import Tally
from tests.faults.project import SEATS, acknowledged, check_whole, made
from tests.faults.scale import scaled
from tests.support import environment

WRITERS = 8
SECONDS = scaled(2, 5)
LONGEST_WAIT_SECONDS = 2.0
MOST_TURNS = LONGEST_WAIT_SECONDS / 0.005


def test_eight_busy_writers_all_make_progress(real_disk: Path, tally: Tally) -> None:
    paths = made(real_disk / "project")
    with ExitStack() as stack:
        running = []
        for number in range(WRITERS):
            seat, _ = SEATS[number % len(SEATS)]
            writer = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.busy", paths.project, seat, str(SECONDS)],
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
    told = [out.split(b"\n", 1) for out, _ in ends]
    longest = max(float(slowest) for slowest, _ in told)
    commits = [acknowledged(said) for _, said in told]
    check_whole(paths, [one for of_writer in commits for one in of_writer])
    turns = max(
        (after - before for one in commits for (before, _), (after, _) in pairwise(one)), default=0
    )
    assert longest <= LONGEST_WAIT_SECONDS or turns <= MOST_TURNS
    tally("commits of eight writers that never paused", sum(map(len, commits)))
