"""Takes every figure in one run, prints the table and keeps it in `benchmarks/results/`.

Parts: cold durable frames shown answers rest search chain; all without any. Sizes of 1,000 and
100,000 messages below N are measured in the same run where a row needs them.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from benchmarks import answers, chain, cold, durable, frames, place, rest, search, shown
from benchmarks.pairs import Figure
from benchmarks.projects import Projects
from benchmarks.results import RESULTS

PARTS: dict[str, Callable[[Projects], Iterator[Figure]]] = {
    "cold": cold.figures,
    "durable": durable.figures,
    "frames": frames.figures,
    "shown": shown.figures,
    "answers": answers.figures,
    "rest": rest.figures,
    "search": search.figures,
    "chain": chain.figures,
}

HEADINGS = ("what", "measured", "goal", "", "in this run")


def main() -> None:
    """Exit status 0 also when a goal is missed: the table says so."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--messages", type=int, default=10_000, metavar="N")
    given = parser.parse_args()
    parts = given.parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    place.install()
    with place.scratch() as folder:
        os.environ.update(place.child_environment(folder))
        words = "".join(f" {part}" for part in given.parts)
        command = f'make bench ARGS="--messages {given.messages}{words}"'
        head = [place.machine(folder), "", f"`{command}`", ""]
        print(head[0], command, sep="\n")
        stamp = datetime.now(UTC).strftime("%Y-%m-%d-%H%M")
        kept = RESULTS / f"{'-'.join((stamp, str(given.messages), *given.parts))}.md"
        rows = [_cells(HEADINGS), _cells(("---",) * len(HEADINGS))]
        projects = Projects(folder, given.messages)
        for part in parts:
            for figure in PARTS[part](projects):
                rows.append(_cells(figure.row()))
                print("  ".join(figure.row()), flush=True)
                # What was measured stays, whatever becomes of the rest.
                RESULTS.mkdir(exist_ok=True)
                kept.write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
    print("kept in", os.path.relpath(kept))


def _cells(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(row)} |"


if __name__ == "__main__":
    main()
