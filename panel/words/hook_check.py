"""What a host can prove of the use of a skill and what it can't, in words (S2)."""

from __future__ import annotations

from collections.abc import Mapping

from panel.words import routing
from state.routing.evidence import Fills

MADE = "made for this program from the host's documentation"
FROM: Mapping[str, str] = {
    "claude-code": "compared with captures of the versions 2.1.207, 2.1.220 and 2.1.231",
    "codex": "not seen on a real host",
}
CAN: Mapping[str, tuple[str, ...]] = {
    "claude-code": (
        "that the host asked for a skill (PreToolUse) and that it ran (PostToolUse with success)",
        "that the person typed /skill (UserPromptExpansion): requested",
        "by its transcript (route receipt --transcript FILE) also that a typed /skill ran",
        "that Read or Bash opened a skill's file, which is no invocation",
    ),
    "codex": (
        "that a skill file was read, or a script of a skill was run, which is no invocation",
        "in a rollout, that $name brought the skill's text in: injected",
    ),
}
CANNOT: Mapping[str, tuple[str, ...]] = {
    "claude-code": (
        "a skill that an agent's definition preloads fires nothing",
        "an unknown skill has no PostToolUse: only the transcript says so",
        "what the model says of itself is no evidence",
    ),
    "codex": (
        "that a skill was invoked: this host has no tool for skills, so it never reads as invoked",
        "what the model says of itself is no evidence",
    ),
}
NO_PIECE = "nothing"


def layer_3(filled: Fills) -> str:
    """Who chose, where the evidence fills layer 3."""
    return (
        "–"
        if filled.chosen_by is None
        else f"by the {filled.chosen_by}".replace("by the unknown", "by whom isn't known")
    )


def layer_4(filled: Fills) -> str:
    """What layer 4 reads by this evidence alone."""
    return "–" if filled.level is None else routing.level(filled.level)
