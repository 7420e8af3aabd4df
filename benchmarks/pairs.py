"""Measuring two things in turn, and what is said of the ratio."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

PAIRS = 11


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the report. `ratio` is the median over the pairs; None: not measured.

    `goal` is an upper bound, or a lower one with `at_least`; `note` says what stands behind it.
    """

    what: str
    ratio: float | None
    goal: float
    at_least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return "not measured"
        met = self.ratio >= self.goal if self.at_least else self.ratio <= self.goal
        return "met" if met else "MISSED"

    def row(self) -> tuple[str, str, str, str, str]:
        """The cells of the report."""
        shown = "—" if self.ratio is None else f"{self.ratio:.2f}"
        bound = f"{'≥' if self.at_least else '≤'} {self.goal:g}"
        return self.what, shown, bound, self.verdict, self.note


def in_turn(
    one: Callable[[], float], other: Callable[[], float], pairs: int = PAIRS
) -> tuple[list[float], list[float]]:
    """Seconds of both, measured alternately after one unmeasured round each."""
    one(), other()
    ones, others = [], []
    for _ in range(pairs):
        ones.append(one())
        others.append(other())
    return ones, others


def ratio(ones: Sequence[float], others: Sequence[float]) -> float:
    """The median of the pairs' ratios."""
    return median(a / b for a, b in zip(ones, others, strict=True))


def milliseconds(seconds: Sequence[float]) -> str:
    """A median as it is shown beside a ratio."""
    return f"{median(seconds) * 1000:.1f} ms"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
