"""Programs opened on a terminal: the panel, a Textual hello-world, toolong."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks import place
from benchmarks.terminal import Terminal
from state.paths import Paths
from state.project import Project

QUIET_SECONDS = 0.3
# What the first screen says of the seats; the numbers in its list of messages come after it.
FIRST_FRAME = "claude-code"


def panel(paths: Paths, home: str) -> Terminal:
    """The installed panel on a project."""
    command = [place.program(), "--project", paths.project]
    return Terminal(command, place.child_environment(home), paths.project)


def hello(home: str) -> Terminal:
    """The smallest Textual program, in the same environment."""
    command = [place.python(), str(place.ROOT / "benchmarks" / "hello.py")]
    return Terminal(command, place.child_environment(home), home)


def toolong(tool: str, file: str, home: str) -> Terminal:
    """toolong on one file."""
    return Terminal([tool, file], place.child_environment(home), home)


def first_frame(terminal: Terminal, pattern: str) -> float:
    """Seconds from the start until the text is on the screen; ends the program."""
    with terminal:
        return terminal.wait_for(pattern, terminal.started) - terminal.started


def one_file(paths: Paths) -> str:
    """All segments of a journal one behind the other, for a program that takes one file."""
    target = os.path.join(paths.project, "whole.jsonl")
    with open(target, "wb") as whole:
        for segment in sorted(Path(paths.log_dir).iterdir()):
            whole.write(segment.read_bytes())
    return target


def last_line(paths: Paths) -> int:
    """The number of the newest line."""
    with Project(paths) as project:
        return project.journal.head().rev


@contextmanager
def at_rest(*opened: Terminal) -> Iterator[None]:
    """Panels that have checked every line and have nothing more to do; ended afterwards."""
    with ExitStack() as stack:
        for terminal in opened:
            stack.enter_context(terminal)
        for terminal in opened:
            terminal.wait_for("verified ✓", terminal.started)
            terminal.quiet(QUIET_SECONDS)
        yield
