"""Processes that change one project at the same moment (faults 3 and 4)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, Any

import pytest

from state.messages.commands import Post
from tests.state.world import World
from tests.support import environment

RACERS = 8
POSTERS = 4
KEYS = 12


@contextmanager
def racing(command: Sequence[str]) -> Iterator[tuple[IO[str], IO[str]]]:
    with subprocess.Popen(
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdin, process.stdout
            process.stdin.close()
            assert process.wait(60) == 0
        finally:
            process.kill()


def race(world: World, *given: tuple[str, ...]) -> list[Any]:
    """What each process answers; all are at the line before the first may start."""
    base = [sys.executable, "-m", "tests.state.racer", str(world.folder)]
    with ExitStack() as stack:
        started = [stack.enter_context(racing([*base, *words])) for words in given]
        for _, answers in started:
            assert answers.readline() == "ready\n"
        for orders, _ in started:
            orders.write("go\n")
            orders.flush()
        return [json.loads(answers.readline()) for _, answers in started]


@pytest.mark.rule("R9")
def test_of_eight_with_the_same_roster_revision_exactly_one_succeeds(world: World) -> None:
    seen = world.roster
    seats = ("codex", "gemini", "hermes")
    found = race(world, *(("hide", seats[number % 3], str(seen)) for number in range(RACERS)))
    winners = [answer["rev"] for answer in found if "rev" in answer]
    assert len(winners) == 1
    losers = [answer for answer in found if "rev" not in answer]
    assert len(losers) == RACERS - 1
    for lost in losers:
        assert (lost["code"], lost["expected"], lost["actual"]) == (
            "revision_conflict",
            seen,
            winners[0],
        )
        assert [event["rev"] for event in lost["since"]] == winners
    assert [line["rev"] for line in world.lines()] == [1, *winners]


@pytest.mark.rule("M4")
def test_posts_with_keys_and_retries_are_neither_lost_nor_doubled(world: World) -> None:
    owns = [f"own{number}" for number in range(POSTERS)]
    found = race(world, *(("post", "codex", str(KEYS), own) for own in owns))
    titles = [line["ops"][0]["title"] for line in world.lines()[1:]]
    shared = [f"shared {number}" for number in range(KEYS)]
    expected = [*shared, *(f"{own} {number}" for own in owns for number in range(KEYS))]
    assert sorted(titles) == sorted(expected)
    assert [line["rev"] for line in world.lines()] == list(range(1, len(expected) + 2))
    for answers in found:
        # The retry gives the first answer, in each process the same for a shared key.
        assert all(first == second for first, second in answers.values())
    for number in range(KEYS):
        assert len({answers[f"shared-{number}"][0] for answers in found}) == 1
    assert world.seat("user").unread == len(expected)
    # A normal append after all these hits works.
    assert world.run(Post(("codex",), "after")).rev == len(expected) + 2
