"""The panel left open while agents write: nothing on the screen drifts from the journal (fault 44).

The long form of `make faults` takes ten minutes. Speed is measured, never a reason to fail here.
"""

import sys
from pathlib import Path

import pytest

from benchmarks.generate import generate
from benchmarks.soak import report, soak
from benchmarks.terminal import Terminal
from tests.faults.conftest import Tally, tally
from tests.faults.scale import LONG, scaled
from tests.support import environment, program

__all__ = ["tally"]

MESSAGES = 300
SECONDS = scaled(15, 570)
GROWN_AT_MOST = 1.08 if LONG else 1.25


def test_a_panel_left_open_says_what_the_journal_says(
    real_disk: Path, tally: Tally, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = real_disk / "project"
    folder.mkdir()
    paths = generate(str(folder), MESSAGES)
    command = program("--project", folder)
    opened = Terminal(command, environment(), str(folder))
    found = soak(paths, opened, environment(), SECONDS, 2.0, sys.executable)
    print("\n".join(report(found)))
    assert found.drift == []
    assert found.lines > 0
    tally("lines written while a panel was open and used", found.lines)
    # The second half: in the first, caches fill. A leak of each line would be twice as much.
    assert found.memory[-1] < found.memory[len(found.memory) // 2] * GROWN_AT_MOST
