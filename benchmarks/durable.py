"""Durable appends: the journal against a bare loop of `flock`, `write` and `fdatasync`."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from benchmarks import place
from benchmarks.pairs import PAIRS, Figure
from benchmarks.projects import Projects
from state.clock import SystemClock
from state.create import create

SEATS = tuple((f"writer-{number}", "") for number in range(4))
SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Round:
    """Appends each second of all processes, of the slowest and fastest, and the longest wait."""

    rate: float
    slowest: float
    fastest: float
    longest: float


def figures(projects: Projects) -> Iterator[Figure]:
    """One process and four, each against the bare loop in the same run."""
    home = projects.folder
    folder = os.path.join(home, "durable")
    os.mkdir(folder)
    paths = create(folder, name="durable", seats=SEATS, clock=SystemClock(), via="demo")
    bare_file = f"{folder}/bare"
    environment = place.child_environment(home)
    system = place.file_system(folder)
    for writers in (1, 4):
        ours, bare = [], []
        for _ in range(PAIRS):
            ours.append(_round("write_ours", paths.project, writers, environment))
            bare.append(_round("write_bare", bare_file, writers, environment))
        found = median(a.rate / b.rate for a, b in zip(ours, bare, strict=True))
        rates = f"{median(a.rate for a in ours):,.0f}/s, bare {median(b.rate for b in bare):,.0f}/s"
        what = f"durable appends, {writers} process{'es' if writers > 1 else ''} / bare loop"
        yield Figure(what, found, 0.5, at_least=True, note=f"{rates} on {system}")
    even = median(one.slowest / one.fastest for one in ours)
    yield Figure("slowest / fastest of four writers", even, 0.5, at_least=True)
    longest = max(one.longest for one in ours)
    yield Figure("longest wait of four writers", longest, 1.0, unit=" s")


def _round(script: str, target: str, writers: int, environment: dict[str, str]) -> Round:
    command = [place.python(), place.script(script), target]
    started = [
        subprocess.Popen(
            [*command, str(number), str(SECONDS)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(writers)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    said = []
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        out, _ = process.communicate()
        said.append(json.loads(out))
    rates = [one["count"] / one["seconds"] for one in said]
    return Round(sum(rates), min(rates), max(rates), max(one["longest"] for one in said))
