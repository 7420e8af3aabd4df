"""`wake policy`: what it may hold, where it comes from, and what a copy makes of it (W1-W5)."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.wake.policy import LIMITS
from tests.cli.conftest import Shop
from tests.cli.wake_support import Desk, arm
from tests.support import Terminal, environment, program, run_cli


def refused(desk: Desk, text: str | bytes, field: str | None, *, says: str = "") -> None:
    """A file that is no policy, with the field that is wrong; nothing is written by it."""
    file = desk.folder / "policy.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = desk.user("wake", "policy", "set", "codex", "--from", file, "--json")
    assert (said.code, said.out) == (2, "")
    assert said.error["code"] == "bad_input"
    assert (said.error["field"], says in said.error["message"]) == (field, True), said.error


@pytest.mark.rule("W2")
def test_each_limit_has_an_option_its_range_and_its_meaning(desk: Desk, shop: Shop) -> None:
    before = shop.log()
    for limit in LIMITS:
        option = f"--{limit.name.replace('_', '-')}"
        for value in (limit.least - 1, limit.most + 1, 2**53 - 1):
            said = desk.user("wake", "policy", "set", "codex", f"{option}={value}", "--json")
            assert (said.code, said.error["code"]) == (2, "bad_input")
            if value >= 0:
                assert said.error["field"] == limit.name
        for odd in ("1.5", "x", "", "-1", str(2**64), "1e3", "true"):
            assert desk.user("wake", "policy", "set", "codex", f"{option}={odd}").code == 2
    assert shop.log() == before
    said = desk.user("wake", "policy", "set", "codex", "--maximum-wakes", "3")
    assert said.code == 0
    for limit in LIMITS:
        assert limit.name in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    found = desk.json("wake", "policy", "show", "codex", seat=None)
    assert (found["enabled"], found["policy"]["maximum_wakes"]) == (False, 3)
    defaults = {limit.name: limit.default for limit in LIMITS} | {"maximum_wakes": 3}
    assert {name: found["policy"][name] for name in defaults} == defaults


@pytest.mark.rule("W2", "W4")
def test_what_no_option_names_stays_as_it_is(desk: Desk, shop: Shop) -> None:
    file = desk.folder / "mini.py"
    file.write_text("run")
    shop.run(Register("mini", take((str(file),))))
    fingerprint = desk.json("adapter", "list", seat=None)["adapters"][0]["fingerprint"]

    def set_to(*words: str) -> Any:
        said = desk.user("wake", "policy", "set", "codex", *words, "--json")
        assert said.code == 0, said.err
        return said.json["policy"]

    words = ("--kinds", "task,note", "--sender", "hermes", "--urgency", "high")
    made = set_to(*words, "--addressing", "any", "--adapter", "mini", "--lease-seconds", "20")
    assert made["triggers"] == {
        "kinds": ["note", "task"],
        "senders": ["hermes"],
        "urgency": ["high"],
        "addressing": "any",
    }
    assert (made["adapter_id"], made["fingerprint"]) == ("mini", fingerprint)
    after = set_to("--maximum-wakes", "7", "--sender", "")
    assert after == made | {"maximum_wakes": 7, "triggers": made["triggers"] | {"senders": []}}
    assert "adapter_id" not in set_to("--intent-only")
    for odd in (["--adapter", "ghost"], ["--kinds", ""], ["--addressing", "some"]):
        assert desk.user("wake", "policy", "set", "codex", *odd).code == 2
    said = desk.user("wake", "policy", "set", "codex", "--intent-only", "--adapter", "mini")
    assert said.code == 2
    # The very same again is no change.
    assert desk.user("wake", "policy", "set", "codex").code == 3


@pytest.mark.rule("W3")
@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"argv": ["rm"]}', "argv"),
        ('{"command": "x"}', "command"),
        ('{"environment": {}}', "environment"),
        ('{"api_token": "x"}', "api_token"),
        ('{"password": "x"}', "password"),
        ('{"triggers": {"shell": "x"}}', "shell"),
        ('{"unknown": 1}', "unknown"),
        ('{"\\u001b[31m": 1}', "\x1b[31m"),
    ],
)
def test_nothing_else_is_taken_and_it_says_why(desk: Desk, text: str, field: str) -> None:
    says = "no field" if field in ("unknown", "\x1b[31m") else "never holds"
    refused(desk, text, field, says=says)


@pytest.mark.rule("W2", "W3")
def test_a_file_is_read_as_strictly_as_can_be(desk: Desk, shop: Shop) -> None:
    before = shop.log()
    refused(desk, '{"maximum_wakes": 1, "maximum_wakes": 2}', "maximum_wakes", says="twice")
    refused(desk, '{"maximum_wakes": 1.0}', "maximum_wakes", says="no whole number")
    refused(desk, '{"maximum_wakes": NaN}', "maximum_wakes", says="no whole number")
    refused(desk, '{"maximum_wakes": Infinity}', "maximum_wakes", says="no whole number")
    refused(desk, f'{{"maximum_wakes": {2**64}}}', "maximum_wakes", says="from 1 to 100")
    refused(desk, f'{{"maximum_wakes": {"9" * 5000}}}', "maximum_wakes")
    refused(desk, '{"maximum_wakes": "1"}', "maximum_wakes", says="whole number")
    refused(desk, '{"maximum_wakes": true}', "maximum_wakes", says="whole number")
    refused(desk, '{"maximum_wakes": null}', "maximum_wakes", says="whole number")
    refused(desk, '{"triggers": {"kinds": ["task", "\\ud800"]}}', "kinds")
    refused(desk, '{"triggers": {"senders": ["\\ud800"]}}', "senders")
    for depth in (33, 300, 30_000):
        refused(desk, '{"triggers": ' + "[" * depth + "]" * depth + "}", "from", says="deeper")
    refused(desk, b'{"seat": "\xff"}', "from", says="not UTF-8")
    refused(desk, "[1]", None, says="one JSON object")
    refused(desk, "", "from", says="not JSON")
    refused(desk, " " * (64 * 1024 + 1), "from", says="65,536")
    refused(desk, '{"project": "other"}', "project", says="another project")
    refused(desk, '{"seat": "hermes"}', "seat", says="another seat")
    refused(desk, '{"schema": "wake-policy-v2"}', "schema")
    for name in ("none.json", ".", "a\0b"):
        assert desk.user("wake", "policy", "set", "codex", "--from", name).code == 2
    assert shop.log() == before


@pytest.mark.rule("W5")
def test_a_file_is_read_once(desk: Desk) -> None:
    file = desk.folder / "policy.json"
    file.write_text('{"maximum_wakes": 2, "scan_interval_seconds": 5}')
    said = desk.user("wake", "policy", "set", "codex", "--from", file)
    assert said.code == 0
    before = desk.json("wake", "policy", "show", "codex", seat=None)
    assert before["policy"]["maximum_wakes"] == 2
    file.write_text('{"maximum_wakes": 99}')
    assert desk.json("wake", "policy", "show", "codex", seat=None) == before
    file.unlink()
    assert desk.json("wake", "policy", "show", "codex", seat=None) == before
    # What a file leaves out is the default, not what stood before.
    file.write_text("{}")
    assert desk.user("wake", "policy", "set", "codex", "--from", file).code == 0
    after = desk.json("wake", "policy", "show", "codex", seat=None)["policy"]
    assert (after["maximum_wakes"], after["scan_interval_seconds"]) == (10, 60)
    said = desk.user("wake", "policy", "set", "codex", "--from", file, "--maximum-wakes", "1")
    assert said.code == 2


@pytest.mark.rule("W5")
def test_a_copied_project_has_no_open_window(shop: Shop, desk: Desk, tmp_path: Path) -> None:
    arm(shop.folder)
    shop.post("codex", kind="task", title="one")
    assert desk.json("wake", "scan", seat=None)["seats"][0]["created"] == 1
    copy = tmp_path / "copy"
    shutil.copytree(shop.folder, copy)
    # As long as it isn't said what it is, nothing is shown to be agreed to.
    said = run_cli("wake", "resume", "codex", "--json", project=copy, tty=True, typed="y\n")
    assert (said.code, said.out, said.error["code"]) == (6, "", "moved_or_copied")
    assert run_cli("doctor", "--copy", project=copy, tty=True, typed="y\n").code == 0
    there = Desk(copy, desk.capsys)
    (window,) = there.json("wake", "list", seat=None)["windows"]
    assert (window["state"], window["deadline"]) == ("closed", None)
    assert there.json("wake", "show", "codex", seat=None)["intents"] == {"lapsed": 1}
    assert there.refused("wake", "claim")["code"] == "project_mismatch"
    assert there.json("wake", "scan", seat=None)["seats"] == []
    found = there.json("wake", "policy", "show", "codex", seat=None)
    assert found["of_this_project"] is False
    assert "another project" in there.say("wake", "policy", "show", "codex").out
    said = run_cli("wake", "arm", "codex", "--json", project=copy, tty=True, typed="y\n")
    assert (said.code, said.error["rule"]) == (3, "W5")
    # As the hint says: set again as it was, it is one of this project.
    assert there.user("wake", "policy", "set", "codex").code == 0
    assert there.json("wake", "policy", "show", "codex", seat=None)["of_this_project"] is True
    # The first one goes on.
    assert desk.json("wake", "list", seat=None)["windows"][0]["state"] == "active"


@pytest.mark.rule("W1", "W6")
def test_a_policy_is_the_users_alone_and_disabled_at_first(desk: Desk, shop: Shop) -> None:
    before = shop.log()
    for words in (["set", "codex"], ["enable", "codex"], ["disable", "codex"], ["set"]):
        for seat in ("codex", "hermes", "user"):
            error = desk.refused("wake", "policy", *words, seat=seat)
            assert (error["rule"], error["code"]) == ("W6", "refused")
    assert desk.user("wake", "policy", "set", "user", "--json").error["rule"] == "W6"
    assert desk.user("wake", "policy", "set", "ghost").code == 2
    assert desk.user("wake", "policy", "enable", "codex").code == 3
    assert shop.log() == before
    assert desk.user("wake", "policy", "set", "codex").code == 0
    said = shop.user("wake", "arm", "codex", "--json", typed="y\n")
    assert (said.code, said.error["rule"]) == (3, "W7")
    assert "enable" in said.error["hint"]
    shown = json.dumps(desk.json("wake", "list", seat=None))
    assert '"enabled": false' in shown


@pytest.mark.rule("W4")
def test_a_policy_that_another_set_meanwhile_is_not_overwritten(shop: Shop, desk: Desk) -> None:
    pipe = shop.folder / "policy.json"
    os.mkfifo(pipe)
    with Terminal() as terminal:
        line = program("--project", shop.folder, "wake", "policy", "set", "codex", "--from", pipe)
        process = terminal.start(line, cwd=shop.folder, env=environment())
        # It has looked at what there is, and waits for the file's bytes.
        with open(pipe, "w") as file:
            assert desk.user("wake", "policy", "set", "codex", "--hourly-quota", "9").code == 0
            file.write('{"maximum_wakes": 3}')
        code = process.wait(60)
        shown = terminal.rest().decode()
    assert (code, "policy:codex is at revision" in shown) == (4, True)
    stands = desk.json("wake", "policy", "show", "codex", seat=None)["policy"]
    assert (stands["maximum_wakes"], stands["hourly_quota"]) == (10, 9)
