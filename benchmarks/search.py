"""Looking for text: the newest hits on the screen, and the whole scan against `grep -c`."""

import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.pairs import PAIRS, Figure, compared, in_turn, percentile
from benchmarks.panels import QUIET_SECONDS, at_rest, panel
from benchmarks.projects import Projects, called
from state.messages.search import search
from state.paths import Paths
from state.project import Project

# Nothing of what the generator writes: each scan goes to the end. A capital makes case count.
SOUGHT = (("Checkout", "begins with a capital"), ("checkOut", "a capital within"))
# What many messages hold.
COMMON = ("cart", "lock", "query")
QUEUE, FIND, CLEAR = b"2", b"f", b"\x15"
PROMPT = "words in titles"
# What stands before the words that were found is cut: only in a list of hits.
HIT = r"#\d+.*…\S.*\b{}"


def figures(projects: Projects) -> Iterator[Figure]:
    """At each size; the screen with the largest."""
    yield _on_screen(projects)
    for size in projects.larger:
        yield from _scans(projects.of(size), size)


def _on_screen(projects: Projects) -> Figure:
    paths, home = projects.of(projects.largest), projects.folder
    seconds = []
    with at_rest(opened := panel(paths, home)):
        opened.wait_for("All messages", opened.type(QUEUE))
        for number in range(PAIRS):
            opened.quiet(QUIET_SECONDS)
            sought = COMMON[number % len(COMMON)]
            opened.wait_for(PROMPT, opened.type(FIND))
            for keys in (CLEAR, sought.encode()):
                # A key with a meaning of its own comes later than letters typed right after it.
                opened.quiet(QUIET_SECONDS)
                opened.type(keys)
            opened.quiet(QUIET_SECONDS)
            start = opened.type(b"\r")
            seconds.append(opened.wait_for(HIT.format(sought), start) - start)
            opened.type(b"\x1b")
    return Figure(
        f"newest hits on the screen, {called(projects.largest)}",
        median(seconds) * 1000,
        100,
        unit=" ms",
        note=f"90th percentile {percentile(seconds, 0.9) * 1000:.0f} ms",
    )


def _scans(paths: Paths, messages: int) -> Iterator[Figure]:
    segments = [str(path) for path in sorted(Path(paths.log_dir).iterdir())]

    def scan(query: str) -> float:
        with Project(paths) as project, project.view() as view:
            start = perf_counter()
            assert list(search(view, query)) == []
            return perf_counter() - start

    def grep(query: str) -> float:
        start = perf_counter()
        subprocess.run(["grep", "-c", query, *segments], stdout=subprocess.DEVNULL)
        return perf_counter() - start

    for query, how in SOUGHT:
        ours, theirs = in_turn(partial(scan, query), partial(grep, query))
        what = f"searching {called(messages)}, {how} / `grep -c`"
        yield compared(what, ours, theirs, 2.0)
