"""Rules are decided in `state` alone, and no failure is taken for a success."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.arch.code import Module, assert_none, dotted, modules, sample

RULE_WORDS = {"unread", "open_tasks", "status"}
TOO_WIDE = {"Exception", "BaseException"}


def words(node: ast.AST) -> Iterator[str]:
    """The names that an expression reads: variables, attributes, and string keys."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant):
            yield str(part.slice.value)
        elif isinstance(part, ast.Call) and dotted(part.func).endswith(".get"):
            yield from (str(arg.value) for arg in part.args[:1] if isinstance(arg, ast.Constant))


def comparing(module: Module) -> list[str]:
    """Comparisons of what only a rule may compare."""
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Compare):
            parts: list[ast.expr] = [node.left, *node.comparators]
        elif isinstance(node, ast.Match):
            parts = [node.subject]
        else:
            continue
        if any(RULE_WORDS & set(words(part)) for part in parts):
            found.append(module.at(node))
    return found


def swallowing(module: Module) -> list[str]:
    """Handlers for every error there is that go on, and the like of them."""
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = {"BaseException"} if node.type is None else set(words(node.type))
            if kinds & TOO_WIDE and not isinstance(node.body[-1], ast.Raise):
                found.append(module.at(node))
        elif (
            isinstance(node, ast.Call)
            and dotted(node.func).endswith("suppress")
            and any(TOO_WIDE & set(words(arg)) for arg in node.args)
        ):
            found.append(module.at(node))
    return found


def test_no_rule_word_is_compared_in_the_panel() -> None:
    assert comparing(sample("seat.unread > 0"))
    assert comparing(sample("0 == row['open_tasks']"))
    assert comparing(sample("row.get('status') in ('active',)"))
    assert comparing(sample("match seat.status:\n    case 'active': pass"))
    assert not comparing(sample("shown = f'{seat.unread} unread'"))
    assert_none(found for module in modules("panel") for found in comparing(module))


def test_nothing_catches_every_error_and_goes_on() -> None:
    assert swallowing(sample("try: f()\nexcept: pass"))
    assert swallowing(sample("try: f()\nexcept (OSError, Exception): log()"))
    assert swallowing(sample("with contextlib.suppress(Exception): f()"))
    assert not swallowing(sample("try: f()\nexcept BaseException:\n    undo()\n    raise"))
    assert not swallowing(sample("try: f()\nexcept OSError: pass"))
    everything = modules("state", "panel", "tests", "tools", "benchmarks")
    assert_none(found for module in everything for found in swallowing(module))
