"""One hook event of Codex: Claude Code's shape, and no tool for skills, so at best a file read."""

from typing import Any

from state.routing.hooks.claude_code import has_failed
from state.routing.hooks.seen import Seen, fields, ident
from state.routing.hooks.shell import files_of

# A tuple: what stands there may be a list, which can be in no set.
SHELL_TOOLS = (
    *("Bash", "shell", "shell_command", "exec_command", "local_shell"),
    "container.exec",
)


def seen(event: dict[str, Any], home: str) -> Seen | None:
    """What an event proves; None when it proves nothing."""
    if event.get("hook_event_name") != "PostToolUse" or event.get("tool_name") not in SHELL_TOOLS:
        return None
    given, answer = fields(event.get("tool_input")), event.get("tool_response")
    reads = files_run(given, event.get("cwd"), home)
    if not reads or has_failed(answer) or exit_of(answer) not in (None, 0):
        return None
    return Seen(
        kind="file_read",
        session=ident(event.get("session_id")),
        agent=ident(event.get("agent_id")),
        event="PostToolUse",
        tool_use=ident(event.get("tool_use_id")),
        prompt=ident(event.get("prompt_id")) or ident(event.get("turn_id")),
        uuid=ident(event.get("uuid")),
        reads=reads,
    )


def files_run(given: dict[str, Any], cwd: object, home: str) -> tuple[str, ...]:
    """What the shell went for, as far as it could belong to a skill."""
    command = given.get("command", given.get("cmd"))
    return files_of(command, given.get("workdir") or cwd, home)


def exit_of(answer: object) -> int | None:
    """The exit status that an answer names; None without one."""
    said = fields(answer)
    code = said.get("exit_code", fields(said.get("metadata")).get("exit_code"))
    return code if type(code) is int else None
