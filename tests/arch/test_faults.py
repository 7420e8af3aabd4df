"""Each fault that the design lists is named by the tests that bring it about."""

from __future__ import annotations

import ast
import re

from tests.arch.code import modules

# Agents that wake each other (45 to 49) come with the wake windows.
BUILT = {*range(1, 45), 50}
NAMED = re.compile(r"(?i)\bfaults?:? ((?:\d+|[-,\s]|to\b|and\b)+)")
RANGE = re.compile(r"(\d+)(?:-| to )(\d+)")


def named(said: str) -> set[int]:
    """The numbers of the faults in a docstring, as in `faults 1-3, 5 and 7`."""
    found: set[int] = set()
    for numbers in NAMED.findall(said):
        for first, last in RANGE.findall(numbers):
            found |= set(range(int(first), int(last) + 1))
        found |= {int(number) for number in re.findall(r"\d+", numbers)}
    return found


def test_numbers_are_read_as_they_are_written() -> None:
    assert named("Writers (faults 1-3, 5, 9). And fault 41: hostile.") == {1, 2, 3, 5, 9, 41}
    assert named("Other types (faults 35 to 37 and 39)") == {35, 36, 37, 39}
    assert named("No fault of 12 in it") == set()


def test_every_fault_is_named_by_a_test() -> None:
    told: set[int] = set()
    for module in modules("tests"):
        if module.name.rsplit("/", 1)[-1].startswith("test_"):
            kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)
            nodes = [node for node in ast.walk(module.tree) if isinstance(node, kinds)]
            told |= {number for node in nodes for number in named(ast.get_docstring(node) or "")}
    assert sorted(BUILT - told) == []
