"""One event as a host writes it to a hook: from bytes to what it proves, or to why not (S2, S15).

Lenient: fields and types that aren't known are passed over. No text of the event leaves this.
"""

from dataclasses import dataclass
from typing import Any

import orjson

from state.routing.hooks import claude_code, codex
from state.routing.hooks.seen import CODEX, Seen, fields

# Beyond that nothing is parsed: the answer of a tool can hold whole files.
LIMIT = 16 * 1024 * 1024
# The lenient parser takes twenty times as long.
LENIENT_LIMIT = 1024 * 1024

_EVENTS = """
    ConfigChange CwdChanged Elicitation ElicitationResult FileChanged InstructionsLoaded
    Notification PermissionDenied PermissionRequest PostCompact PostToolBatch PostToolUse
    PostToolUseFailure PreCompact PreToolUse SessionEnd SessionStart Setup Stop StopFailure
    SubagentStart SubagentStop TaskCompleted TaskCreated TeammateIdle UserPromptExpansion
    UserPromptSubmit WorktreeCreate WorktreeRemove
"""
# The events that hosts are known to have; all but three prove nothing.
KNOWN = frozenset(_EVENTS.split())


@dataclass(frozen=True, slots=True)
class Reading:
    """What an event proves (`seen`), or `note`, a word for what is wrong with it.

    Neither: the event is sound and proves nothing. `event` is the name of a known event.
    """

    seen: Seen | None = None
    note: str | None = None
    event: str = ""


def read(host: str, raw: bytes, home: str) -> Reading:
    """Reads one event of a host; `home` is the folder that `~` means there."""
    if len(raw) > LIMIT:
        return Reading(note="too_large")
    event = fields(_parsed(raw))
    name = event.get("hook_event_name")
    if not isinstance(name, str):
        return Reading(note="bad_input")
    if name not in KNOWN:
        return Reading(note="unknown_event")
    if host == CODEX:
        return Reading(seen=codex.seen(event, home), event=name)
    found = claude_code.seen(event, home)
    if found is None and claude_code.is_unnamed(event):
        return Reading(note="unnamed", event=name)
    return Reading(seen=found, event=name)


def _parsed(raw: bytes) -> Any:
    """What the bytes say; None when that can't be told."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        if len(raw) > LENIENT_LIMIT:
            return None
    # Hosts cut texts within a character, and so within what JSON makes of it.
    import json

    try:
        return json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
