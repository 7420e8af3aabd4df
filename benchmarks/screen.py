"""The open panel: first frame, a commit until it is shown, a key until the frame, memory, idle."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from time import perf_counter

from benchmarks import place
from benchmarks.pairs import Figure, in_turn, milliseconds, percentile, ratio
from benchmarks.terminal import Terminal
from state.command import Actor
from state.messages.commands import Post
from state.paths import Paths
from state.project import Project

SEAT = b"claude-code"
COMMITS = 40
KEYS = 40
IDLE_SECONDS = 10.0
QUIET_SECONDS = 0.4


def figures(empty: Paths, large: Paths, home: str, messages: int) -> Iterator[Figure]:
    """Everything that is seen on a terminal of 120×40."""
    environment = place.child_environment(home)

    def panel(paths: Paths) -> Terminal:
        command = [place.program(), "--project", paths.project]
        return Terminal(command, environment, paths.project)

    def first_frame(paths: Paths) -> float:
        with panel(paths) as terminal:
            return terminal.wait_for(SEAT, terminal.started) - terminal.started

    def hello() -> float:
        command = [place.python(), str(place.ROOT / "benchmarks" / "hello.py")]
        with Terminal(command, environment, home) as terminal:
            return terminal.wait_for(b"hello-world", terminal.started) - terminal.started

    size = f"{messages:,} messages"
    ours, base = in_turn(lambda: first_frame(large), hello)
    note = f"{milliseconds(ours)} against {milliseconds(base)}"
    yield Figure(f"first frame, {size} / Textual hello-world", ratio(ours, base), 1.5, note=note)
    ours, base = in_turn(lambda: first_frame(large), lambda: first_frame(empty))
    yield Figure(f"first frame, {size} / empty project", ratio(ours, base), 1.2)

    with panel(empty) as small_panel, panel(large) as large_panel:
        for terminal in (small_panel, large_panel):
            terminal.wait_for(SEAT, terminal.started)
            terminal.quiet(QUIET_SECONDS)
        yield from _commits(large, large_panel)
        small_keys = _keys(small_panel)
        large_keys = _keys(large_panel)
        found = median(large_keys) / median(small_keys)
        note = f"{milliseconds(large_keys)} against {milliseconds(small_keys)}"
        yield Figure(f"key until frame, {size} / empty project", found, 1.2, note=note)
        with _writers(large, environment):
            busy = _keys(large_panel)
        found = median(busy) / median(large_keys)
        yield Figure(
            "key until frame, four agents writing / none", found, 2.0, note=milliseconds(busy)
        )
        large_panel.quiet(QUIET_SECONDS)
        memory = large_panel.resident() / small_panel.resident()
        note = f"{large_panel.resident() / 2**20:.0f} MiB"
        yield Figure(f"memory of the panel, {size} / empty project", memory, 1.3, note=note)
        before = large_panel.processor_seconds()
        time.sleep(IDLE_SECONDS)
        share = (large_panel.processor_seconds() - before) / IDLE_SECONDS
        yield Figure("idle: share of a core", share, 0.015)


def _commits(paths: Paths, terminal: Terminal) -> Iterator[Figure]:
    """From the start of a commit in this process until its text is on the other's screen."""
    actor = Actor("codex", "cli")
    ours = []
    with Project(paths) as project:
        for number in range(COMMITS):
            token = f"token{number:04d}x"
            start = perf_counter()
            project.run(Post(("user",), token), actor)
            ours.append(terminal.wait_for(token.encode(), start) - start)
            terminal.quiet(0.1)
    tool = place.toolong()
    note = f"median {milliseconds(ours)}, 90th percentile {percentile(ours, 0.9) * 1000:.0f} ms"
    if tool is None:
        yield Figure("commit until shown / toolong's tail", None, 0.6, note=note)
    else:
        tail = _tail(tool, paths)
        against = f"{note}, toolong {milliseconds(tail)}"
        yield Figure(
            "commit until shown / toolong's tail", median(ours) / median(tail), 0.6, note=against
        )
    spread = percentile(ours, 0.9) / median(ours)
    yield Figure("commit until shown, 90th percentile / median", spread, 2.0)


def _tail(tool: str, paths: Paths) -> list[float]:
    shown = []
    copy = f"{paths.project}/tail.log"
    with open(copy, "w", encoding="ascii") as file:
        file.writelines(f"line {number}\n" for number in range(1000))
    environment = place.child_environment(paths.project)
    with Terminal([tool, copy], environment, paths.project) as terminal:
        terminal.wait_for(b"line", terminal.started)
        terminal.quiet(QUIET_SECONDS)
        terminal.type(b"\x1b[F")
        for number in range(COMMITS):
            terminal.quiet(0.1)
            token = f"token{number:04d}x"
            start = perf_counter()
            with open(copy, "a", encoding="ascii") as file:
                file.write(token + "\n")
            shown.append(terminal.wait_for(token.encode(), start) - start)
    return shown


def _keys(terminal: Terminal) -> list[float]:
    """From a cursor key until the first output; up and down in turn, so that each one draws."""
    waits = []
    for number in range(KEYS):
        start = terminal.type(b"\x1b[B" if number % 2 == 0 else b"\x1b[A")
        waits.append(terminal.wait_for_frame(start) - start)
        time.sleep(0.03)
    return waits


def _writers(paths: Paths, environment: dict[str, str]) -> ExitStack:
    stack = ExitStack()
    for seat in ("claude-code", "codex", "hermes", "codex"):
        command = [place.python(), "-m", "benchmarks.write_slowly", paths.project, seat]
        process = subprocess.Popen(
            command,
            env={**environment, "PYTHONPATH": str(place.ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        stack.callback(process.wait)
        stack.callback(process.terminate)
        assert process.stdout is not None
        process.stdout.readline()
    return stack
