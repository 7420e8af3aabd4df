"""Measuring things in turn, and what is said of the ratio."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

PAIRS = 11


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the report. `value` is the median over the rounds; None: not measured.

    `goal` is an upper bound, or a lower one with `at_least`, in `unit`, without one a ratio; `note`
    says what stands behind it.
    """

    what: str
    value: float | None
    goal: float
    at_least: bool = False
    unit: str = ""
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        met = self.value >= self.goal if self.at_least else self.value <= self.goal
        return "met" if met else "MISSED"

    def row(self) -> tuple[str, str, str, str, str]:
        """The cells of the report."""
        shown = "—" if self.value is None else f"{self.value:.2f}{self.unit}"
        bound = f"{'≥' if self.at_least else '≤'} {self.goal:g}{self.unit}"
        return self.what, shown, bound, self.verdict, self.note


def in_turn(*measures: Callable[[], float], pairs: int = PAIRS) -> tuple[list[float], ...]:
    """Seconds of each, measured one after the other after one unmeasured round."""
    for measure in measures:
        measure()
    found: tuple[list[float], ...] = tuple([] for _ in measures)
    for _ in range(pairs):
        for measure, seconds in zip(measures, found, strict=True):
            seconds.append(measure())
    return found


def ratio(ones: Sequence[float], others: Sequence[float]) -> float:
    """The median of the ratios of each round."""
    return median(a / b for a, b in zip(ones, others, strict=True))


def compared(
    what: str,
    ones: Sequence[float],
    others: Sequence[float],
    goal: float,
    *,
    inverse: bool = False,
) -> Figure:
    """One thing against another, as a row with both medians; `inverse`: the more the better."""
    note = f"{milliseconds(ones)} against {milliseconds(others)}"
    value = ratio(others, ones) if inverse else ratio(ones, others)
    return Figure(what, value, goal, at_least=inverse, note=note)


def milliseconds(seconds: Sequence[float]) -> str:
    """A median as it is shown beside a ratio."""
    found = median(seconds) * 1000
    return f"{found:,.0f} ms" if found >= 1000 else f"{found:.1f} ms"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
