"""A key until the frame that it makes: moving the cursor, and jumping to the other end."""

import time
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random

from benchmarks import place
from benchmarks.agents import writing
from benchmarks.pairs import Figure, milliseconds, ratio
from benchmarks.panels import QUIET_SECONDS, at_rest, panel
from benchmarks.projects import Projects, called
from benchmarks.terminal import Terminal
from state.messages import listing
from state.messages.filters import Filter
from state.paths import Paths
from state.project import Project

KEYS = 40
PAUSE_SECONDS = 0.03
# Keys come at any moment between two frames: at even pauses they could meet the same one for long.
FRAME_SECONDS = 1 / 60
QUEUE, UP, DOWN, HOME, END = b"2", b"\x1b[A", b"\x1b[B", b"\x1b[H", b"\x1b[F"


class Queue:
    """An open panel in the mode that lists all messages, newest first."""

    def __init__(self, paths: Paths, terminal: Terminal) -> None:
        self._terminal = terminal
        with Project(paths) as project, project.view() as view:
            wanted = Filter()
            self._newest = [row.id for row in listing.page(view, wanted, 0, 3)]
            count = listing.count(view, wanted)
            self._oldest = listing.page(view, wanted, count - 1, 1)[0].id
        # The first screen has a row of that number too.
        terminal.wait_for(r"All messages: [1-9]", terminal.type(QUEUE))
        self._press(DOWN, self._newest[1])

    def steps(self) -> Iterator[float]:
        """Seconds for one row down, one up, and so on; there is a pause after each."""
        chance = Random(0)
        for key, row in cycle(((DOWN, self._newest[2]), (UP, self._newest[1]))):
            yield self._press(key, row)
            time.sleep(PAUSE_SECONDS + chance.random() * FRAME_SECONDS)

    def jumps(self) -> Iterator[float]:
        """Seconds to the oldest message and back to the newest."""
        for key, row in cycle(((END, self._oldest), (HOME, self._newest[0]))):
            yield self._press(key, row)
            self._terminal.quiet(QUIET_SECONDS)

    def _press(self, key: bytes, row: int) -> float:
        start = self._terminal.type(key)
        return self._terminal.wait_for(rf"▸\s*#{row}\b", start) - start


def figures(projects: Projects) -> Iterator[Figure]:
    """The largest project against the smallest, and with four agents writing against none."""
    home = projects.folder
    small_paths, large_paths = projects.of(projects.smallest), projects.of(projects.largest)
    size, smallest = called(projects.largest), called(projects.smallest)
    small_panel, large_panel = panel(small_paths, home), panel(large_paths, home)
    with at_rest(small_panel, large_panel):
        small, large = Queue(small_paths, small_panel), Queue(large_paths, large_panel)
        ours, base = _in_turn(large.steps(), small.steps(), KEYS)
        note = f"{milliseconds(ours)} against {milliseconds(base)}"
        what = f"a key until the frame, {size}"
        yield Figure(f"{what} / {smallest}", ratio(ours, base), 1.2, note=note)
        far, near = _in_turn(large.jumps(), small.jumps(), KEYS // 4)
        note = f"{milliseconds(far)} against {milliseconds(near)}"
        yield Figure(f"to the other end, {size} / {smallest}", ratio(far, near), 1.2, note=note)
    quiet: list[float] = []
    busy: list[float] = []
    large_panel = panel(large_paths, home)
    with at_rest(large_panel):
        large = Queue(large_paths, large_panel)
        for _ in range(KEYS // 10):
            quiet += islice(large.steps(), 10)
            with writing(large_paths, place.child_environment(home)):
                busy += islice(large.steps(), 10)
            large_panel.quiet(QUIET_SECONDS)
    note = f"{milliseconds(busy)} against {milliseconds(quiet)}"
    yield Figure(f"{what}, four agents writing / none", ratio(busy, quiet), 2.0, note=note)


def _in_turn(
    ones: Iterator[float], others: Iterator[float], count: int
) -> tuple[list[float], list[float]]:
    found = list(islice(zip(ones, others, strict=True), count))
    return [one for one, _ in found], [other for _, other in found]
