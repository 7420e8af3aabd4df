"""Agents at work: processes that post ten times a second each, for as long as they are wanted."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from benchmarks import place
from state.paths import Paths

SEATS = ("claude-code", "codex", "hermes", "codex")


@contextmanager
def writing(
    paths: Paths,
    environment: Mapping[str, str],
    seats: Sequence[str] = SEATS,
    python: str | None = None,
) -> Iterator[None]:
    """One process for each seat; all have begun, and at the end all have ended.

    `python` is the interpreter, without one that of the installed program: agents of another
    version would build the index of theirs each time they write.
    """
    started: list[subprocess.Popen[bytes]] = []
    try:
        for seat in seats:
            script = place.script("write_slowly")
            process = subprocess.Popen(
                [python or place.python(), script, paths.project, seat],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
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
