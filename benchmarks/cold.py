"""Cold starts: the installed command against `python -c pass`, one after the other."""

import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from time import perf_counter

from benchmarks import place
from benchmarks.pairs import Figure, in_turn, milliseconds, ratio
from state.paths import Paths

POST = ("post", "codex", "--title", "cold", "--body", "text")
INBOX = ("inbox", "--limit", "10")
AS = ("--as", "claude-code")


def figures(empty: Paths, large: Paths, home: str, messages: int) -> Iterator[Figure]:
    """`post` and `inbox` on a large project, against Python itself and against an empty one."""
    environment = place.child_environment(home)

    def command(paths: Paths, *words: str) -> float:
        return _seconds([place.program(), *AS, "--project", paths.project, *words], environment)

    def nothing() -> float:
        return _seconds([place.python(), "-c", "pass"], environment)

    for name, words, goal in (("post", POST, 8.0), ("inbox", INBOX, 5.0)):
        on_large = partial(command, large, *words)
        ours, base = in_turn(on_large, nothing)
        note = f"{milliseconds(ours)} against {milliseconds(base)}"
        what = f"cold `{name}`, {messages:,} messages / `python -c pass`"
        yield Figure(what, ratio(ours, base), goal, note=note)
        ours, base = in_turn(on_large, partial(command, empty, *words))
        yield Figure(f"cold `{name}`, {messages:,} messages / empty", ratio(ours, base), 1.1)


def _seconds(command: Sequence[str], environment: dict[str, str]) -> float:
    start = perf_counter()
    subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
    )
    return perf_counter() - start
