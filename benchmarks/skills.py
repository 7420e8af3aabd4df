"""Taking an inventory of skills, against reading and hashing the same files in the same run.

usage: python -m benchmarks.skills DIR     a folder of skills; nothing in it is written
"""

import argparse
import gc
import os
from hashlib import sha256
from time import perf_counter

from benchmarks.pairs import Figure, compared, in_turn
from state.routing import inventory, roots
from state.routing.walk import SKILL

GOAL = 4.0


def figures(folder: str) -> tuple[Figure, Figure]:
    """The inventory against the bytes alone, once with the paths known, once with finding them."""
    wanted = roots.given([folder])
    paths = [skill.path for skill in inventory.take(wanted).skills]

    def ours() -> float:
        start = perf_counter()
        found = inventory.take(wanted)
        seconds = perf_counter() - start
        assert len(found.skills) == len(paths)
        return seconds

    def known() -> float:
        start = perf_counter()
        for path in paths:
            _hash(path)
        return perf_counter() - start

    def finding() -> float:
        start = perf_counter()
        for here, _, names in os.walk(folder):
            if SKILL in names:
                _hash(f"{here}/{SKILL}")
        return perf_counter() - start

    inventories, bytes_alone, with_finding = in_turn(ours, known, finding)
    what = f"an inventory of {len(paths):,} skills / reading and hashing"
    return (
        compared(f"{what} their files", inventories, bytes_alone, GOAL),
        compared(f"{what} them, with finding them", inventories, with_finding, GOAL),
    )


def _hash(path: str) -> None:
    with open(path, "rb") as file:
        sha256(file.read()).hexdigest()


def main() -> None:
    """Prints both figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.skills", description=__doc__)
    parser.add_argument("folder", metavar="DIR")
    given = parser.parse_args()
    # As the command itself does: it makes no garbage worth looking for.
    gc.set_threshold(100_000)
    for figure in figures(given.folder):
        print("  ".join(figure.row()), flush=True)


if __name__ == "__main__":
    main()
