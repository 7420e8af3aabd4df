"""`route` as the real command: suggestions, choices, receipts, layers and figures (S1-S17)."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from panel.cli.main import main
from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.routing.samples import samples
from tests.cli.conftest import Shop
from tests.state.routing_support import DEBUG, DOCX, PYTHON, profile, write_skill
from tests.support import ROOT, Result, run_cli

PROMPT = "mend the canary-4711 in my letter to the landlord"
PROFILES = ROOT / "benchmarks" / "profiles"


@pytest.fixture
def skilled(shop: Shop) -> Shop:
    """The shop with two skills of its own, and the router's index of them."""
    root = shop.folder / ".claude" / "skills"
    write_skill(root, "docx", {DOCX: 1000})
    write_skill(root, "fix", {DEBUG: 900, PYTHON: 500})
    assert here(shop, "route", "index")["entries"] == 2
    return shop


def here(shop: Shop, *words: str | Path, code: int = 0) -> Any:
    """The answer of a command that is run in this process, as the seat codex."""
    out = run_in_process(shop, *words)
    assert out.code == code, out.err
    return out.json if code == 0 else out.error


def run_in_process(shop: Shop, *words: str | Path) -> Result:
    class Stream(io.StringIO):
        def isatty(self) -> bool:
            return False

    out, err = Stream(), Stream()
    given = ["--project", str(shop.folder), "--as", "codex", "--json", *map(str, words)]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(given)
    return Result(code, out.getvalue(), err.getvalue())


def register(shop: Shop) -> tuple[str, str, str, str]:
    """The options by which the registered adapter names itself."""
    file = shop.folder / "adapter.py"
    file.write_text("print('adapter')")
    taken = take([str(file)])
    shop.run(Register("mini", taken, ("host:claude-code",)))
    return "--adapter", "mini", "--fingerprint", taken.fingerprint


def test_a_suggestion_on_the_command_line_explains_itself(skilled: Shop) -> None:
    shown = skilled.agent("route", "suggest", "--feature", DEBUG, "--request", "r1")
    assert shown.code == 0
    assert "r2: request r1 (shadow, offline)" in shown.out
    assert "1. fix  score" in shown.out
    assert f"{DEBUG}: weight 900" in shown.out
    assert f"{PYTHON}: in its profile, not asked for" in shown.out
    made = here(skilled, "route", "suggest", "--sample", "s-02")
    assert made["offline"] is True
    assert made["mode"] == "shadow"
    assert made["candidates"][0]["skill"] == "docx"
    assert len(made["request"]) == 16
    nothing = here(skilled, "route", "suggest", "--feature", "action.draw")
    named = [nothing[f"fallback_{name}"] for name in ("used", "target", "reason")]
    assert named == [True, "legacy_catalog", "low_confidence"]


def test_a_key_makes_a_suggestion_safe_to_repeat(skilled: Shop) -> None:
    words = ("route", "suggest", "--feature", DEBUG, "--key", "k1")
    first, again = here(skilled, *words), here(skilled, *words)
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert again["request"] == first["request"]


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    "words",
    [
        ("--feature", PROMPT),
        ("--sample", PROMPT),
        ("--feature", DEBUG, "--request", PROMPT),
        ("--feature", DEBUG, "--mode", PROMPT),
        ("--feature", DEBUG, f"--prompt={PROMPT}"),
        ("--feature", DEBUG, f"--prompt={PROMPT.replace(' ', '-')}"),
        (PROMPT,),
        (),
    ],
)
def test_a_prompt_is_refused_and_left_nowhere(skilled: Shop, words: tuple[str, ...]) -> None:
    before = skilled.log()
    result = skilled.agent("route", "suggest", *words, stdin=PROMPT)
    assert result.code in (2, 3)
    assert "canary" not in result.out + result.err
    assert skilled.log() == before
    places = [skilled.root, *map(Path, (os.environ["HOME"], os.environ["XDG_STATE_HOME"]))]
    held = [path for place in places for path in place.rglob("*") if path.is_file()]
    assert not any(b"canary" in path.read_bytes() for path in held)


@pytest.mark.rule("S5")
def test_live_is_refused_on_the_command_line(skilled: Shop) -> None:
    words = ("route", "suggest", "--feature", DEBUG, "--mode", "live")
    error = here(skilled, *words, code=3)
    assert error["rule"] == "S5"


