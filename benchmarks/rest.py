"""The open panel that nobody touches: the memory it holds and the processor time it takes."""

import time
from collections.abc import Iterator

from benchmarks.armed import SEATS, armed
from benchmarks.pairs import Figure
from benchmarks.panels import at_rest, panel
from benchmarks.projects import Projects, called

IDLE_SECONDS = 20.0
GOAL_PERCENT = 1.5
FIRST_MINUTE_SECONDS = 60.0
WAKE_MODE = b"3"


def figures(projects: Projects) -> Iterator[Figure]:
    """After every line was checked; ages tick."""
    home = projects.folder
    empty, large = panel(projects.of(0), home), panel(projects.of(projects.largest), home)
    with at_rest(empty, large):
        before = large.processor_seconds()
        time.sleep(IDLE_SECONDS)
        share = (large.processor_seconds() - before) / IDLE_SECONDS
        held, base = large.resident() / 2**20, empty.resident() / 2**20
    size = called(projects.largest)
    note = f"{held:.0f} against {base:.0f} MiB"
    yield Figure(f"memory of the panel, {size} / {called(0)}", held / base, 1.3, note=note)
    yield Figure(f"idle, {size}: share of a core", share * 100, GOAL_PERCENT, unit=" %")
    windows = panel(armed(home), home)
    with at_rest(windows):
        for mode in ("first screen", "wake"):
            if mode == "wake":
                windows.wait_for("Wake windows", windows.type(WAKE_MODE))
                # For a minute after a window was armed its age is told in seconds.
                time.sleep(FIRST_MINUTE_SECONDS)
            before = windows.processor_seconds()
            time.sleep(IDLE_SECONDS)
            share = (windows.processor_seconds() - before) / IDLE_SECONDS
            row = f"idle, {len(SEATS)} windows ticking, {mode}: share of a core"
            yield Figure(row, share * 100, GOAL_PERCENT, unit=" %")
