"""The lines that a host's settings need for its hooks, in the host's own form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from state.paths import shell_word

PROGRAM = "sublation-panel"
TIMEOUT = 5
# The event, and the tools that it is asked for; None for all that there are.
EVENTS: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    "claude-code": (
        ("PreToolUse", "Skill"),
        ("PostToolUse", "Skill|Read|Bash"),
        ("UserPromptExpansion", None),
    ),
    "codex": (("PostToolUse", "Bash"),),
}
FILES: Mapping[str, str] = {
    "claude-code": ".claude/settings.json (or ~/.claude/settings.json)",
    "codex": ".codex/config.toml (or ~/.codex/config.toml)",
}


@dataclass(frozen=True, slots=True)
class HookSettings:
    """What to add to which file, the command that makes it count, and the one that ends that."""

    host: str
    file: str
    add: str
    register: str
    revoke: str

    def as_dict(self) -> dict[str, Any]:
        """As JSON says it."""
        return {
            "host": self.host,
            "file": self.file,
            "add": self.add,
            "remove": self.add,
            "register": self.register,
            "revoke": self.revoke,
        }

    def lines(self) -> Iterator[str]:
        """As a person reads it."""
        yield f"add to {self.file}:"
        yield ""
        yield from self.add.splitlines()
        yield ""
        yield "nothing is recorded until you register the adapter, at your terminal:"
        yield f"  {self.register}"
        yield ""
        yield "to remove it again take exactly these lines out; nothing else was changed."
        yield "to end the recording alone:"
        yield f"  {self.revoke}"


def of(host: str, options: Mapping[str, str]) -> HookSettings:
    """The settings of a host; `options` are those that each call of the hook gets."""
    words = [f"{name} {shell_word(value)}" for name, value in options.items()]
    command = " ".join([PROGRAM, *words, "hook", host])
    add = _json(host, command) if host == "claude-code" else _toml(host, command)
    adapter = f"builtin:{host}"
    return HookSettings(
        host,
        FILES[host],
        add,
        f"{PROGRAM} adapter register {adapter}",
        f"{PROGRAM} adapter revoke {adapter} --reason TEXT",
    )


def _json(host: str, command: str) -> str:
    entry = {"type": "command", "command": command, "timeout": TIMEOUT}
    hooks = {
        event: [{**({} if tools is None else {"matcher": tools}), "hooks": [entry]}]
        for event, tools in EVENTS[host]
    }
    return orjson.dumps({"hooks": hooks}, option=orjson.OPT_INDENT_2).decode()


def _toml(host: str, command: str) -> str:
    parts = [
        f'[[hooks.{event}]]\nmatcher = "{tools}"\n[[hooks.{event}.hooks]]\ntype = "command"\n'
        f"command = {orjson.dumps(command).decode()}\ntimeout = {TIMEOUT}"
        for event, tools in EVENTS[host]
    ]
    return "\n".join(parts)
