"""The whole journal: checking its chain and building its index, against parsing the same lines."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import orjson

from benchmarks.pairs import Figure, compared, in_turn
from benchmarks.projects import Projects, called
from state.index.build import built
from state.journal.verify import verify
from state.paths import Paths
from state.project import Project


def figures(projects: Projects) -> Iterator[Figure]:
    """Both goals at each size."""
    for size in projects.larger:
        yield from _of(projects.of(size), size)


def _of(paths: Paths, messages: int) -> Iterator[Figure]:
    segments = sorted(Path(paths.log_dir).iterdir())
    folder = os.path.join(paths.project, "rebuilt")

    def parse() -> float:
        # Only the parsing is timed, but a segment at a time, so that memory stays out of it.
        seconds = 0.0
        for segment in segments:
            raw = segment.read_bytes().splitlines()
            start = perf_counter()
            for line in raw:
                orjson.loads(line)
            seconds += perf_counter() - start
        return seconds

    with Project(paths) as project:
        journal = project.journal

        def check() -> float:
            start = perf_counter()
            report = verify(journal)
            assert report.ok, report.findings
            assert report.complete
            return perf_counter() - start

        def index() -> float:
            start = perf_counter()
            with built(paths, journal.start(), journal.head(), folder):
                pass
            return perf_counter() - start

        checking, parsing, indexing = in_turn(check, parse, index)
    what = f"checking the chain, {called(messages)}: orjson's time / ours"
    yield compared(what, checking, parsing, 0.5, inverse=True)
    what = f"building the index, {called(messages)} / orjson parsing"
    yield compared(what, indexing, parsing, 4.0)
