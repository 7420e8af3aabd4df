"""The mutants runner: what counts as killed, and that it is the scratch copy that is tested."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.arch.code import assert_none
from tests.support import ROOT
from tools import mutants
from tools.mutants import BadList, Mutant

PRODUCT = """
def limit(n):
    return n <= 10


def label(n):
    return f"{n} unread"
"""

TESTS = """
import os, subprocess, sys
import pytest
from product import rules


@pytest.mark.rule("R1")
def test_limit():
    assert not rules.limit(11)


@pytest.mark.rule("R2")
def test_nothing():
    assert rules.limit(1)


@pytest.mark.rule("R3")
def test_red():
    assert rules.label(1) == "one unread"


@pytest.mark.rule("R4", "R5")
def test_process():
    code = "from product import rules; print(rules.label(3))"
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=os.environ["HOME"], capture_output=True, text=True)
    assert ran.stdout == "3 unread\\n"


@pytest.fixture
def ten():
    assert rules.limit(10)


@pytest.mark.rule("R6")
def test_with_fixture(ten):
    pass
"""

CONFIG = '[tool.pytest.ini_options]\nmarkers = ["rule(*ids)"]\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small project with rules, tests marked with them, and a file that git ignores."""
    root = tmp_path / "tree"
    for folder in ("product", "tests", "junk"):
        (root / folder).mkdir(parents=True)
    for name in ("conftest.py", "support.py", "processes.py", "__init__.py"):
        shutil.copy(ROOT / "tests" / name, root / "tests" / name)
    (root / "product" / "__init__.py").touch()
    (root / "product" / "rules.py").write_text(PRODUCT)
    (root / "tests" / "test_rules.py").write_text(TESTS)
    (root / "pyproject.toml").write_text(CONFIG)
    (root / ".gitignore").write_text("junk/\n__pycache__/\n")
    (root / "junk" / "big").touch()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def mutant(rule: str, old: str = "n <= 10", new: str = "n >= 0") -> Mutant:
    return Mutant(rule, "product/rules.py", old, new)


def verdicts(root: Path, *wanted: Mutant) -> dict[str, str]:
    return {verdict.mutant.rule: verdict.word for verdict in mutants.prove_all(root, wanted)}


def test_only_a_failed_test_that_passes_without_the_change_counts(tree: Path) -> None:
    before = (tree / "product" / "rules.py").read_bytes()
    found = verdicts(
        tree,
        mutant("R1"),
        mutant("R2"),
        mutant("R3"),
        mutant("R4", "{n} unread", "{n} read"),
        mutant("R5", "def label(n):", "def label(n:"),
        mutant("R6", "n <= 10", "n < 10"),
        mutant("R7"),
        mutant("R8", "return", "yield"),
    )
    assert found == {
        "R1": "killed",
        "R2": "survived",
        "R3": "red",
        "R4": "killed",  # only if the process of its test imported the copy
        "R5": "broken",  # it doesn't even compile: no test has failed
        "R6": "broken",  # the fixture failed, not a test
        "R7": "untested",
        "R8": "stale",
    }
    assert (tree / "product" / "rules.py").read_bytes() == before


def test_a_change_of_equal_length_is_not_hidden_by_compiled_modules(tree: Path) -> None:
    changes = [mutant("R1", "n <= 10", f"n <= {number}") for number in (11, 12, 13)]
    words = [verdict.word for verdict in mutants.prove_all(tree, changes, at_once=1)]
    assert words == ["killed"] * 3


def test_the_command_says_each_verdict_and_the_count(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tree / "tests" / "mutants.toml"
    entry = '[[mutant]]\nrule = "{}"\nfile = "product/rules.py"\nold = "{}"\nnew = "n >= 0"\n'
    listed.write_text(entry.format("R1", "n <= 10"))
    assert mutants.main([], tree) == 0
    out = capsys.readouterr().out
    assert "killed   R1   product/rules.py  tests.test_rules::test_limit" in out
    assert out.endswith("1 mutants: 1 killed\n")

    listed.write_text(entry.format("R1", "n <= 10") + entry.format("R4", "gone"))
    assert mutants.main(["--rule", "R4"], tree) == 1
    assert "stale    R4" in capsys.readouterr().out

    assert mutants.main(["--list-missing"], tree) == 1
    assert capsys.readouterr().out.splitlines()[:-1] == ["R2", "R3", "R5", "R6"]


@pytest.mark.parametrize(
    "text",
    [
        "[[mutant]]\nrule = 'R1'\nfile = 'a'\nold = 'b'\n",
        "[[mutant]]\nrule = 'R1'\nfile = 'a'\nold = 'b'\nnew = 'b'\n",
        "[[mutant]]\nrule = 'R1'\nfile = 'a'\nold = ''\nnew = 'b'\n",
        "[[mutant]]\nrule = 1\nfile = 'a'\nold = 'b'\nnew = 'c'\n",
        "[[mutant]\n",
    ],
)
def test_a_list_in_another_form_is_refused(tmp_path: Path, text: str) -> None:
    listed = tmp_path / "mutants.toml"
    listed.write_text(text)
    with pytest.raises(BadList, match=r"mutants\.toml"):
        mutants.load(listed)


def test_every_listed_change_fits_the_code_as_it_is() -> None:
    listed = mutants.load(ROOT / "tests" / "mutants.toml")
    assert_none(f"{m.rule} {m.file}: {why}" for m in listed if (why := mutants.stale(ROOT, m)))
    outside = [m.file for m in listed if not m.file.startswith(("state/", "panel/"))]
    assert outside == []