@pytest.mark.rule("S1", "S2", "S10")
def test_a_request_from_suggestion_to_receipt(skilled: Shop, tmp_path: Path) -> None:
    by = register(skilled)
    asked = ("route", "suggest", "--feature", DEBUG, "--request", "r1", "--host", "claude-code")
    assert here(skilled, *asked, *by)["offline"] is False
    chosen = here(skilled, "route", "choose", "r1", "--host", "claude-code", "--skill", "docx", *by)
    assert chosen["source"] == "adapter:mini"
    before = here(skilled, "route", "show", "r1")
    assert {name: before[name]["state"] for name in ("suggestion", "choice", "invocation")} == {
        "suggestion": "suggested",
        "choice": "chosen",
        "invocation": "not_invoked",
    }
    assert before["invocation"]["said"] == "not invoked"
    assert before["profile"]["state"] == "not_promoted"
    document = {
        "schema": "routing-invocation-receipt-v1",
        "request": "r1",
        "host": "claude-code",
        "seat": "codex",
        "adapter": "mini",
        "fingerprint": by[3],
        "skill": "docx",
        "skill_sha256": "unresolved",
        "level": "confirmed",
        "at": "2026-11-30T10:00:00Z",
        "evidence": {
            "kind": "post_tool_use",
            "event": "PostToolUse",
            "session": "s1",
            "agent": None,
            "tool_use": "toolu_1",
        },
    }
    file = tmp_path / "receipt.json"
    file.write_text(json.dumps({**document, "request": "r9"}))
    kept = skilled.agent("route", "receipt", file, "--json")
    refused, error = json.loads(kept.out), json.loads(kept.err)["error"]
    assert (refused["state"], refused["reason"]) == ("refused", "unknown_request")
    assert (kept.code, error["rule"]) == (3, "S11")
    assert error["message"] == "it doesn't count: no such request is known"
    assert error["hint"]
    file.write_text(json.dumps(document))
    assert here(skilled, "route", "receipt", file)["state"] == "accepted"
    assert here(skilled, "route", "show", "r1")["invocation"]["state"] == "invoked"
    shown = skilled.agent("route", "show", "r1", seat=None).out
    for line in (
        "1 profile     docx: profiled (not promoted)",
        "2 suggestion  fix",
        "3 choice      docx (adapter:mini)",
        "4 invocation  invoked: docx",
    ):
        assert line in shown
    none = skilled.agent("route", "list", "--limit", "0", seat=None).out
    assert ("no request" in none, "there are more" in none) == (False, True)
    listed = here(skilled, "route", "list")["requests"]
    assert [row["request"] for row in listed] == ["r1", "r9"]
    table = skilled.agent("route", "list", seat=None).out
    assert "1 profile" in table
    assert "not invoked (1 refused)" in table
    (host,) = here(skilled, "route", "stats")["hosts"]
    assert host == {
        "host": "claude-code",
        "router": "router-1",
        "requests": 1,
        "compared": 1,
        "agreement": 0,
        "top_3": 0,
        "fallback": 0,
    }
    log = skilled.agent("journal", "log", seat=None).out
    assert "recorded that claude-code chose the skill docx for r1 (adapter:mini)" in log
    assert "a receipt of docx for r9, refused: no such request is known" in log


@pytest.mark.rule("S10", "S15")
def test_who_may_record_is_answered_on_the_command_line(skilled: Shop) -> None:
    choose = ("route", "choose", "r1", "--host", "claude-code")
    assert here(skilled, *choose, code=3)["rule"] == "S10"
    by = ("--adapter", "mini", "--fingerprint", "0" * 64)
    assert here(skilled, *choose, *by, code=3)["rule"] == "S15"
    assert here(skilled, "route", "choose", "r1", code=2)["field"] == "host"
    by_hand = skilled.user(*choose, "--skill", "docx", "--seat", "hermes")
    assert (by_hand.code, by_hand.err) == (0, "")
    assert "you recorded that claude-code chose the skill docx for r1 (by hand)" in by_hand.out
    assert here(skilled, "route", "show", "r1")["choice"]["source"] == "by hand"


@pytest.mark.rule("S17")
def test_the_samples_are_measured_without_a_project(tmp_path: Path) -> None:
    words = ("route", "stats", "--samples", "--profiles", PROFILES)
    result = run_cli(*words, "--json", cwd=tmp_path)
    assert result.code == 0
    figures = result.json
    assert figures["offline"] is True
    assert figures["entries"] == len(list(PROFILES.glob("*.json"))) == 64
    late = figures["late"]
    assert figures["samples"] + late["samples"] == len(samples())
    assert figures["fallback"] + figures["top_3"] <= figures["samples"]
    assert set(late) == {"samples", "fitting", "top_1", "top_3", "fallback", "rightly"}
    assert "offline" in run_cli(*words, cwd=tmp_path).out
    assert list(tmp_path.iterdir()) == []


def test_names_from_outside_do_nothing_to_a_terminal(skilled: Shop) -> None:
    by = register(skilled)
    hostile = "docx\u202e[red]\u200b"
    choose = ("route", "choose", "r1", "--host", "claude-code", "--skill", hostile, *by)
    assert here(skilled, *choose)["skill"] == hostile
    for words in (("route", "list"), ("route", "show", "r1"), ("journal", "log")):
        shown = skilled.agent(*words, seat=None)
        assert shown.code == 0
        assert "[red]" in shown.out
        assert not {"\u202e", "\u200b"} & set(shown.out)
    for bad in ("two\nlines", "esc\x1b[2J", ""):
        named = ("--host", "claude-code", "--skill", bad, *by)
        assert here(skilled, "route", "choose", "r1", *named, code=2)["field"] == "skill"


def test_what_is_wrong_is_said(skilled: Shop, tmp_path: Path) -> None:
    assert here(skilled, "route", "show", "r1", code=2)["code"] == "not_found"
    assert here(skilled, "route", "stats", "--profiles", tmp_path, code=2)["field"] == "profiles"
    samples_of = ("route", "stats", "--samples", "--profiles", tmp_path)
    assert here(skilled, *samples_of, code=2)["field"] == "profiles"
    assert here(skilled, "route", "receipt", tmp_path / "gone.json", code=2)["field"] == "file"
    odd = tmp_path / "odd.json"
    odd.write_text(json.dumps(profile("odd", {DEBUG: 5000})))
    assert "odd.json" in here(skilled, *samples_of, code=2)["message"]
    index = skilled.root / "cache" / "skill-index.json"
    index.write_bytes(index.read_bytes()[:-9])
    made = here(skilled, "route", "suggest", "--feature", DEBUG)
    assert made["fallback_reason"] == "index_damaged"
    assert here(skilled, "route", "stats", "--samples", code=2)["field"] == "index"
