"""A commit by another process until the screen shows it, against toolong's tail of the same file.

Both are open all the time and each is stopped while the other is measured.
"""

from collections.abc import Iterator
from time import perf_counter

from benchmarks import place
from benchmarks.pairs import Figure, milliseconds, percentile, ratio
from benchmarks.panels import QUIET_SECONDS, at_rest, panel, toolong
from benchmarks.projects import Projects, called
from benchmarks.terminal import Terminal
from state.command import Actor
from state.messages.commands import Post
from state.project import Project

COMMITS = 30


def figures(projects: Projects) -> Iterator[Figure]:
    """On the largest project; from the start of the commit, its fsync included."""
    paths, home = projects.of(projects.largest), projects.folder
    size = called(projects.largest)
    tool = place.toolong()
    tail: Terminal | None = None
    ours: list[float] = []
    theirs: list[float] = []
    with Project(paths) as project, at_rest(opened := panel(paths, home)):
        if tool is not None:
            last = paths.segment(project.journal.head().seg)
            tail = toolong(tool, last, home)
        try:
            if tail is not None:
                tail.wait_for('"rev":', tail.started)
                tail.type(b"\x1b[F")
                tail.quiet(QUIET_SECONDS)
            for _ in range(COMMITS):
                ours.append(_one(project, opened, tail, "#{}"))
                if tail is not None:
                    theirs.append(_one(project, tail, opened, '"rev":{}'))
        finally:
            if tail is not None:
                tail.close()
    note = f"median {milliseconds(ours)}, 90th percentile {percentile(ours, 0.9) * 1000:.0f} ms"
    what = f"a commit until it is shown, {size}"
    if theirs:
        against = f"{note}, toolong {milliseconds(theirs)}"
        yield Figure(f"{what} / toolong's tail", ratio(ours, theirs), 0.6, note=against)
    else:
        yield Figure(f"{what} / toolong's tail", None, 0.6, note=note)
    spread = percentile(ours, 0.9) / percentile(ours, 0.5)
    yield Figure(f"{what}, 90th percentile / median", spread, 2.0)


def _one(project: Project, looked_at: Terminal, other: Terminal | None, sign: str) -> float:
    """Seconds from the start of a commit until one screen shows its number."""
    if other is not None:
        other.pause()
    try:
        start = perf_counter()
        done = project.run(Post(("user",), "a commit to be seen"), Actor("codex", "cli"))
        seconds = looked_at.wait_for(sign.format(done.rev), start) - start
    finally:
        if other is not None:
            other.resume()
    for terminal in (looked_at, other):
        if terminal is not None:
            terminal.quiet(QUIET_SECONDS)
    return seconds
