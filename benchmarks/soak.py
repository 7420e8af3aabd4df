"""The panel open for long while four agents write: memory, idle time, and whether it drifts.

usage: python -m benchmarks.soak [--minutes N]

It is used meanwhile: modes are switched, cursors moved. At the end the agents stop, and the screen
must say what the journal says. Prints the report and keeps it in `benchmarks/results/`.
"""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle
from statistics import linear_regression, median

from benchmarks import place
from benchmarks.agents import writing
from benchmarks.generate import generate
from benchmarks.panels import QUIET_SECONDS, panel
from benchmarks.results import RESULTS
from benchmarks.screens import differences
from benchmarks.terminal import Terminal
from state.paths import Paths
from state.project import Project

MESSAGES = 10_000
SAMPLES = 60
IDLE_SECONDS = 20.0
FLAT_SHARE = 0.005
IDLE_GOAL = 0.015
# Through all modes, a few rows down and up, to the ends.
KEYS = (b"2", b"\x1b[B", b"\x1b[B", b"\x1b[A", b"\x1b[F", b"\x1b[H", b"8", b"\x1b[B", b"1")


@dataclass(frozen=True, slots=True)
class Soaked:
    """What came of it. `memory` is in bytes, sampled evenly; `growth` is its share a minute.

    `idle` is the share of a core without agents; `drift` says where screen and journal differ.
    """

    seconds: float
    lines: int
    memory: Sequence[int]
    growth: float
    idle: float
    drift: Sequence[str]


def soak(
    paths: Paths,
    opened: Terminal,
    environment: Mapping[str, str],
    seconds: float,
    idle_seconds: float,
    python: str | None = None,
) -> Soaked:
    """Lets agents write for so long and the panel be used; then compares. Ends the panel."""
    memory = []
    keys = cycle(KEYS)
    with opened:
        opened.wait_for("verified ✓", opened.started)
        with Project(paths) as project:
            before = project.journal.head().rev
            began = time.monotonic()
            with writing(paths, environment, python=python):
                for number in range(SAMPLES):
                    wanted = began + seconds * (number + 1) / SAMPLES
                    while time.monotonic() < wanted:
                        opened.type(next(keys))
                        time.sleep(min(0.25, max(wanted - time.monotonic(), 0.0)))
                    memory.append(opened.resident())
                    opened.forget()
            lasted = time.monotonic() - began
            drift = differences(project, opened)
            opened.quiet(QUIET_SECONDS)
            used = opened.processor_seconds()
            time.sleep(idle_seconds)
            idle = (opened.processor_seconds() - used) / idle_seconds
            lines = project.journal.head().rev - before
    return Soaked(lasted, lines, memory, _growth(memory, lasted), idle, drift)


def _growth(memory: Sequence[int], seconds: float) -> float:
    """The slope over the second half, when everything has been opened once, as a share a minute."""
    half = memory[len(memory) // 2 :]
    minutes = [seconds / 60 * number / len(memory) for number in range(len(half))]
    slope, _ = linear_regression(minutes, half)
    return slope / median(half)


def report(found: Soaked) -> list[str]:
    """What is said of it, a line each."""
    first, last = found.memory[len(found.memory) // 2], found.memory[-1]
    tenths = found.memory[len(found.memory) // 10 - 1 :: len(found.memory) // 10]
    curve = " ".join(f"{held / 2**20:.1f}" for held in tenths)
    flat = "met" if found.growth <= FLAT_SHARE else "MISSED"
    idle = "met" if found.idle <= IDLE_GOAL else "MISSED"
    held = (
        f"- memory {first / 2**20:.1f} MiB at half time, {last / 2**20:.1f} MiB at the end: "
        f"{found.growth:+.2%} a minute over the second half (goal ≤ {FLAT_SHARE:.1%}: {flat})"
    )
    return [
        f"- open for {found.seconds / 60:.1f} minutes, {found.lines:,} lines by four agents",
        held,
        f"- in MiB after each tenth of the time: {curve}",
        f"- idle afterwards: {found.idle:.2%} of a core (goal ≤ {IDLE_GOAL:.1%}: {idle})",
        "- the screen says what the journal says"
        if not found.drift
        else f"- DRIFT: {'; '.join(found.drift)}",
    ]


def main() -> int:
    """Exit status 1 when the screen says something else than the journal."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, metavar="N")
    minutes = parser.parse_args().minutes
    place.install()
    with place.scratch() as folder:
        os.environ.update(place.child_environment(folder))
        project = os.path.join(folder, "project")
        os.mkdir(project)
        paths = generate(project, MESSAGES)
        opened = panel(paths, folder)
        environment = place.child_environment(folder)
        found = soak(paths, opened, environment, minutes * 60, IDLE_SECONDS)
        command = f"`python -m benchmarks.soak --minutes {minutes:g}`"
        said = [place.machine(folder), "", command, "", *report(found)]
    print("\n".join(said))
    RESULTS.mkdir(exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M")
    (RESULTS / f"{stamp}-soak.md").write_text("\n".join(said) + "\n", encoding="utf-8")
    return 1 if found.drift else 0


if __name__ == "__main__":
    sys.exit(main())
