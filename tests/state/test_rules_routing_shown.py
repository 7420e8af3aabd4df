"""S2, S11: what a receipt claims is looked at where the form of its host is known."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from state.routing import skills
from state.routing.evidence import fills
from tests.state.routing_support import BUILD, Desk, call, command, done, write_skill
from tests.state.world import World

TALK = (
    json.dumps({"type": "assistant", "message": {"content": [call("t1")]}}),
    done("t1"),
    json.dumps({"type": "user", "uuid": "u1", "message": {"content": command("docx")}}),
    json.dumps(
        {
            "type": "user",
            "isMeta": True,
            "parentUuid": "u1",
            "message": {"content": "Base directory for this skill: /home/me/skills/docx"},
        }
    ),
    json.dumps({"type": "user", "message": {"content": "t2 is said to be invoked: docx"}}),
    json.dumps(
        {
            "type": "user",
            "toolUseResult": "Error: Unknown skill: docx",
            "message": {
                "content": [{"type": "tool_result", "tool_use_id": "t2", "is_error": True}]
            },
        }
    ),
    json.dumps(
        {
            "hook_event_name": "PostToolUse",
            "session_id": "s1",
            "tool_name": "Skill",
            "tool_input": {"skill": "docx"},
            "tool_response": {"success": True},
            "tool_use_id": "t3",
        }
    ),
    json.dumps({"type": "user", "uuid": "u2", "message": {"content": command("docx")}}),
    json.dumps({"type": "attachment", "attachment": {"type": "skill_listing", "names": ["docx"]}}),
    json.dumps(
        {
            "type": "attachment",
            "parentUuid": "u2",
            "attachment": {"type": "unknown_command_fallback"},
        }
    ),
    json.dumps({"type": "assistant", "attributionSkill": "docx", "message": {"content": []}}),
)


@pytest.fixture
def desk(world: World, tmp_path: Path) -> Desk:
    made = Desk(world, tmp_path)
    made.register()
    made.choose("r1", "docx")
    return made


def kept(desk: Desk, **changes: Any) -> tuple[str, str | None]:
    op = desk.receipt("r1", **changes)
    return op["state"], op["reason"]


@pytest.mark.rule("S2", "S11")
@pytest.mark.parametrize(
    ("number", "changes", "expected"),
    [
        (0, {"kind": "tool_use", "tool_use": "t1"}, None),
        (1, {"tool_use": "t1"}, None),
        (1, {"tool_use": None}, None),
        (2, {"kind": "command_line", "tool_use": None}, None),
        (3, {"kind": "command_with_base", "tool_use": None}, None),
        (5, {"kind": "unknown_skill", "tool_use": "t2"}, None),
        (6, {"kind": "post_tool_use", "tool_use": "t3"}, None),
        (8, {"kind": "skill_listing", "tool_use": None}, None),
        # A call is no result, a failed result no use, a command that nobody knows no request.
        (0, {"tool_use": "t1"}, "shows_other"),
        (4, {"tool_use": "t2"}, "shows_other"),
        (5, {"tool_use": "t2"}, "shows_other"),
        (5, {"kind": "tool_use", "tool_use": "t2"}, "shows_other"),
        (2, {"kind": "command_with_base", "tool_use": None}, "shows_other"),
        (7, {"kind": "command_line", "tool_use": None}, "shows_other"),
        (8, {"tool_use": None}, "shows_other"),
        (10, {"tool_use": None}, "shows_other"),
        (6, {"tool_use": "t3"}, "shows_other"),
        (1, {"kind": "post_tool_use", "tool_use": "t1"}, "shows_other"),
    ],
)
def test_an_entry_has_to_show_what_its_receipt_says(
    desk: Desk, number: int, changes: dict[str, Any], expected: str | None
) -> None:
    path = desk.transcript(*TALK)
    evidence = desk.in_file(path, number, **changes)
    level = fills("claude-code", evidence["kind"]).level
    assert kept(desk, evidence=evidence, level=level)[1] == expected
    # However its adapter calls the host; of another skill it shows nothing.
    assert kept(desk, evidence=evidence, level=level, host="Claude Code 2")[1] == expected
    assert kept(desk, evidence=evidence, level=level, skill="pptx")[1] == "shows_other"
    # In whose form another host writes isn't known here: that is its adapter's word.
    assert kept(desk, evidence=evidence, level=level, host="hermes")[1] is None


@pytest.mark.rule("S11", "S16")
def test_an_entry_is_about_its_own_request_where_the_id_is_a_hosts(desk: Desk) -> None:
    path = desk.transcript(*TALK)
    entry = desk.in_file(path, 1, tool_use=None)
    logged = desk.in_file(path, 6, kind="post_tool_use", tool_use="t3")
    hook = desk.document("r1")["evidence"]
    reasons = {
        # What the file is called is its session, where no line says it.
        "claude-code:transcript:t1": (None, "other_request", "other_request"),
        "claude-code:transcript:t9": ("other_request", "other_request", "other_request"),
        "claude-code:s1:t3": ("other_request", None, None),
        "claude-code:s1:t4": ("other_request", "other_request", None),
        "claude-code:s2:t3": ("other_request", "other_request", "other_request"),
        "hermes:s2:t3": (None, None, None),
        "claude-code:two": (None, None, None),
    }
    for request, expected in reasons.items():
        desk.choose(request, "docx")
        given = (entry, logged, hook)
        told = tuple(desk.receipt(request, evidence=one)["reason"] for one in given)
        assert told == expected, request
    # However its adapter calls the host, the id is Claude Code's.
    named = {"host": "Claude Code 2", "evidence": entry}
    assert desk.receipt("claude-code:s2:t3", **named)["reason"] == "other_request"
    command = desk.in_file(path, 2, kind="command_line", tool_use=None)
    desk.choose("claude-code:transcript:u1", "docx")
    said = desk.receipt("claude-code:transcript:u1", evidence=command, level="requested")
    assert said["state"] == "accepted"


@pytest.mark.rule("S2", "S11")
def test_what_codex_read_is_looked_at_too(desk: Desk) -> None:
    folder = write_skill(desk.skills, "docx", {BUILD: 1})
    shell = {"type": "function_call", "name": "shell", "call_id": "c1"}
    given = json.dumps({"command": ["cat", f"{folder}/SKILL.md"]})
    answer = {"type": "function_call_output", "call_id": "c1", "output": "x"}
    path = desk.transcript(
        json.dumps({"type": "response_item", "payload": {**shell, "arguments": given}}),
        json.dumps({"type": "response_item", "payload": answer}),
    )
    said = {"host": "Codex CLI", "level": "file_read"}
    for number, expected in enumerate(("shows_other", None)):
        evidence = desk.in_file(path, number, kind="file_read", tool_use="c1")
        assert kept(desk, evidence=evidence, **said)[1] == expected
    assert kept(desk, evidence=evidence, **said, skill="pptx")[1] == "shows_other"
    assert kept(desk, evidence=evidence, host="openai-codex") == ("refused", "level_not_proved")


@pytest.mark.rule("S2", "S11")
def test_a_hook_event_has_to_be_one_that_can_show_it(desk: Desk) -> None:
    hook = desk.document("r1")["evidence"]
    assert kept(desk, evidence={**hook, "event": "Stop"}) == ("refused", "shows_other")
    assert kept(desk, evidence={**hook, "kind": "tool_result"}) == ("refused", "shows_other")
    assert kept(desk, evidence={**hook, "event": "after_tool"}, host="gemini")[0] == "accepted"
    preload = {**hook, "kind": "preload", "event": "SubagentStart"}
    assert kept(desk, evidence=preload, level="injected")[0] == "accepted"


@pytest.mark.rule("S11")
def test_whose_word_the_hash_of_a_skill_is(desk: Desk) -> None:
    def by(**changes: Any) -> str:
        return str(desk.receipt("r1", **changes)["skill_sha256_by"])

    assert by() == "program"
    assert by(skill_sha256="a" * 64) == "adapter"
    raw = (write_skill(desk.skills, "docx", {BUILD: 1}) / "SKILL.md").read_bytes()
    digest = sha256(raw).hexdigest()
    assert by(skill_sha256=digest) == "program"
    assert by() == "adapter"
    assert by(skill_sha256=digest, skill="pptx") == "adapter"
    assert (
        by(skill_sha256=digest, evidence=desk.in_file(desk.transcript(*TALK), 1, tool_use="t1"))
        == "program"
    )
    (event,) = desk.happened("r9", "file_read")
    assert event["skill_sha256_by"] == "program"


@pytest.mark.rule("S2")
def test_what_less_than_a_use_is_proved_of_a_skill_is_known_too(desk: Desk) -> None:
    desk.happened("r2", "skill_listing", skill="draw")
    desk.happened("r3", "file_read", skill="draw")
    with desk.world.look() as view:
        draw = skills.of_skill(view, "draw")
        assert [one.skill for one in skills.of_skills(view)] == ["docx", "draw"]
    assert (draw.chosen, draw.confirmed, draw.level, draw.uses) == (0, 0, "file_read", ())
    desk.happened("r4", "tool_failed", skill="draw")
    with desk.world.look() as view:
        assert skills.of_skill(view, "draw").level == "failed"
