"""The real program on a pseudo-terminal, and what a terminal would show of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte
import pytest

from tests.support import Terminal, environment, program, until

COLUMNS, LINES = 100, 30
PROMPT_SECONDS = 30.0
# What is parsed between two looks: less than a frame, so that none is missed.
_PIECE = 2048


class Seen:
    """A panel in a process of its own, on a pseudo-terminal whose bytes are parsed."""

    def __init__(self, terminal: Terminal, process: subprocess.Popen[bytes]) -> None:
        self.terminal = terminal
        self.process = process
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._parser = pyte.ByteStream(self._screen)
        self._parsed = 0

    def screen(self) -> str:
        """What a terminal would show now."""
        while self._parse_on():
            pass
        return self._display()

    def _display(self) -> str:
        return "\n".join(self._screen.display)

    def _parse_on(self) -> bool:
        """Parse a piece more; False where no more was written."""
        more = self.terminal.shown(self._parsed)[:_PIECE]
        self._parser.feed(more)
        self._parsed += len(more)
        return bool(more)

    def _came(self, text: str) -> bool:
        while text not in self._display():
            if not self._parse_on():
                return False
        return True

    def sees(self, text: str) -> None:
        """Wait until the screen shows a text, be it gone again when this process gets its turn."""
        try:
            until(lambda: self._came(text))
        except AssertionError as error:
            raise AssertionError(f"{error}: {text!r} on the screen\n{self.screen()}") from None

    def ends(self) -> int:
        """Wait for the end of the process; its exit status."""
        return self.process.wait(PROMPT_SECONDS)


# As `python -m panel`, but what is written waits for the lock as long as it takes.
_PATIENT = """
import runpy
import panel.bridge
panel.bridge.WAIT_SECONDS = 3600.0
runpy.run_module("panel", run_name="__main__", alter_sys=True)
"""


@contextmanager
def panel(
    *args: str | Path, cwd: Path, bound: bool = False, patient: bool = False
) -> Iterator[Seen]:
    """The program as a person starts it.

    `bound`: permissions bind it, also under root. `patient`: it never stops waiting for the lock.
    """
    started = [sys.executable, "-c", _PATIENT, *map(str, args)] if patient else program(*args)
    command = [*(rights_taken() if bound else []), *started]
    with Terminal(COLUMNS, LINES) as terminal:
        process = terminal.start(command, cwd=cwd, env=environment())
        yield Seen(terminal, process)


def rights_taken() -> list[str]:
    """What runs a program without root's rights over files."""
    if os.geteuid() != 0:
        return []
    drop = shutil.which("setpriv")
    if drop is None:
        pytest.skip("nothing here takes root's rights away")
    return [drop, "--bounding-set=-all", "--inh-caps=-all", "--"]
