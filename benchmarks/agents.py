"""Agents at work: processes that post ten times a second each, for as long as they are wanted."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from benchmarks import place
from state.paths import Paths

SEATS = ("claude-code", "codex", "hermes", "codex")


@contextmanager
def writing(
    paths: Paths, home: str, seats: Sequence[str] = SEATS, python: str | None = None
) -> Iterator[None]:
    """One process for each seat; all have begun, and at the end all have ended.

    `python` is the interpreter, without one that of the installed program.
    """
    environment = {**place.child_environment(home), "PYTHONPATH": str(place.ROOT)}
    started: list[subprocess.Popen[bytes]] = []
    try:
        for seat in seats:
            command = [
                python or place.python(),
                "-m",
                "benchmarks.write_slowly",
                paths.project,
                seat,
            ]
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
            )
            started.append(process)
        for process in started:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.communicate()
