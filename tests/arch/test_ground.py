"""The ground that other tests stand on: pinned environment, terminals, nothing left running."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.conftest import AGENT_HOSTS
from tests.processes import MARK, left_behind
from tests.support import Terminal, environment, file_system, until


def test_the_environment_is_pinned() -> None:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        assert Path(os.environ[name]).is_relative_to(tempfile.gettempdir())
        assert list(Path(os.environ[name]).iterdir()) == []
    assert not [name for name in os.environ if name.startswith(("TEXTUAL", "SUBLATION_"))]
    assert not set(AGENT_HOSTS) & set(os.environ)
    assert "NO_COLOR" not in os.environ
    assert time.localtime().tm_gmtoff == 7200


def test_a_disk_is_not_memory(real_disk: Path) -> None:
    assert list(real_disk.iterdir()) == []
    assert file_system(real_disk) != "tmpfs"


def test_the_mount_table_is_read_at_the_nearest_mount() -> None:
    if not Path("/proc/self/mounts").exists():
        pytest.skip("no /proc here")
    assert file_system(Path("/proc/self")) == "proc"


ASK = """
import os, sys
seen = [os.isatty(0), os.isatty(1)]
with open('/dev/tty', 'r+b', buffering=0) as terminal:
    terminal.write(b'sure? ')
    answer = terminal.readline().decode().strip()
    size = tuple(os.get_terminal_size(terminal.fileno()))
print(seen, answer, size, sys.stdin.read() if not seen[0] else '')
"""


def test_a_terminal_is_the_controlling_one_even_when_standard_input_is_a_pipe() -> None:
    with Terminal(100, 30) as terminal:
        process = terminal.start(
            [sys.executable, "-c", ASK],
            cwd=os.environ["HOME"],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        terminal.write(b"yes\n")
        out, _ = process.communicate(b"body", 60)
        shown = terminal.rest()
    assert out.decode().strip() == "[False, False] yes (100, 30) body"
    assert b"sure? " in shown


def test_a_process_on_a_terminal_ends_with_it() -> None:
    with Terminal() as terminal:
        process = terminal.start(
            [sys.executable, "-c", "print('up'); import time; time.sleep(600)"],
            cwd=os.environ["HOME"],
            env=environment(),
        )
        until(lambda: b"up" in terminal.shown())
        assert process.poll() is None
    assert process.poll() is not None


def test_a_process_that_left_its_parent_is_still_found() -> None:
    if not Path("/proc/self").exists():
        pytest.skip("no /proc here")
    orphan = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(600)'], start_new_session=True, stdin=subprocess.DEVNULL, "
        "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); print(child.pid)"
    )
    command = [sys.executable, "-W", "ignore", "-c", orphan]
    ran = subprocess.run(command, capture_output=True, check=True, env=environment())
    pid = int(ran.stdout)
    try:
        until(lambda: pid in left_behind(os.environ[MARK]))
        assert pid not in left_behind("another run")
    finally:
        os.kill(pid, 9)
    until(lambda: pid not in left_behind(os.environ[MARK]))
