"""One hook event of Claude Code, as the table of evidence counts it, and no more (S2)."""

from typing import Any

from state.routing.hooks.commands import OF_CLAUDE_CODE
from state.routing.hooks.seen import Seen, fields, ident, skill
from state.routing.hooks.shell import files_of

SKILL_TOOL = "Skill"
# Whoever wrote the command, it is not the host itself.
SOURCES_OF_SKILLS = ("projectSettings", "userSettings", "localSettings", "plugin")


def seen(event: dict[str, Any], home: str) -> Seen | None:
    """What an event proves; None when it proves nothing."""
    name = event.get("hook_event_name")
    if name == "UserPromptExpansion":
        return _expansion(event)
    if name == "PreToolUse":
        return _asked(event)
    return _done(event, home) if name == "PostToolUse" else None


def is_unnamed(event: dict[str, Any]) -> bool:
    """Whether a skill was asked for whose name has not the form of one."""
    is_of_skills = event.get("tool_name") == SKILL_TOOL
    return is_of_skills and skill(fields(event.get("tool_input")).get("skill")) is None


def files_read(tool: object, given: dict[str, Any], cwd: object, home: str) -> tuple[str, ...]:
    """What Read or Bash went for, as far as it could belong to a skill."""
    if tool == "Read":
        path = given.get("file_path")
        return files_of(["cat", path], cwd, home) if isinstance(path, str) else ()
    return files_of(given.get("command"), cwd, home) if tool == "Bash" else ()


def has_failed(answer: object) -> bool:
    """Whether the answer of a tool says so."""
    said = fields(answer)
    return said.get("success") is False or said.get("is_error") is True


def _expansion(event: dict[str, Any]) -> Seen | None:
    named = skill(event.get("command_name"))
    if event.get("expansion_type") != "slash_command" or named is None:
        return None
    if named in OF_CLAUDE_CODE and event.get("command_source") not in SOURCES_OF_SKILLS:
        return None
    return _of(event, "prompt_expansion", named)


def _asked(event: dict[str, Any]) -> Seen | None:
    named = skill(fields(event.get("tool_input")).get("skill"))
    if event.get("tool_name") != SKILL_TOOL or named is None:
        return None
    return _of(event, "pre_tool_use", named)


def _done(event: dict[str, Any], home: str) -> Seen | None:
    given, answer = fields(event.get("tool_input")), event.get("tool_response")
    tool = event.get("tool_name")
    if tool != SKILL_TOOL:
        reads = files_read(tool, given, event.get("cwd"), home)
        return _of(event, "file_read", None, reads) if reads and not has_failed(answer) else None
    named = skill(given.get("skill"))
    if named is None:
        return None
    if fields(answer).get("success") is True and not has_failed(answer):
        return _of(event, "post_tool_use", named)
    return _of(event, "tool_failed", named) if has_failed(answer) else None


def _of(event: dict[str, Any], kind: str, named: str | None, reads: tuple[str, ...] = ()) -> Seen:
    return Seen(
        kind=kind,
        skill=named,
        session=ident(event.get("session_id")),
        agent=ident(event.get("agent_id")),
        event=str(event["hook_event_name"]),
        tool_use=ident(event.get("tool_use_id")),
        prompt=ident(event.get("prompt_id")),
        uuid=ident(event.get("uuid")),
        reads=reads,
    )
