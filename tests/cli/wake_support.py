"""The command line on a project whose clock a test moves, and the programs that claim from it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from panel.cli.main import main
from state.clock import Moment, SystemClock, parse, stamp
from state.command import USER, Actor
from state.project import open_project
from state.wake.arming import agreement
from state.wake.policy import policy_of
from state.wake.window_commands import EnablePolicy, SetPolicy
from tests.support import Result, environment, program

if TYPE_CHECKING:
    from tests.cli.conftest import Shop

EXAMPLE = Path(__file__).with_name("example_adapter.py")


class LaterClock:
    """The machine's clock, ahead by what a test has let pass.

    Where seconds are counted and no other process looks at its own clock, a test stops it.
    """

    def __init__(self) -> None:
        self._machine = SystemClock()
        self._stopped: Moment | None = None
        self._ahead = timedelta()

    def stop(self) -> None:
        """From now on time passes by `move` alone."""
        self._stopped = self._machine.moment()

    def now(self) -> str:
        return self.moment().utc

    def moment(self) -> Moment:
        found = self._stopped or self._machine.moment()
        ms = None if found.ms is None else found.ms + self._ahead // timedelta(milliseconds=1)
        return Moment(stamp(parse(found.utc) + self._ahead), found.boot, ms)

    def move(self, **by: float) -> None:
        self._ahead += timedelta(**by)


class Desk:
    """The command in this process, without a terminal, at the time of a clock that a test moves."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.clock = LaterClock()
        self.capsys = capsys

    def say(self, *words: str | Path, seat: str | None = "codex") -> Result:
        options = ["--project", str(self.folder)]
        if seat is not None:
            options += ["--as", seat]
        self.capsys.readouterr()
        code = main([*options, *map(str, words)])
        said = self.capsys.readouterr()
        return Result(code, said.out, said.err)

    def user(self, *words: str | Path) -> Result:
        """As the person: standard input is a terminal, on which nothing is typed."""
        leader, terminal = os.openpty()
        kept = os.dup(0)
        try:
            os.dup2(terminal, 0)
            return self.say(*words, seat=None)
        finally:
            os.dup2(kept, 0)
            for descriptor in (leader, terminal, kept):
                os.close(descriptor)

    def json(self, *words: str | Path, seat: str | None = "codex") -> Any:
        """The answer of a command that succeeds."""
        said = self.say(*words, "--json", seat=seat)
        assert said.code == 0, said.err
        return said.json

    def refused(self, *words: str | Path, seat: str | None = "codex") -> Any:
        """The error of a command that a rule refuses."""
        said = self.say(*words, "--json", seat=seat)
        assert (said.code, said.out) == (3, "")
        return said.error


def everything(root: Path) -> dict[str, bytes]:
    """Every byte of a project, hints and cache too."""
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def arm(folder: Path, seat: str = "codex", **given: Any) -> None:
    """A window of the seat under this policy; without rest between leases if none is asked for."""
    limits = {"cooldown_seconds": 0, **given}
    with open_project(str(folder)) as project:
        with project.view() as view:
            policy = policy_of(limits, view.head.project, seat)
        for command in (SetPolicy(seat, policy=policy), EnablePolicy(seat)):
            project.run(command, Actor(USER, "tty"))
        with project.view() as view:
            found = agreement(view, project.paths, seat, project.clock.moment())
        project.run(found.command(), Actor(USER, "tty"))


def command(shop: Shop, *words: str | Path, seat: str | None = "codex") -> list[str]:
    """The real command on a shop, without a terminal."""
    options: list[str | Path] = ["--project", shop.folder]
    return program(*options, *(() if seat is None else ("--as", seat)), *words)


@contextmanager
def started(line: list[str], **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A process with text pipes, which doesn't outlive the block."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    # What is ignored is handed on, and whoever runs the tests under `nohup` ignores this one.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        begun = subprocess.Popen(line, env=environment(), text=True, **pipes, **more)  # type: ignore[call-overload]
    finally:
        signal.signal(signal.SIGHUP, before)
    with begun as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def adapter(shop: Shop, *words: str, steps: bool = False) -> Iterator[subprocess.Popen[str]]:
    """The example adapter in a process of its own, for codex."""
    mine = [*words, *(("--step",) if steps else ())]
    with started([sys.executable, str(EXAMPLE), *mine, "--", *command(shop)]) as process:
        yield process


def stands_before(process: subprocess.Popen[str], step: str) -> list[dict[str, Any]]:
    """Lets a stepping adapter go on until it stands before a step; gives what it said till then."""
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        one = json.loads(line)
        said.append(one)
        if one["what"] == "before":
            if one["step"] == step:
                return said
            one_step(process)
    raise AssertionError(f"it ended before {step}: {said}")


def one_step(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def end(process: subprocess.Popen[str]) -> tuple[int, list[dict[str, Any]]]:
    """The exit status and everything that it still says."""
    out, err = process.communicate("\n" * 20, timeout=60)
    assert err == ""
    return process.returncode, [json.loads(line) for line in out.splitlines()]
