"""`wake` as people and scripts see it: lists, one seat, why or why not, dry runs (W23-W27, W31)."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from state.journal.doorbell import Doorbell
from tests.cli.conftest import Shop
from tests.cli.test_completion import complete
from tests.cli.wake_support import Desk, arm, command, everything, started
from tests.support import ROOT, Terminal, environment, program, run_cli

BAD = "[/b] \x1b]52;c;x\x07 \u202e[@click=app.quit]x[/] 日本語"
# What no intent, lease or window proves.
NEVER = re.compile(r"\b(online|running|participating|invoked|delivered|ran)\b|✓")


@pytest.mark.rule("W23")
def test_a_dry_run_writes_no_byte(shop: Shop, desk: Desk) -> None:
    desk.clock.stop()
    arm(shop.folder)
    arm(shop.folder, "hermes", hourly_quota=1)
    first = shop.post("codex", "hermes", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    desk.json("wake", "claim", seat="hermes")
    second = shop.post("codex", kind="note", title="two")
    desk.json("wake", "list", seat=None)
    before = everything(shop.root)
    found = desk.json("wake", "scan", "--dry-run", seat=None)
    assert found["dry_run"] is True
    codex, hermes = found["seats"]
    assert (codex["seat"], codex["created"], codex["passed"]) == ("codex", 0, {"kind": 1})
    assert codex["would_write"] == ["seat_scanned"]
    assert (codex["claim"]["message"], codex["claim"]["attempt"]) == (first, 1)
    assert (hermes["would_write"], hermes["claim"]["code"]) == ([], "seat_busy")
    assert hermes["claim"]["retry_after"] == 300
    said = desk.say("wake", "scan", "--dry-run", seat=None).out
    assert "nothing was written" in said
    assert "(seat_busy)" in said
    claim = desk.json("wake", "claim", "--dry-run")
    assert (claim["dry_run"], claim["message"], claim["lease"]) == (True, first, None)
    assert desk.refused("wake", "claim", "--dry-run", seat="hermes")["code"] == "seat_busy"
    desk.clock.move(hours=1)
    closing = desk.json("wake", "scan", "--dry-run", seat=None)["seats"][0]
    assert closing["would_write"][0] == "window_draining"
    assert everything(shop.root) == before
    # What it said is what a scan does.
    done = desk.json("wake", "scan", seat=None)["seats"][0]
    assert (done["window"], closing["window"]) == ("closed", "closed")
    outcomes = {
        one["message"]: one["outcome"] for one in desk.json("wake", "explain", "codex")["messages"]
    }
    assert outcomes == {first: "lapsed", second: "draining"}


@pytest.mark.rule("W23", "W27")
def test_reading_writes_nothing_and_tells_the_time(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    lease = desk.json("wake", "claim")["lease"]
    before = shop.everything()
    desk.clock.move(minutes=31)
    for form in ([], ["--json"]):
        for words in (
            ["list"],
            ["show", "codex"],
            ["explain", "codex"],
            ["policy", "show", "codex"],
        ):
            assert desk.say("wake", *words, *form, seat=None).code == 0
        assert desk.say("wake", "intent", "list", *form, seat=None).code == 0
    shown = desk.json("wake", "show", "codex", seat=None)
    # `closed` is said only once the closing receipt stands.
    assert (shown["window"]["state"], shown["window"]["reason"]) == ("draining", "deadline")
    assert [(one["lease"], one["over"]) for one in shown["leases"]] == [(lease, "expired")]
    assert shown["closing"] is None
    assert shop.everything() == before
    assert desk.json("wake", "scan", seat=None)["seats"][0]["window"] == "closed"
    closing = desk.json("wake", "show", "codex", seat=None)["closing"]
    assert (closing["reason"], closing["wakes"]) == ("deadline", 1)


@pytest.mark.rule("W31")
def test_an_armed_window_that_nobody_scans_says_so(shop: Shop, desk: Desk) -> None:
    desk.clock.stop()
    arm(shop.folder, scan_interval_seconds=60)

    def shown() -> tuple[bool | None, str]:
        (window,) = desk.json("wake", "list", seat=None)["windows"]
        return window["nobody_scans"], desk.say("wake", "list", seat=None).out

    assert shown()[0] is False
    desk.json("wake", "scan", seat=None)
    desk.clock.move(seconds=179)
    assert shown()[0] is False
    desk.clock.move(seconds=2)
    nobody, text = shown()
    assert (nobody, "armed, nobody scans: wake run" in text) == (True, True)
    assert "nobody scans" in desk.say("wake", "show", "codex", seat=None).out
    desk.json("wake", "scan", seat=None)
    assert shown()[0] is False
    desk.clock.move(seconds=181)
    (shop.root / "cache" / "scanned" / "codex").unlink()
    nobody, text = shown()
    assert (nobody, "last scan not known" in text) == (None, True)


@pytest.mark.rule("W13")
def test_in_a_journal_that_does_not_verify_each_window_is_on_hold(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    shop.post("codex", kind="task", title="one")
    desk.json("wake", "scan", seat=None)
    log = next((shop.root / "log").iterdir())
    data = bytearray(log.read_bytes())
    data[-20] ^= 1
    log.write_bytes(data)
    said = desk.say("wake", "list", "--json", seat=None)
    (window,) = said.json["windows"]
    assert (said.code, window["state"], window["reason"]) == (6, "hold", "damaged")
    for words in (["claim"], ["claim", "--dry-run"], ["scan"], ["scan", "--dry-run"], ["run"]):
        assert desk.say("wake", *words, "--json").code == 6


@pytest.mark.rule("W24", "W25", "W26")
def test_a_whole_round_in_words(shop: Shop, desk: Desk) -> None:
    """Each thing that is said of it at 80 cells, and nothing that nobody knows."""
    desk.clock.stop()
    texts = []

    def say(*words: str, seat: str | None = None) -> str:
        said = desk.say("wake", *words, seat=seat)
        texts.append(said.out + said.err)
        return said.out

    assert "no seat has a wake policy" in say("list")
    say("show", "codex")
    say("explain", "codex")
    say("scan")
    say("run")
    say("intent", "list")
    arm(shop.folder, maximum_attempts=1)
    armed = say("show", "codex")
    for part in ("◐ active (armed)", "wakes 0/10", "quiet cycles 0/3", "quota 6 of 6", "cooldown"):
        assert part in armed
    number = shop.post("codex", kind="task", title=BAD)
    say("scan")
    lease = desk.json("wake", "claim")["lease"]
    assert "held by codex: 05:00 left" in say("show", "codex")
    assert "hint: in 300 s; " in desk.say("wake", "claim").err
    shop.post("codex", title="only a note")
    asked = shop.post("user", seat="codex", title="which?")
    shop.post("codex", title="", body="The first.", kind="reply", reply_to=asked)
    assert f"re #{asked} “The first.”" in say("explain", "codex")
    assert "passed over: 2 not a kind that the policy selects" in say("scan")
    say("receipt", lease, "--outcome", "failed", "--exit-code", "3", seat="codex")
    held = say("list")
    assert "■ hold" in held
    assert "an intent used up its attempts" in held
    assert "hint: the user resumes it" in desk.say("wake", "claim").err
    say("show", "codex")
    (intent,) = desk.json("wake", "intent", "list", seat=None)["intents"]
    assert intent["title"] == BAD
    assert desk.user("wake", "intent", "dismiss", intent["intent"], "--reason", BAD).code == 0
    say("explain", "codex")
    say("intent", "list")
    assert say("intent", "list", "--limit", "0").endswith("there are more: --limit N\n")
    assert f"dismissed: #{number}" in say("drain", "codex", seat="user")
    closed = say("show", "codex")
    assert f"dismissed: #{number}" in closed
    assert "the last window" in closed
    for text in texts:
        assert not NEVER.search(text), text
        assert "\x1b" not in text
        assert "\u202e" not in text
    found = desk.json("wake", "explain", "codex", seat=None)["messages"][-1]
    assert (found["outcome"], found["reason"], found["title"]) == ("dismissed", BAD, BAD)


def test_each_line_fits_a_terminal_of_80(shop: Shop, desk: Desk) -> None:
    arm(shop.folder)
    shop.post("codex", kind="question", title=BAD + "x" * 100)
    desk.json("wake", "scan", seat=None)
    desk.json("wake", "claim")
    for words in (["list"], ["show", "codex"], ["explain", "codex"], ["intent", "list"]):
        with Terminal(80, 24) as terminal:
            line = program("--project", shop.folder, "wake", *words)
            process = terminal.start(line, cwd=shop.folder, env=environment({"NO_COLOR": "1"}))
            assert process.wait(60) == 0
            shown = terminal.rest().decode()
        lines = shown.replace("\r\n", "\n").split("\n")
        assert max(map(len, lines)) <= 80, words
        assert "\x1b" not in shown


def test_a_signal_breaks_into_nothing_that_run_does(
    shop: Shop, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []

    class Bell(Doorbell):
        def wait(self, seconds: float) -> bool:
            steps.append("begun")
            os.kill(os.getpid(), signal.SIGTERM)
            steps.append("done")
            return False

    monkeypatch.setattr("state.journal.doorbell.Doorbell", Bell)
    arm(shop.folder)
    assert desk.say("wake", "run", seat=None).code == 0
    assert steps == ["begun", "done"]


@pytest.mark.rule("W10", "W12")
def test_run_ends_by_itself_with_the_last_window(shop: Shop, desk: Desk) -> None:
    before = signal.getsignal(signal.SIGINT)
    said = desk.say("wake", "run", seat=None)
    assert (said.code, "no window is open" in said.out) == (0, True)
    assert signal.getsignal(signal.SIGINT) is before
    arm(shop.folder)
    arm(shop.folder, "hermes")
    with started(command(shop, "wake", "run", "--json", seat=None)) as scanner:
        assert scanner.stdout is not None
        first = [json.loads(scanner.stdout.readline())["seat"] for _ in range(2)]
        assert first == ["codex", "hermes"]
        assert desk.say("wake", "drain", "codex", seat="user").code == 0
        one = json.loads(scanner.stdout.readline())
        assert (one["seat"], one["window"]) == ("codex", "closed")
        assert desk.say("wake", "drain", "hermes", seat="user").code == 0
        out, err = scanner.communicate(timeout=60)
    assert (scanner.returncode, err) == (0, "")
    assert [json.loads(line)["window"] for line in out.splitlines()] == ["closed"]


def test_the_fields_that_are_promised(shop: Shop, desk: Desk) -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    arm(shop.folder)
    shop.post("codex", kind="task", title="one")

    def named(value: Any) -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                assert f"`{name}`" in text, name
                if name not in ("policy", "closing", "intents", "passed", "evidence"):
                    named(inner)
        elif isinstance(value, list):
            for inner in value:
                named(inner)

    named(desk.json("wake", "scan", "--dry-run", seat=None))
    named(desk.json("wake", "scan", seat=None))
    lease = desk.json("wake", "claim")
    named(lease)
    named(desk.json("wake", "renew", lease["lease"]))
    for words in (["list"], ["show", "codex"], ["explain", "codex"], ["policy", "show", "codex"]):
        named(desk.json("wake", *words, seat=None))
    named(desk.json("wake", "intent", "list", seat=None))
    named(desk.json("wake", "receipt", lease["lease"], "--outcome", "timeout"))
    named(desk.json("wake", "hold", "codex", seat="user"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_a_group_in_a_group_is_found_and_completed(shop: Shop, desk: Desk, tmp_path: Path) -> None:
    assert "policy set SEAT" in desk.say("wake", "--help").out
    assert desk.say("wake", "policy", "set", "--help").out.startswith("usage: sublation-panel wake")
    said = desk.say("wake", "policy", "sett")
    assert (said.code, "did you mean set?" in said.err) == (2, True)
    said = desk.say("wake", "intent")
    assert (said.code, "one of: list, retry, dismiss" in said.err) == (2, True)
    script = run_cli("completion", "bash").out

    def offered(line: str) -> set[str]:
        return complete(shop, script, f"sublation-panel {line}", tmp_path)

    assert {"list", "policy", "claim", "intent"} <= offered("wake ")
    assert offered("wake policy e") == {"enable"}
    assert offered("wake policy set co") == {"codex"}
    assert offered("wake hold he") == {"hermes"}
    assert offered("wake receipt x --outc") == {"--outcome"}
