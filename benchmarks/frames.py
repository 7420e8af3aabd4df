"""The first frame that says something, against an empty project, Textual itself and toolong."""

import os
from collections.abc import Iterator
from functools import partial

from benchmarks import place
from benchmarks.pairs import Figure, compared, in_turn
from benchmarks.panels import FIRST_FRAME, first_frame, hello, last_line, one_file, panel, toolong
from benchmarks.projects import Projects, called
from state.paths import Paths


def figures(projects: Projects) -> Iterator[Figure]:
    """At each size."""
    for size in projects.larger:
        yield from _of(projects, size)


def _of(projects: Projects, size: int) -> Iterator[Figure]:
    home, large, empty = projects.folder, projects.of(size), projects.of(0)

    def seats_of(paths: Paths) -> float:
        return first_frame(panel(paths, home), FIRST_FRAME)

    what = f"first frame, {called(size)}"
    on_large = partial(seats_of, large)
    ours, on_empty, smallest = in_turn(
        on_large, partial(seats_of, empty), lambda: first_frame(hello(home), "hello-world")
    )
    yield compared(f"{what} / {called(0)}", ours, on_empty, 1.2)
    yield compared(f"{what} / Textual hello-world", ours, smallest, 1.5)
    what = f"{what} / toolong on the same lines"
    tool = place.toolong()
    if tool is None:
        yield Figure(what, None, 0.3)
        return
    # Its frame counts once the newest line is in it: the panel's says how things stand now.
    file, newest = one_file(large), f'"rev":{last_line(large)}\\b'
    ours, theirs = in_turn(on_large, lambda: first_frame(toolong(tool, file, home), newest))
    os.unlink(file)
    yield compared(what, ours, theirs, 0.3)
