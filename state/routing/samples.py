"""The frozen samples: invented wishes, each with its features and the skills that should lead.

They are made for this project; no text in them comes from a person's prompt (S6). `late` marks
those that were written after the router was frozen, so that they can be counted apart. A sample
without `expected` fits no profiled skill: its right answer is a fallback.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from state.routing.shipped import shipped


@dataclass(frozen=True, slots=True)
class Sample:
    """One synthetic wish; `expected` names skills, the best first."""

    id: str
    language: Literal["en", "zh"]
    text: str
    features: tuple[str, ...]
    expected: tuple[str, ...]
    late: bool


@cache
def samples() -> tuple[Sample, ...]:
    """All of them, in the order of their ids."""
    return tuple(
        Sample(
            each["id"],
            each["language"],
            each["text"],
            tuple(each["features"]),
            tuple(each["expected"]),
            each["late"],
        )
        for each in shipped("samples")["samples"]
    )
