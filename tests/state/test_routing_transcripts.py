"""Transcripts of hosts: what their lines prove together, by ids and never by time (S2, S11)."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from state.errors import BadInput
from state.routing import transcripts
from state.routing.transcripts import Transcript, read

BASE = "Base directory for this skill: /home/me/skills/docx\n\nbody"


def assistant(tool: str, name: str = "Skill", **given: Any) -> dict[str, Any]:
    part = {"type": "tool_use", "id": tool, "name": name, "input": given or {"skill": "docx"}}
    return {"type": "assistant", "uuid": f"a-{tool}", "message": {"content": [part]}}


def answer(tool: str, result: object = None, **more: Any) -> dict[str, Any]:
    part = {"type": "tool_result", "tool_use_id": tool, "content": "x", **more}
    line = {"type": "user", "uuid": f"u-{tool}", "message": {"role": "user", "content": [part]}}
    return line if result is None else {**line, "toolUseResult": result}


def typed(name: str = "docx", uuid: str = "u1", **more: Any) -> dict[str, Any]:
    text = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"
    return {"type": "user", "uuid": uuid, "message": {"content": text}, **more}


def meta(text: str = BASE, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"type": "user", "isMeta": True, "message": {"content": content}, **more}


def attached(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": "attachment", "attachment": {"type": kind, **more}}


def rollout(kind: str, **payload: Any) -> dict[str, Any]:
    return {"type": kind, "payload": payload}


def shell(call: str, command: str) -> dict[str, Any]:
    said = {"type": "function_call", "name": "exec_command", "call_id": call}
    return rollout("response_item", **said, arguments=json.dumps({"cmd": command}))


def output(call: str, text: object) -> dict[str, Any]:
    return rollout("response_item", type="function_call_output", call_id=call, output=text)


def in_rollout(text: str) -> dict[str, Any]:
    part = {"type": "input_text", "text": text}
    return rollout("response_item", type="message", role="user", content=[part])


@pytest.fixture
def taken(tmp_path: Path) -> Any:
    def take(*lines: dict[str, Any] | bytes) -> Transcript:
        path = tmp_path / "s1.jsonl"
        raw = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        path.write_bytes(b"".join(line + b"\n" for line in raw))
        return read(str(path), "/home/me")

    return take


def proved(found: Transcript) -> list[tuple[str, str | None]]:
    return [(one.seen.kind, one.seen.skill) for one in found.found]


META_ROLLOUT = rollout("session_meta", id="s9", cwd="/home/me/shop")
READ = "cat .agents/skills/docx/SKILL.md"
DONE = {"success": True, "commandName": "docx"}
UNKNOWN = "Error: Unknown skill: docx"


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([assistant("t1")], [("tool_use", "docx")]),
        ([assistant("t1"), answer("t1", DONE)], [("tool_result", "docx")]),
        ([answer("t1", DONE), assistant("t1")], [("tool_result", "docx")]),
        ([assistant("t1"), answer("t1", {**DONE, "status": "forked"})], [("tool_result", "docx")]),
        ([answer("t1", {**DONE, "status": "forked"})], [("tool_result", "docx")]),
        ([assistant("t1"), answer("t2", {"success": True})], [("tool_use", "docx")]),
        ([assistant("t1"), answer("t1")], [("tool_use", "docx")]),
        ([assistant("t1"), answer("t1", {"success": "yes"})], [("tool_use", "docx")]),
        ([assistant("t1"), answer("t1", {"success": False})], [("tool_failed", "docx")]),
        ([assistant("t1"), answer("t1", "no", is_error=True)], [("tool_failed", "docx")]),
        ([assistant("t1"), answer("t1", UNKNOWN, is_error=True)], [("unknown_skill", "docx")]),
        ([answer("t1", UNKNOWN, is_error=True)], [("unknown_skill", "docx")]),
        ([answer("t1", f"{UNKNOWN}. Did you", is_error=True)], [("unknown_skill", "docx")]),
        ([answer("t1", f"It said {UNKNOWN}", is_error=True)], []),
        ([answer("t1", UNKNOWN)], []),
        ([assistant("t1", "mcp__x", q="1"), answer("t1", DONE)], []),
        ([answer("t1", DONE), assistant("t1", "mcp__x", q="1")], []),
        ([typed()], [("command_line", "docx")]),
        ([typed(), meta(parentUuid="u1")], [("command_with_base", "docx")]),
        ([typed(promptId="p1"), meta(promptId="p1")], [("command_with_base", "docx")]),
        ([typed(promptId="p1"), meta(promptId="p2")], [("command_line", "docx")]),
        ([typed(), meta()], [("command_line", "docx")]),
        ([typed(), meta("a body", parentUuid="u1")], [("command_line", "docx")]),
        (
            [typed(promptId="p1"), meta(promptId="p1", sourceToolUseID="t1")],
            [("command_line", "docx")],
        ),
        ([typed("mcp")], []),
        ([typed("mcp"), meta(parentUuid="u1")], [("command_with_base", "mcp")]),
        ([typed("no:such"), {**attached("unknown_command_fallback"), "parentUuid": "u1"}], []),
        ([{"type": "user", "message": {"content": "see <command-name>/docx</command-name>"}}], []),
        ([{**assistant("t1", "Bash", command="ls"), "attributionSkill": "docx"}], []),
        ([attached("skill_listing", names=["docx", 7, "a b"])], [("skill_listing", "docx")]),
        ([attached("dynamic_skill", skillNames=["docx"])], [("dynamic_skill", "docx")]),
        ([attached("invoked_skills", skills=[{"name": "docx"}])], [("invoked_skills", "docx")]),
        (
            [assistant("t1", "Read", file_path="/s/docx/SKILL.md"), answer("t1")],
            [("file_read", None)],
        ),
        ([assistant("t1", "Read", file_path="/s/docx/SKILL.md")], []),
        (
            [assistant("t1", "Bash", command="cat /s/docx/SKILL.md"), answer("t1", is_error=True)],
            [],
        ),
    ],
)
def test_what_lines_of_claude_code_prove(
    taken: Any, lines: list[Any], expected: list[tuple[str, str]]
) -> None:
    # A line that proves nothing says whose transcript it is.
    found = taken({"type": "summary"}, *lines)
    assert (found.host, proved(found)) == ("claude-code", expected)


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([shell("c1", READ), output("c1", "text")], [("file_read", None)]),
        ([shell("c1", READ)], []),
        ([shell("c1", READ), output("c2", "text")], []),
        ([shell("c1", READ), output("c1", "Process exited with code 1\ntext")], []),
        ([shell("c1", READ), output("c1", '{"metadata":{"exit_code":2}}')], []),
        (
            [in_rollout("$docx please"), in_rollout("<skill>\n<name>docx</name>")],
            [("codex_injected", "docx")],
        ),
        ([in_rollout("<skill>\n<name>docx</name>")], []),
        ([in_rollout("$pdf"), in_rollout("<skill>\n<name>docx</name>")], []),
        ([rollout("event_msg", type="agent_message", message="I used $docx")], []),
        ([assistant("t1"), answer("t1", DONE)], []),
    ],
)
def test_what_lines_of_codex_prove(
    taken: Any, lines: list[Any], expected: list[tuple[str, str]]
) -> None:
    found = taken(META_ROLLOUT, *lines)
    assert (found.host, proved(found)) == ("codex", expected)
    assert {one.seen.session for one in found.found} <= {"s9"}


def test_what_codex_prints_of_a_run(taken: Any) -> None:
    ran = {"id": "i1", "type": "command_execution", "command": f"bash -lc 'cd /p && {READ}'"}
    lines = [
        {"type": "thread.started", "thread_id": "s9"},
        {"type": "item.started", "item": ran},
        {"type": "item.completed", "item": {**ran, "exit_code": 0}},
        {"type": "item.completed", "item": {**ran, "exit_code": 1}},
        {"type": "item.completed", "item": {**ran, "id": None, "exit_code": 0}},
    ]
    (one, unnamed) = taken(*lines).found
    assert one.seen.reads == ("/p/.agents/skills/docx/SKILL.md",)
    assert (one.seen.session, one.seen.tool_use) == ("s9", "i1")
    # Read again it is the same occasion.
    assert unnamed.seen.ids == (None, None, unnamed.place.id)


@pytest.mark.rule("S11")
def test_where_the_evidence_stands(taken: Any) -> None:
    lines = [assistant("t1"), {**answer("t1", DONE), "sessionId": "s2", "agentId": "ag1"}]
    found = taken(*lines, {**meta(), "sourceToolUseID": "t1"})
    (one,) = found.found
    raw = Path(found.path).read_bytes()
    line = raw.splitlines()[1]
    assert raw[one.place.offset :].startswith(line)
    assert one.place.sha256 == sha256(line).hexdigest()
    assert (found.bytes, found.sha256) == (len(raw), sha256(raw).hexdigest())
    assert (one.seen.session, one.seen.agent, one.seen.tool_use) == ("s2", "ag1", "t1")
    assert one.seen.base == "/home/me/skills/docx"


def test_what_cannot_be_read_is_counted(taken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "LINE_LIMIT", 2000)
    many = [f"skill-{number}" for number in range(70)]
    found = taken(
        b"\xff\xfe{",
        assistant("t1"),
        b"[1,2]",
        b"",
        b'{"type":"user","text":"' + b"x" * 9000 + b'"}',
        answer("t1", DONE),
        attached("skill_listing", names=many),
        assistant("t2", skill="a sentence, no name"),
        b'{"type":"assis',
    )
    assert (found.lines, found.unreadable, found.too_long) == (9, 3, 1)
    assert found.left_out == len(many) - 64 + 1
    assert proved(found)[0] == ("tool_result", "docx")
    assert found.sha256 == sha256(Path(found.path).read_bytes()).hexdigest()


@pytest.mark.rule("S16")
def test_a_line_without_any_id_goes_by_its_place(taken: Any) -> None:
    found = taken(assistant("t1"), attached("dynamic_skill", skillNames=["docx"]))
    listed = found.found[1]
    assert listed.seen.ids == (None, None, f"line@{listed.place.offset}")
    assert listed.seen.session == "s1"


def test_what_is_no_transcript(taken: Any, tmp_path: Path) -> None:
    assert taken({"hook_event_name": "Stop"}, b"text").host is None
    assert taken().host is None
    (tmp_path / "link").symlink_to(tmp_path / "s1.jsonl")
    for name in ("missing", ".", "link", "a\0b"):
        with pytest.raises(BadInput):
            read(str(tmp_path / name), "/home/me")
