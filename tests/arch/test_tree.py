"""What may stand in no file of the tree, and how long a file may be."""

from __future__ import annotations

import re

import pytest

from tests.arch.code import assert_none, tracked
from tests.support import ROOT

LONGEST = 300

# Put together here, so that this file doesn't find itself.
HOSTS = re.compile(
    "|".join(["py" + "pi\\.", "python" + "hosted", "npm" + "js\\.", "crates" + "\\.io"])
)
PLACES = re.compile(r"(?<![\w.~/-])/(" + "|".join(["wo" + "rk", "fa" + "rm", "ro" + "ot"]) + ")/")


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked()
        for number, line in enumerate(_text(path.read_bytes()).splitlines(), 1)
        if pattern.search(line)
    ]


def _text(data: bytes) -> str:
    return "" if b"\0" in data else data.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (HOSTS, "https://py" + "pi.org/simple", True),
        (HOSTS, "the registry", False),
        (PLACES, "cd /ro" + "ot/x", True),
        (PLACES, "'/wo" + "rk/main'", True),
        (PLACES, "home/wo" + "rk/main", False),
    ],
)
def test_the_patterns_find_what_they_are_to_find(
    pattern: re.Pattern[str], text: str, found: bool
) -> None:
    assert bool(pattern.search(text)) is found


def test_the_tree_is_listed() -> None:
    assert ROOT / "pyproject.toml" in tracked()
    assert ROOT / "tests" / "arch" / "test_tree.py" in tracked()


def test_no_file_names_a_package_registry() -> None:
    assert_none(lines_with(HOSTS))


def test_no_file_names_a_place_on_one_machine() -> None:
    assert_none(lines_with(PLACES))


def test_no_file_of_code_is_too_long() -> None:
    code = [path for path in tracked() if path.suffix in {".py", ".tcss"}]
    lengths = [(path.read_bytes().count(b"\n"), str(path.relative_to(ROOT))) for path in code]
    too_long = sorted(length for length in lengths if length[0] > LONGEST)
    assert_none(f"{name}: {length} lines" for length, name in too_long)
