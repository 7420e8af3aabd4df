"""The whole journal: checking its chain and building its index, against parsing the same lines."""

import os
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import orjson
from state.journal.verify import verify

from benchmarks.pairs import Figure, in_turn, milliseconds, ratio
from state.index.build import built
from state.paths import Paths
from state.project import Project


def figures(paths: Paths, messages: int) -> Iterator[Figure]:
    """Both goals on one journal; nothing of it is changed."""
    segments = sorted(Path(paths.log_dir).iterdir())
    raw = [line for segment in segments for line in segment.read_bytes().splitlines()]

    def parse() -> float:
        start = perf_counter()
        for line in raw:
            orjson.loads(line)
        return perf_counter() - start

    with Project(paths) as project:
        journal = project.journal

        def check() -> float:
            start = perf_counter()
            report = verify(journal)
            assert report.ok
            return perf_counter() - start

        def index() -> float:
            start = perf_counter()
            folder = os.path.join(paths.project, "rebuilt")
            with built(paths, journal.start(), journal.head(), folder):
                pass
            return perf_counter() - start

        size = f"{messages:,} messages"
        ours, base = in_turn(parse, check)
        note = f"{milliseconds(base)} against {milliseconds(ours)}"
        what = f"checking the chain, {size}: orjson's time / ours"
        yield Figure(what, ratio(ours, base), 0.5, at_least=True, note=note)
        ours, base = in_turn(index, parse)
        note = f"{milliseconds(ours)} against {milliseconds(base)}"
        yield Figure(
            f"building the index, {size} / orjson parsing", ratio(ours, base), 4.0, note=note
        )
