"""Which piece of evidence fills which layer, at which level: the one table (S2), and no other does.

What a host can't prove stays unproved: a use by Codex is at best a skill file that was read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# From nothing but a name in a list up to a proved use; only the last reads as invoked.
LEVELS = ("offered", "injected", "file_read", "requested", "confirmed")
FAILED = "failed"
UNKNOWN = "unknown"
CONFIRMED = "confirmed"
STATES = (*LEVELS, FAILED, UNKNOWN)

CLAUDE, CODEX = "claude", "codex"
HOST = "host"
PERSON = "person"


@dataclass(frozen=True, slots=True)
class Fills:
    """What one piece of evidence fills: layer 3 with who chose, layer 4 with a level."""

    chosen_by: str | None
    level: str | None


NOTHING = Fills(None, None)

_TABLE: Mapping[str, Fills] = {
    "skill_listing": Fills(None, "offered"),
    "dynamic_skill": Fills(None, "offered"),
    "invoked_skills": Fills(None, "injected"),
    "preload": Fills(None, "injected"),
    "pre_tool_use": Fills(HOST, "requested"),
    "tool_use": Fills(HOST, "requested"),
    "post_tool_use": Fills(HOST, CONFIRMED),
    "tool_result": Fills(HOST, CONFIRMED),
    "tool_failed": Fills(HOST, FAILED),
    "unknown_skill": Fills(HOST, FAILED),
    "prompt_expansion": Fills(PERSON, "requested"),
    "command_line": Fills(PERSON, "requested"),
    "command_with_base": Fills(PERSON, CONFIRMED),
    "builtin_command": NOTHING,
    "unknown_command": NOTHING,
    "quoted_tag": NOTHING,
    "codex_injected": Fills(UNKNOWN, "injected"),
    "file_read": Fills(None, "file_read"),
    "attribution": NOTHING,
    "model_claim": NOTHING,
    "cannot_say": Fills(None, UNKNOWN),
}
KINDS = tuple(_TABLE)
# Codex has no tool for skills, so what other hosts prove by one it can't.
_OF_CODEX = frozenset({"codex_injected", "file_read", "cannot_say"})


def fills(host: str, kind: str) -> Fills:
    """What this kind of evidence from this host fills; nothing for a kind that is not known."""
    of_codex = is_of(host, CODEX)
    if (of_codex and kind not in _OF_CODEX) or (kind == "codex_injected" and not of_codex):
        return NOTHING
    return _TABLE.get(kind, NOTHING)


def is_of(host: str, family: str) -> bool:
    """Whether a host is of a family, however its adapter calls it: `Codex CLI` is of `codex`."""
    return family in host.casefold()


def best(levels: Iterable[str]) -> str | None:
    """The level that several receipts prove together; None without any.

    A failure counts for more than the request before it, and for less than a proved use.
    """
    order = (UNKNOWN, *LEVELS[:-1], FAILED, CONFIRMED)
    return max(levels, key=order.index, default=None)


def is_invoked(level: str | None) -> bool:
    """S2: whether this reads as invoked."""
    return level == CONFIRMED
