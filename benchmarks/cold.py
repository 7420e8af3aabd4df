"""Cold starts: the installed command against `python -c pass`, one after the other."""

import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from time import perf_counter

from benchmarks import place
from benchmarks.pairs import Figure, compared, in_turn
from benchmarks.projects import Projects, called
from state.paths import Paths

POST = ("post", "codex", "--title", "cold", "--body", "text")
INBOX = ("inbox", "--limit", "10")
AS = ("--as", "claude-code")


def figures(projects: Projects) -> Iterator[Figure]:
    """`post` and `inbox` on a large project, against Python itself and against an empty one."""
    environment = place.child_environment(projects.folder)
    empty = projects.of(0)

    def command(paths: Paths, *words: str) -> float:
        return _seconds([place.program(), *AS, "--project", paths.project, *words], environment)

    def nothing() -> float:
        return _seconds([place.python(), "-c", "pass"], environment)

    for size in projects.larger:
        large = projects.of(size)
        for name, words, goal in (("post", POST, 8.0), ("inbox", INBOX, 5.0)):
            what = f"cold `{name}`, {called(size)}"
            ours, on_empty, base = in_turn(
                partial(command, large, *words), partial(command, empty, *words), nothing
            )
            yield compared(f"{what} / `python -c pass`", ours, base, goal)
            yield compared(f"{what} / {called(0)}", ours, on_empty, 1.1)


def _seconds(command: Sequence[str], environment: dict[str, str]) -> float:
    start = perf_counter()
    subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
    )
    return perf_counter() - start
