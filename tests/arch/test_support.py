"""`run_cli`: what the program that it runs gets to see, told by a stand-in for the program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import support
from tests.support import ROOT, run_cli

STAND_IN = """
import json, os, sys, time
if 'wait' in sys.argv:
    time.sleep(600)
try:
    terminal = os.open('/dev/tty', os.O_RDWR)
except OSError:
    terminal = -1
print(json.dumps({
    'args': sys.argv[1:],
    'stdin': os.isatty(0),
    'stdout': os.isatty(1),
    'terminal': terminal >= 0,
    'read': sys.stdin.readline(),
    'asked': os.read(terminal, 100).decode() if terminal >= 0 and not os.isatty(0) else '',
    'cwd': os.getcwd(),
    'variable': os.environ.get('SUBLATION_SEAT'),
    'tree': os.environ['PYTHONPATH'],
}))
print(json.dumps({'error': {'code': 'refused'}}), file=sys.stderr)
sys.exit(3)
"""


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(*args: str | Path) -> list[str]:
        return [sys.executable, "-c", STAND_IN, *map(str, args)]

    monkeypatch.setattr(support, "program", program)


def test_without_a_terminal_there_is_none_at_all(tmp_path: Path) -> None:
    ran = run_cli("post", "hermes", project=tmp_path, seat="codex", stdin="body\n")
    assert ran.code == 3
    assert ran.error == {"code": "refused"}
    assert ran.json == {
        "args": ["--project", str(tmp_path), "--as", "codex", "post", "hermes"],
        "stdin": False,
        "stdout": False,
        "terminal": False,
        "read": "body\n",
        "asked": "",
        "cwd": str(tmp_path.resolve()),
        "variable": None,
        "tree": str(ROOT),
    }


def test_the_environment_can_be_changed() -> None:
    ran = run_cli("inbox", env={"SUBLATION_SEAT": "codex"})
    assert ran.json["variable"] == "codex"
    assert ran.json["cwd"] == os.path.realpath(os.environ["HOME"])


def test_at_a_terminal_standard_input_is_what_is_typed() -> None:
    ran = run_cli("status", tty=True, typed="yes\n")
    assert (ran.json["stdin"], ran.json["stdout"], ran.json["terminal"]) == (True, False, True)
    assert ran.json["read"] == "yes\n"
    assert ran.error["code"] == "refused"
    assert "yes" in ran.terminal  # a terminal shows what is typed on it


def test_a_body_from_a_pipe_leaves_the_terminal_to_be_asked() -> None:
    ran = run_cli("post", tty=True, stdin="body\n", typed="y\n")
    assert (ran.json["stdin"], ran.json["terminal"]) == (False, True)
    assert (ran.json["read"], ran.json["asked"]) == ("body\n", "y\n")


def test_the_screen_is_the_terminal_when_that_is_wanted() -> None:
    ran = run_cli("status", tty=True, typed="yes\n", screen=True)
    assert '"stdout": true' in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("tty", [False, True])
def test_a_command_that_does_not_end_fails_and_is_ended(tty: bool) -> None:
    with pytest.raises(AssertionError, match="still running"):
        run_cli("wait", tty=tty, timeout=0.2)
