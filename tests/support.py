"""What tests share: the real command as a real process, with or without a terminal, and waiting.

Every process that a test starts imports the tree that the test stands in (`PYTHONPATH` is pinned
to it), so that the same tests prove a scratch copy of the tree.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
# How long a test waits for what is to come before it fails. Far more than anything takes, however
# slow the machine; less where failing is what is expected.
PATIENCE_SECONDS = float(os.environ.get("TESTS_PATIENCE", "120"))

T = TypeVar("T")

# Takes the terminal on the given descriptor as the controlling one, then becomes the program.
# A process of its own does this, because code between fork and exec may deadlock under threads.
_TAKE_TERMINAL = """
import fcntl, os, sys, termios
terminal = int(sys.argv[1])
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
os.close(terminal)
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True, slots=True)
class Result:
    """How one run of the command ended: exit code, both outputs, what stood on the terminal."""

    code: int
    out: str
    err: str
    terminal: str = ""

    @property
    def json(self) -> Any:
        """The object on standard output."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The error object on standard error, as `--json` gives it."""
        return json.loads(self.err)["error"]


def program(*args: str | Path) -> list[str]:
    """The command line of the program under test, from this tree."""
    return [sys.executable, "-m", "panel", *(os.fspath(arg) for arg in args)]


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """The pinned environment with some variables changed, or removed where the value is None."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name, value in (changes or {}).items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    return env


def run_cli(
    *args: str | Path,
    project: str | Path | None = None,
    seat: str | None = None,
    stdin: str | bytes | None = None,
    tty: bool = False,
    typed: str | bytes = "",
    screen: bool = False,
    env: Mapping[str, str | None] | None = None,
    cwd: str | Path | None = None,
    timeout: float = PATIENCE_SECONDS,
) -> Result:
    """Run the real command to its end and give exit code and outputs.

    `project` and `seat` become `--project` and `--as`. It runs in `cwd`, else in the project, else
    in the test's own home.

    Without `tty` there is no terminal at all: standard input is a pipe with `stdin` (empty when
    None). With `tty` the process has a controlling terminal (`/dev/tty`) on which `typed` is
    typed; standard input is that terminal, or a pipe when `stdin` is given. Standard output and
    error are pipes, or the terminal when `screen`; what stood on the terminal is in `terminal`.
    A run that takes longer than `timeout` seconds is killed and fails the test.
    """
    options: list[str | Path] = []
    if project is not None:
        options += ["--project", project]
    if seat is not None:
        options += ["--as", seat]
    command = program(*options, *args)
    where = cwd or project or os.environ["HOME"]
    feed = stdin.encode() if isinstance(stdin, str) else stdin
    if not tty:
        if typed or screen:
            raise ValueError("typed and screen need tty=True")
        process = subprocess.Popen(
            command,
            cwd=where,
            env=environment(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        out, err = _communicate(process, feed or b"", timeout)
        return Result(process.returncode, _text(out), _text(err))
    with Terminal() as terminal:
        process = terminal.start(
            command,
            cwd=where,
            env=environment(env),
            stdin=None if feed is None else subprocess.PIPE,
            stdout=None if screen else subprocess.PIPE,
            stderr=None if screen else subprocess.PIPE,
        )
        terminal.write(typed.encode() if isinstance(typed, str) else typed)
        out, err = _communicate(process, feed, timeout)
        shown = _text(terminal.rest())
    return Result(process.returncode, shown if screen else _text(out), _text(err), shown)


class Terminal:
    """A pseudo-terminal that becomes the controlling terminal of the one process started on it.

    Leaving it ends that process and whatever it left in its session.
    """

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self._master, self._slave = os.openpty()
        self._shown = bytearray()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self.resize(columns, lines)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            self._reader.join(10.0)
        for descriptor in (self._slave, self._master):
            if descriptor >= 0:
                os.close(descriptor)
        self._master = self._slave = -1

    def start(
        self,
        command: list[str],
        *,
        cwd: str | Path,
        env: Mapping[str, str],
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start one process in a session of its own; a stream that is None is the terminal."""
        slave = self._slave
        take = [sys.executable, "-I", "-S", "-c", _TAKE_TERMINAL, str(slave)]
        process = subprocess.Popen(
            [*take, *command],
            cwd=cwd,
            env=env,
            stdin=slave if stdin is None else stdin,
            stdout=slave if stdout is None else stdout,
            stderr=slave if stderr is None else stderr,
            pass_fds=[slave],
            start_new_session=True,
        )
        # Only without our own handle does the terminal end when the process does.
        os.close(slave)
        self._slave = -1
        self._process = process
        self._reader.start()
        return process

    def write(self, data: bytes) -> None:
        """Type these bytes."""
        while data:
            data = data[os.write(self._master, data) :]

    def resize(self, columns: int, lines: int) -> None:
        """Set the size in cells; what runs on it is told."""
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def shown(self, start: int = 0) -> bytes:
        """Every byte that was written to the terminal so far, without the first `start`."""
        return bytes(self._shown[start:])

    def rest(self, timeout: float = 10.0) -> bytes:
        """Every byte, once nothing holds the terminal any more."""
        self._reader.join(timeout)
        if self._reader.is_alive():
            raise AssertionError("a process still holds the terminal")
        return self.shown()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # Linux says the end of a terminal in this way
                return
            if not data:
                return
            self._shown += data


def until(condition: Callable[[], T], what: str = "", timeout: float = PATIENCE_SECONDS) -> T:
    """Wait until the condition gives something true, and give that; fail after `timeout` s."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {timeout:g} s: {what or condition}")
        time.sleep(0.01)


def file_system(path: Path) -> str:
    """The type of the file system that holds a path, as the mount table calls it; "" if unknown."""
    table = Path("/proc/self/mounts")
    if not table.exists():
        return ""
    best, kind = "", ""
    for line in table.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        _, mount, name, *_ = line.split(" ")
        if path.resolve().is_relative_to(mount) and len(mount) >= len(best):
            best, kind = mount, name
    return kind


def _communicate(
    process: subprocess.Popen[bytes], feed: bytes | None, timeout: float
) -> tuple[bytes, bytes]:
    try:
        out, err = process.communicate(feed, timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(
            f"still running after {timeout:g} s: {process.args!r}\n{_text(out)}\n{_text(err)}"
        ) from None
    return out or b"", err or b""


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "surrogateescape")
