"""`route receipt --transcript`: recorded for a registered host, once, with its place (S11)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from state.adapters.check import take_for
from state.adapters.commands import Register
from state.routing.transcripts import AT_ONCE
from tests.cli.conftest import Shop
from tests.cli.test_route import here
from tests.state.test_routing_transcripts import DONE, answer, assistant, attached, typed


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    lines = [
        assistant("t1"),
        answer("t1", DONE),
        typed("fix"),
        attached("skill_listing", names=[f"skill-{number}" for number in range(20)]),
    ]
    path = tmp_path / "s1.jsonl"
    raw = "".join(json.dumps({**line, "sessionId": "s1"}) + "\n" for line in lines)
    path.write_text(raw + "{cut")
    return path


def register(shop: Shop) -> None:
    adapter = "builtin:claude-code"
    shop.run(Register(adapter, take_for(adapter, ())))


@pytest.mark.rule("S15")
def test_nothing_is_taken_from_a_transcript_of_an_unregistered_host(
    shop: Shop, transcript: Path
) -> None:
    before = shop.log()
    error = here(shop, "route", "receipt", "--transcript", transcript, code=3)
    assert error["rule"] == "S15"
    assert "adapter register builtin:claude-code" in error["hint"]
    assert shop.log() == before


@pytest.mark.rule("S2", "S10", "S11")
def test_uses_are_found_after_the_fact(shop: Shop, transcript: Path) -> None:
    register(shop)
    found = here(shop, "route", "receipt", "--transcript", transcript)
    assert (found["host"], found["lines"], found["unreadable"]) == ("claude-code", 5, 1)
    assert (found["found"], found["recorded"]) == (22, 22)
    assert [(one["skill"], one["level"]) for one in found["events"][:3]] == [
        ("docx", "confirmed"),
        ("fix", "requested"),
        ("skill-0", "offered"),
    ]
    shown = here(shop, "route", "show", "claude-code:s1:t1")
    assert (shown["choice"]["source"], shown["invocation"]["state"]) == ("transcript", "invoked")
    (receipt,) = shown["invocation"]["receipts"]
    assert receipt["recorded"]["locator"]["file"] == str(transcript)
    assert receipt["recorded"]["locator"]["offset"] == found["events"][0]["offset"]
    assert receipt["recorded"]["file_sha256"] == found["sha256"]
    again = here(shop, "route", "receipt", "--transcript", transcript)
    assert (again["found"], again["recorded"], again["rev"]) == (22, 0, None)


def test_a_person_reads_it_for_a_seat(shop: Shop, transcript: Path) -> None:
    register(shop)
    said = shop.user("route", "receipt", "--transcript", transcript, "--seat", "hermes")
    assert said.code == 0
    assert "docx: invoked (claude-code:s1:t1)" in said.out
    assert "1 line could not be read" in said.out
    assert here(shop, "route", "show", "claude-code:s1:t1")["seat"] == "hermes"
    error = here(shop, "route", "receipt", "--transcript", transcript, "--seat", "hermes", code=3)
    assert error["rule"] == "S10"
    (transcript.parent / "text").write_text("just a text")
    assert here(shop, "route", "receipt", "--transcript", transcript.parent / "text", code=2)


def test_what_many_lines_say_alike_is_recorded_once(shop: Shop, tmp_path: Path) -> None:
    shop.run(Register("builtin:codex", take_for("builtin:codex", ())))
    text = {"type": "input_text", "text": "<skill>\n<name>fix</name>\n</skill>"}
    message = {"type": "message", "role": "user", "content": [text]}
    lines = [
        {"type": "turn_context", "payload": {"turn_id": "turn-1"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "use $fix"}},
        *({"type": "response_item", "payload": message} for _ in range(AT_ONCE + 1)),
    ]
    path = tmp_path / "rollout.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = here(shop, "route", "receipt", "--transcript", path)
    (event,) = found["events"]
    assert (event["request"], event["level"]) == ("codex:rollout:turn-1", "injected")
    assert (found["recorded"], found["rev"]) == (1, 3)
