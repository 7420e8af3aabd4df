"""The source of the product as syntax trees, for tests on how it is built."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support import ROOT


@dataclass(frozen=True, slots=True)
class Module:
    """One source file; `name` is its path from the root of the tree."""

    name: str
    tree: ast.Module

    def at(self, node: ast.AST) -> str:
        """Where the node stands and what it says."""
        return f"{self.name}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)[:120]}"


def sample(code: str, name: str = "state/sample.py") -> Module:
    """A module from its text, to see that a test finds what it is to find."""
    return Module(name, ast.parse(code))


@functools.cache
def modules(*packages: str) -> tuple[Module, ...]:
    """Every module of the packages, in the order of their names."""
    paths = sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
    return tuple(_module(path) for path in paths)


@functools.cache
def _module(path: Path) -> Module:
    return Module(str(path.relative_to(ROOT)), ast.parse(path.read_bytes()))


def imports(module: Module) -> Iterator[tuple[ast.stmt, str]]:
    """Each name that is imported, dotted: `from a import b` gives `a.b`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


def uses(module: Module) -> Iterator[tuple[ast.expr, str]]:
    """Each name or attribute, dotted, with what it was imported as put in its full form."""
    known = {
        alias.asname or alias.name: alias.name if isinstance(node, ast.Import) else full
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        for full in [f"{getattr(node, 'module', '')}.{alias.name}"]
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute | ast.Name):
            first, *rest = dotted(node).split(".")
            yield node, ".".join([known.get(first, first), *rest])


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an attribute; what is no name (a call, an index) stands as `?`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return "?"


def assert_none(found: Iterable[str]) -> None:
    """Fail with everything that was found, a line each."""
    listed = list(found)
    assert not listed, "\n".join(listed)


def within(name: str, *roots: str) -> bool:
    """Whether a dotted name is one of the roots or lies under one."""
    return any(name == root or name.startswith(f"{root}.") for root in roots)


@functools.cache
def tracked() -> tuple[Path, ...]:
    """Every file that git has or would take; where there is no git, every file without a dot."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if ran.returncode == 0:
        paths = [ROOT / name for name in ran.stdout.decode().split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not _hidden(path.relative_to(ROOT))]
    return tuple(path for path in paths if path.is_file())


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in path.parts)
