"""Hook calls on a project of tests: what a host would send, and what became of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from state.adapters.check import take_for
from state.adapters.commands import Register
from state.hook_call import HookCall, Outcome
from state.routing.hook_notes import standing
from tests.state.world import World

HOME = "/home/me"


def event(name: str, **fields: Any) -> bytes:
    """One event of a host."""
    return json.dumps({"hook_event_name": name, "session_id": "s1", **fields}).encode()


def skill_tool(name: str = "PreToolUse", tool: str = "toolu_1", **fields: Any) -> bytes:
    """An event of the tool Skill, which asks for docx."""
    named = {"tool_name": "Skill", "tool_input": {"skill": "docx", "args": "x"}}
    return event(name, **named, tool_use_id=tool, **fields)


class Hooks:
    """A world whose hooks are called, without a process of their own."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.spool = Path(world.paths.spool)

    def register(self, host: str = "claude-code") -> None:
        """The user registers the program's own readers."""
        adapter = f"builtin:{host}"
        self.world.run(Register(adapter, take_for(adapter, ())))

    def call(
        self, raw: bytes | str, host: str = "claude-code", seat: str | None = "codex"
    ) -> Outcome:
        """One call of a hook."""
        return HookCall(self.world.project, host, seat).take(lambda: raw, HOME)

    def notes(self) -> list[tuple[str, str, str, str]]:
        """The notes that stand, the oldest first."""
        with self.world.look() as view:
            found = standing(view, self.world.clock.now())
        return [(one.host, one.seat, one.note, one.event) for one in reversed(found)]

    def count(self, host: str = "claude-code") -> int:
        """How many calls were counted of a host that isn't registered."""
        path = Path(self.world.paths.hook_calls(host))
        return path.stat().st_size if path.exists() else 0

    def waiting(self) -> list[str]:
        """The files of the spool."""
        return sorted(path.name for path in self.spool.iterdir())
