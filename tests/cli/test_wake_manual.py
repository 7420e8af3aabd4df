"""`docs/adapters.md`: what it says is so, and its worked example works as it is printed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.wake.gate import CODES
from tests.cli.conftest import Shop
from tests.cli.wake_support import Desk, arm
from tests.support import ROOT, environment

# It answers what isn't titled "fail", for which it ends with 7.
AGENT = """#!/bin/sh
task=$(cat)
[ "$(printf %s "$task" | jq -r .title)" = fail ] && exit 7
sublation-panel post user --reply-to "$(printf %s "$task" | jq -r .id)" --body "I looked at it"
"""


def manual() -> str:
    return (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")


def write_program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.rule("W16", "W19")
def test_the_manual_names_every_refusal() -> None:
    text = manual()
    codes = [*CODES, "unknown_lease", "not_the_holder", "lease_over", "exit_code", "no_evidence"]
    codes += ["no_such_message", "not_by_the_seat", "no_reply", "before_the_claim", "unfit_file"]
    assert [code for code in (*codes, "no_lease_id") if f"`{code}`" not in text] == []


@pytest.mark.skipif(shutil.which("jq") is None, reason="no jq here")
def test_the_worked_example_answers_proves_it_and_ends_when_it_is_refused(
    shop: Shop, desk: Desk, tmp_path: Path
) -> None:
    (example,) = re.findall(r"```sh\n(#!/bin/sh\n.*?)```", manual(), re.DOTALL)
    programs = tmp_path / "bin"
    programs.mkdir()
    write_program(programs / "sublation-panel", f'#!/bin/sh\nexec {sys.executable} -m panel "$@"\n')
    write_program(programs / "my-agent", AGENT)
    mini = shop.folder / "mini"
    write_program(mini, example)
    files = take((str(mini),))
    shop.run(Register("mini", files))
    arm(shop.folder, adapter_id="mini", fingerprint=files.fingerprint, maximum_attempts=1)
    good = shop.post("codex", kind="task", title="look")
    bad = shop.post("codex", kind="task", title="fail")
    desk.json("wake", "scan", seat=None)
    env = environment({"SUBLATION_PROJECT": str(shop.folder), "SUBLATION_SEAT": "codex"})
    ran = subprocess.run(
        [mini, files.fingerprint],
        cwd=tmp_path,
        env={**env, "PATH": f"{programs}:{env['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, "window_hold" in ran.stderr) == (1, True), ran
    found = desk.json("wake", "explain", "codex", seat=None)["messages"]
    outcomes = {one["message"]: one["outcome"] for one in found}
    assert outcomes == {good: "sent_and_verified", bad: "terminal_hold"}
    assert "failed, exit code 7" in desk.say("wake", "show", "codex").out
