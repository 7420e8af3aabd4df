"""Whatever the panel itself can say: it never says more than the evidence (M11, M14)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from panel import keys
from tests.arch.code import Module, modules, sample

# What no message, seat or task is ever called. A suggestion may be an offline one (S17).
NEVER = re.compile(
    r"\b(delivered|delivery|online|offline(?! suggestion)|running|stuck|unresponsive)\b"
    r"|\bseen\b(?! on a real host)"
    r"|\bread ✓|\bread by\b",
    re.IGNORECASE,
)
# R12: being seated makes nobody a reviewer, and a label grants nothing.
NEVER_OF_A_SEAT = re.compile(r"\b(authori[sz]ed|reviewer|trusted|approved)\b", re.IGNORECASE)
SAYING = ("panel/words/", "panel/present/", "panel/screens/", "panel/parts/", "panel/widgets/")


def said(module: Module) -> Iterator[tuple[str, str]]:
    """Each text of a module that could come to the screen, and its place.

    Docstrings are left out, and the names by which a field is looked up.
    """
    unsaid = {
        id(node.body[0].value)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    unsaid |= {id(node.slice) for node in ast.walk(module.tree) if isinstance(node, ast.Subscript)}
    for node in ast.walk(module.tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and id(node) not in unsaid:
            yield text, module.at(node)


def claims(module: Module) -> list[str]:
    """The texts that say too much."""
    return [f"{where}: {text}" for text, where in said(module) if NEVER.search(text)]


def test_a_claim_is_found_and_documentation_is_none() -> None:
    assert claims(sample("LABEL = 'delivered'"))
    assert claims(sample("def f(n):\n    return f'{n} read ✓'"))
    assert claims(sample("LABEL = f'{seat} is offline'"))
    assert not claims(sample("LABEL = 'an offline suggestion' if op['offline'] else ''"))
    assert not claims(sample('"""Seen and delivered."""\nLABEL = "read only"'))


@pytest.mark.rule("M11", "M14")
def test_no_word_of_the_panel_says_more_than_the_evidence() -> None:
    saying = [module for module in modules("panel") if module.name.startswith(SAYING)]
    assert {"panel/words/needs.py", "panel/words/signs.py"} <= {module.name for module in saying}
    texts = [text for module in saying for text, _ in said(module)]
    assert "Nobody needs you" in texts
    assert [claim for module in saying for claim in claims(module)] == []


@pytest.mark.rule("R12", "R13")
def test_no_word_of_the_panel_makes_a_seat_more_than_a_seat() -> None:
    saying = [module for module in modules("panel") if module.name.startswith(SAYING)]
    texts = [(where, text) for module in saying for text, where in said(module)]
    assert [found for found in texts if NEVER_OF_A_SEAT.search(found[1])] == []


@pytest.mark.rule("M11")
def test_no_key_says_more_than_the_evidence() -> None:
    for key in keys.TABLE:
        for text in (key.label, key.help, key.short or ""):
            assert not NEVER.search(text), key.id
