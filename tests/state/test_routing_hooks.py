"""One event of a host, as the table of evidence counts it, and no more (S2, S16)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from state.routing.evidence import fills
from state.routing.hooks import event
from state.routing.hooks.event import Reading, read
from state.routing.hooks.shell import files_of
from state.routing.requests import of_event
from state.routing.shipped import shipped
from tests.support import ROOT

HOME = "/home/me"
MADE = shipped("hook_events")


def given(name: str, **fields: Any) -> bytes:
    common = {"session_id": "s1", "prompt_id": "p1", "cwd": "/home/me/shop"}
    return json.dumps({"hook_event_name": name, **common, **fields}).encode()


def skill_tool(name: str, **fields: Any) -> bytes:
    named = {"tool_name": "Skill", "tool_input": {"skill": "docx", "args": "x"}}
    return given(name, **named, tool_use_id="toolu_1", **fields)


def typed(**fields: Any) -> bytes:
    named = {"expansion_type": "slash_command", "command_name": "docx", "command_args": "x"}
    return given("UserPromptExpansion", **named | fields)


def filled(host: str, raw: bytes) -> tuple[str | None, str | None, str | None]:
    """Skill, who chose, level."""
    seen = read(host, raw, HOME).seen
    if seen is None:
        return None, None, None
    one = fills(host, seen.kind)
    return seen.skill, one.chosen_by, one.level


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (skill_tool("PreToolUse"), ("docx", "host", "requested")),
        (skill_tool("PostToolUse", tool_response={"success": True}), ("docx", "host", "confirmed")),
        (skill_tool("PostToolUse", tool_response={"success": False}), ("docx", "host", "failed")),
        (skill_tool("PostToolUse", tool_response={"is_error": True}), ("docx", "host", "failed")),
        (typed(), ("docx", "person", "requested")),
        (
            typed(command_name="mcp", command_source="projectSettings"),
            ("mcp", "person", "requested"),
        ),
    ],
)
def test_what_an_event_proves(raw: bytes, expected: tuple[str, str, str]) -> None:
    assert filled("claude-code", raw) == expected


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    "raw",
    [
        skill_tool("PostToolUse"),
        skill_tool("PostToolUse", tool_response="done, it ran"),
        skill_tool("PostToolUse", tool_response={"success": "true"}),
        skill_tool("PostToolUse", tool_response={"success": 1}),
        skill_tool("PostToolUseFailure"),
        typed(command_name="mcp"),
        typed(expansion_type="mcp_prompt"),
        given("Stop", last_assistant_message="I used the skill docx"),
        given("SubagentStop", stop_hook_active=True),
        given("SessionStart", source="compact"),
        given("UserPromptSubmit", prompt="/docx please"),
        given("Notification", notification_type="agent_completed"),
        given("PreToolUse", tool_name="Read", tool_input={"file_path": "/s/docx/SKILL.md"}),
        given("PostToolUse", tool_name="Write", tool_input={"file_path": "/s/docx/SKILL.md"}),
        given("PostToolUse", tool_name="Read", tool_input={"file_path": ["/s/docx/SKILL.md"]}),
    ],
)
def test_what_proves_nothing_is_nothing(raw: bytes) -> None:
    found = read("claude-code", raw, HOME)
    assert (found.seen, found.note) == (None, None)


@pytest.mark.rule("S2")
def test_codex_has_no_tool_for_skills() -> None:
    done = {"tool_response": {"success": True}}
    for raw in (skill_tool("PreToolUse"), skill_tool("PostToolUse", **done), typed()):
        assert read("codex", raw, HOME).seen is None
    run = {"tool_name": "Bash", "tool_input": {"command": "cat .agents/skills/docx/SKILL.md"}}
    seen = read("codex", given("PostToolUse", **run, tool_use_id="c1"), HOME).seen
    assert seen is not None
    assert (seen.kind, seen.reads) == (
        "file_read",
        ("/home/me/shop/.agents/skills/docx/SKILL.md",),
    )
    failed = given("PostToolUse", **run, tool_response={"exit_code": 1})
    assert read("codex", failed, HOME).seen is None
    assert read("codex", given("PreToolUse", **run), HOME).seen is None


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("cat a/SKILL.md", ["/p/a/SKILL.md"]),
        (["bash", "-lc", "cd sub && sed -n 1,9p a/SKILL.md | head"], ["/p/sub/a/SKILL.md"]),
        (
            "head ~/b/SKILL.md 2>/dev/null; cat < c/SKILL.md",
            ["/home/me/b/SKILL.md", "/p/c/SKILL.md"],
        ),
        ("true\ntail a/SKILL.md # cat b/SKILL.md", ["/p/a/SKILL.md"]),
        ("python3 -u skills/x/scripts/run.py --in q", ["/p/skills/x/scripts/run.py"]),
        ("A=1 ./x/scripts/go.sh", ["/p/x/scripts/go.sh"]),
        ("echo 'cat a/SKILL.md'", []),
        ("cat > a/SKILL.md <<EOF\ncat b/SKILL.md\nEOF", []),
        ("sed -i s/x/y/ a/SKILL.md", []),
        ("true || cat a/SKILL.md", []),
        # Only what is sure to have run, given that the whole succeeded.
        ("make && cat a/SKILL.md", ["/p/a/SKILL.md"]),
        ("make && cat a/SKILL.md | head && ls\n", ["/p/a/SKILL.md"]),
        ("cat a/SKILL.md && false; true", ["/p/a/SKILL.md"]),
        ("cd sub && cat a/SKILL.md; ls", ["/p/sub/a/SKILL.md"]),
        ("make || exit 1; cat a/SKILL.md", ["/p/a/SKILL.md"]),
        ("x=$(cat a/SKILL.md); ls", ["/p/a/SKILL.md"]),
        ("false && cat a/SKILL.md; true", []),
        ("false && cat a/SKILL.md || true", []),
        ("false && (cat a/SKILL.md) ; true", []),
        ("false && cat a/SKILL.md & ", []),
        ("tail a/SKILL.md & ", ["/p/a/SKILL.md"]),
        ("make && cd sub; cat a/SKILL.md", []),
        ("exit 0; cat a/SKILL.md", []),
        ("if false; then\ncat a/SKILL.md\nfi", []),
        ("for x in; do cat a/SKILL.md; cat b/SKILL.md; done", []),
        ("f() { ls; cat a/SKILL.md; }", []),
        ("cd $X && cat a/SKILL.md", []),
        ("cat 'a/SKILL.md", []),
        ("rm a/SKILL.md", []),
        (["cat", 7, "a/SKILL.md"], []),
        ({"cat": "a/SKILL.md"}, []),
    ],
)
def test_what_a_command_reads_of_a_skill(command: object, found: list[str]) -> None:
    assert list(files_of(command, "/p", HOME)) == found


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (b"", "bad_input"),
        (skill_tool("PreToolUse")[:-9], "bad_input"),
        (b"not json", "bad_input"),
        (b"[" * 100_000, "bad_input"),
        (b'["PreToolUse"]', "bad_input"),
        (b'{"hook_event_name":7}', "bad_input"),
        (b"\xff\xfe\x00", "bad_input"),
        (given("SomethingNew"), "unknown_event"),
        (given("PreToolUse", tool_name="Skill", tool_input={"skill": "please do it"}), "unnamed"),
        (given("PreToolUse", tool_name="Skill", tool_input="docx"), "unnamed"),
        (b" " * (event.LIMIT + 1), "too_large"),
    ],
)
def test_what_cannot_be_taken_is_a_note(raw: bytes, note: str) -> None:
    assert read("claude-code", raw, HOME) == Reading(
        note=note, event="PreToolUse" if note == "unnamed" else ""
    )


def test_other_fields_and_types_are_passed_over() -> None:
    odd = {"session_id": 7, "agent_id": ["a"], "prompt_id": None, "new": {"deep": [1, {}]}}
    raw = skill_tool("PreToolUse").replace(b'"session_id": "s1", ', b"")
    seen = read("claude-code", json.dumps({**json.loads(raw), **odd}).encode(), HOME).seen
    assert seen is not None
    assert (seen.skill, seen.session, seen.agent, seen.prompt) == ("docx", None, None, None)
    cut = skill_tool("PostToolUse", tool_response={"success": True, "text": "\ud83d"})
    assert filled("claude-code", cut)[2] == "confirmed"


def test_a_large_event_is_read_up_to_a_limit() -> None:
    answer = {"success": True, "text": "x" * (event.LIMIT - 1000)}
    raw = skill_tool("PostToolUse", tool_response=answer)
    assert filled("claude-code", raw)[2] == "confirmed"
    assert read("claude-code", raw * 4, HOME).note == "too_large"


@pytest.mark.rule("S16")
def test_the_request_of_an_event() -> None:
    def request(raw: bytes) -> str | None:
        seen = read("claude-code", raw, HOME).seen
        assert seen is not None
        return of_event("claude-code", seen.session, *seen.ids)

    asked = request(skill_tool("PreToolUse"))
    done = request(skill_tool("PostToolUse", tool_response={"success": True}))
    assert asked == done == "claude-code:s1:toolu_1"
    assert request(typed()) == "claude-code:s1:p1"
    assert request(typed(prompt_id="a sentence, no id", uuid="u1")) == "claude-code:s1:u1"


@pytest.mark.rule("S2")
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_the_shipped_events_prove_what_they_are_to_prove(host: str) -> None:
    from state.routing.hook_check import of_shipped

    found = of_shipped(host, HOME)
    assert len(found.pieces) == len(MADE[host])
    assert [piece.what for piece in found.pieces if not piece.as_expected] == []
    assert found.is_sound
    levels = {piece.fills.level for piece in found.pieces}
    assert ("confirmed" in levels) is (host == "claude-code")


def test_the_readers_import_nothing_of_the_project() -> None:
    """The adapters' fingerprint goes over them: what they say must depend on them alone."""
    allowed = ("state.routing.hooks", "state.paths", "orjson")
    folder = ROOT / "state" / "routing" / "hooks"
    for path in folder.glob("*.py"):
        for line in path.read_text().splitlines():
            if line.startswith(("from state", "import state")):
                assert line.split()[1].startswith(allowed), f"{path.name}: {line}"
