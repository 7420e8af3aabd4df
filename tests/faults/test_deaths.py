"""Writers that die at every point of a commit, and at any moment (faults 6 and 23)."""

import random
import signal
from pathlib import Path

import pytest

from tests.faults.conftest import Tally
from tests.faults.project import acknowledged, check_whole, made, started
from tests.faults.scale import scaled

WRITERS = 4
DEATHS = scaled(24, 500)
# A commit that starts a segment makes about a dozen calls; after these many a post is through.
CALLS = 26


@pytest.mark.parametrize("where", ["before", "inside", "after"])
def test_death_at_each_call_of_a_commit_loses_nothing(
    real_disk: Path, tally: Tally, where: str
) -> None:
    paths = made(real_disk / "project")
    said: list[tuple[int, str]] = []
    deaths = 0
    for call in range(1, CALLS + 1, scaled(3, 1)):
        writer = started(paths, call % WRITERS, 3, str(call), where)
        out, err = writer.communicate(timeout=60)
        assert writer.returncode in (-signal.SIGKILL, 0), err.decode()
        deaths += writer.returncode == -signal.SIGKILL
        said += acknowledged(out)
    assert deaths > 0
    check_whole(paths, said)
    tally("deaths of a writer at a chosen call of a commit", deaths)


def test_four_writers_killed_at_random_lose_nothing(real_disk: Path, tally: Tally) -> None:
    paths = made(real_disk / "project")
    chance = random.Random(6)
    said: list[tuple[int, str]] = []
    running = [started(paths, number, 10_000) for number in range(WRITERS)]
    try:
        for _ in range(DEATHS):
            number = chance.randrange(WRITERS)
            victim = running[number]
            assert victim.stdout is not None
            # Each one lives long enough to commit, then dies wherever it happens to be.
            first = victim.stdout.readline()
            for _ in range(chance.randrange(8)):
                first += victim.stdout.readline()
            victim.kill()
            rest, err = victim.communicate(timeout=60)
            assert victim.returncode == -signal.SIGKILL, err.decode()
            said += acknowledged(first + rest)
            running[number] = started(paths, number, 10_000)
    finally:
        for writer in running:
            if writer.poll() is None:
                writer.kill()
            out, _ = writer.communicate(timeout=60)
            said += acknowledged(out)
    check_whole(paths, said)
    tally("deaths by kill -9 among four writers", DEATHS)
    segments = len(list(Path(paths.log_dir).iterdir()))
    assert segments > DEATHS // 4
    tally("segments started among them", segments)
