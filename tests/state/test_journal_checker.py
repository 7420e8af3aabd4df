"""`docs/check_chain.py` finds what is wrong with a journal, without the program."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from state.journal import writer
from state.journal.journal import Journal
from state.paths import Paths
from tests.state.journal_support import AGENTS, Disk, append, made
from tests.state.test_journal_format import project_of_the_page
from tests.support import ROOT

CHECKER = ROOT / "docs" / "check_chain.py"


def checked(paths: Paths) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(CHECKER), paths.root]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_checker_is_short_and_needs_no_library() -> None:
    assert len(CHECKER.read_text(encoding="utf-8").splitlines()) <= 40
    command = [sys.executable, "-I", "-S", str(CHECKER)]
    asked = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert (asked.returncode, "check_chain.py PROJECT/" in asked.stderr) == (1, True)
    assert "Traceback" not in asked.stderr


def test_the_checker_finds_nothing_wrong_with_a_good_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checked(project_of_the_page(tmp_path / "page")).returncode == 0
    monkeypatch.setattr(writer, "SEGMENT_BYTES", 3000)
    paths = made(tmp_path / "own")
    journal = Journal(paths)
    for number in range(30):
        line = append(journal, f"message {number}")
    journal.close()
    assert Path(paths.segment(3)).exists()
    result = checked(paths)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{line.rev} lines, the last one {line.hash}\n"


def _flipped(disk: Disk) -> None:
    raw = bytearray(disk.log.read_bytes())
    raw[len(raw) // 2] ^= 4
    disk.log.write_bytes(bytes(raw))


def _in_order(*order: int) -> Callable[[Disk], None]:
    def change(disk: Disk) -> None:
        lines = disk.lines
        disk.log.write_bytes(b"".join(lines[number] for number in order))

    return change


def _other_format(disk: Disk) -> None:
    path = Path(disk.paths.format)
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":3'))


def _blank(disk: Disk) -> None:
    disk.head.write_bytes(bytes(8192))


def _foreign_head(disk: Disk) -> None:
    other = Disk(made(disk.log.parents[3] / "other"))
    disk.head.write_bytes(other.head.read_bytes())


DAMAGES: dict[str, tuple[Callable[[Disk], object], str]] = {
    "a flipped bit": (_flipped, "does not match its sum"),
    "two lines swapped": (_in_order(0, 2, 1, 3, 4, 5), "line 2 .* does not follow"),
    "a line deleted": (_in_order(0, 1, 3, 4, 5), "line 3 .* does not follow"),
    "a line doubled": (_in_order(0, 1, 1, 2, 3, 4, 5), "line 3 .* does not follow"),
    "the end cut": (lambda disk: disk.log.write_bytes(disk.log.read_bytes()[:-9]), "line 6 .* cut"),
    "line ends changed": (
        lambda disk: disk.log.write_bytes(disk.log.read_bytes().replace(b"\n", b"\r\n")),
        "line 1 ",
    ),
    "another FORMAT": (_other_format, "line 1 .* does not follow"),
    "HEAD blank": (_blank, "both slots"),
    "HEAD of another project": (_foreign_head, "HEAD names|is cut off"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_the_checker_finds_each_kind_of_damage(tmp_path: Path, name: str) -> None:
    disk = Disk(made(tmp_path / "project"))
    journal = Journal(disk.paths)
    append(journal, *(f"{seat} {number}" for seat in AGENTS for number in range(2)), "last")
    journal.close()
    change, said = DAMAGES[name]
    change(disk)
    result = checked(disk.paths)
    assert result.returncode == 1
    assert re.search(said, result.stderr), result.stderr
