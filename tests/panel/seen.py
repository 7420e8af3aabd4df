"""The real program on a pseudo-terminal, and what a terminal would show of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte
import pytest

from tests.support import Terminal, environment, program, until

COLUMNS, LINES = 100, 30
PROMPT_SECONDS = 10.0


class Seen:
    """A panel in a process of its own, on a pseudo-terminal whose bytes are parsed."""

    def __init__(self, terminal: Terminal, process: subprocess.Popen[bytes]) -> None:
        self.terminal = terminal
        self.process = process

    def screen(self) -> str:
        """What a terminal would show now."""
        screen = pyte.Screen(COLUMNS, LINES)
        pyte.ByteStream(screen).feed(self.terminal.shown())
        return "\n".join(screen.display)

    def sees(self, text: str) -> None:
        """Wait until the screen shows a text."""
        until(lambda: text in self.screen(), f"{text!r} on the screen\n{self.screen()}")

    def ends(self) -> int:
        """Wait for the end of the process; its exit status."""
        return self.process.wait(PROMPT_SECONDS)


@contextmanager
def panel(*args: str | Path, cwd: Path, bound: bool = False) -> Iterator[Seen]:
    """The program as a person starts it; `bound`: permissions bind it, also under root."""
    command = [*(rights_taken() if bound else []), *program(*args)]
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
