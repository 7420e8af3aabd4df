"""Takes every figure in one run, prints the table and keeps it in `benchmarks/results/`.

usage: python -m benchmarks [--messages N] [cold] [durable] [screen] [chain]
"""

import argparse
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import chain, cold, durable, place, screen
from benchmarks.generate import generate
from benchmarks.pairs import Figure
from state.paths import Paths

PARTS = ("cold", "durable", "screen", "chain")
RESULTS = Path(__file__).parent / "results"
HEADINGS = ("what", "ratio", "goal", "", "in this run")


def main() -> None:
    """Exit status 0 also when a goal is missed: the table says so."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--messages", type=int, default=10_000, metavar="N")
    given = parser.parse_args()
    place.install()
    with place.scratch() as folder:
        os.environ.update(place.child_environment(folder))
        said = [f"{place.machine(folder)} · `make bench` with {given.messages:,} messages", ""]
        print(said[0])
        rows = [HEADINGS]
        for figure in _figures(folder, given.parts or list(PARTS), given.messages):
            rows.append(figure.row())
            print("  ".join(figure.row()), flush=True)
    said += [_cells(rows[0]), _cells(("---",) * len(HEADINGS))]
    said += [_cells(row) for row in rows[1:]]
    RESULTS.mkdir(exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M")
    kept = RESULTS / f"{stamp}-{given.messages}.md"
    kept.write_text("\n".join(said) + "\n", encoding="utf-8")
    print("kept in", os.path.relpath(kept))


def _figures(folder: str, parts: list[str], messages: int) -> Iterator[Figure]:
    empty = _project(folder, "empty", 0)
    large = _project(folder, "large", messages)
    if "cold" in parts:
        yield from cold.figures(empty, large, folder, messages)
    if "durable" in parts:
        place_for_it = os.path.join(folder, "durable")
        os.mkdir(place_for_it)
        yield from durable.figures(place_for_it, folder)
    if "screen" in parts:
        yield from screen.figures(empty, large, folder, messages)
    if "chain" in parts:
        yield from chain.figures(large, messages)


def _project(folder: str, name: str, messages: int) -> Paths:
    target = os.path.join(folder, name)
    os.mkdir(target)
    return generate(target, messages)


def _cells(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(row)} |"


if __name__ == "__main__":
    main()
