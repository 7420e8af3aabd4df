"""What the demo's hosts do with skills, and when: fixed places of the script, as a pure choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Each occasion comes once while the demo is new; after that one comes again in so many turns.
AGAIN = 12

_Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Occasion:
    """One request: the features that the host asks the router for, none where it doesn't ask, and
    the events that its hooks then bring, without the ids that the host makes.
    """

    features: tuple[str, ...] = ()
    events: tuple[_Event, ...] = ()


def _asked(skill: str) -> _Event:
    return {"hook_event_name": "PreToolUse", "tool_name": "Skill", "tool_input": {"skill": skill}}


def _ran(skill: str) -> _Event:
    answer = {"success": True, "commandName": skill}
    return {**_asked(skill), "hook_event_name": "PostToolUse", "tool_response": answer}


def _typed(skill: str) -> _Event:
    named = {"command_name": skill, "command_source": "projectSettings"}
    return {
        "hook_event_name": "UserPromptExpansion",
        "expansion_type": "slash_command",
        "command_args": "",
        **named,
    }


def _shell(command: str) -> _Event:
    return {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": "",
    }


# By seat, which here is also what its host is called.
OCCASIONS: Mapping[str, Sequence[Occasion]] = {
    "claude-code": (
        # Suggested, chosen and proved to have run.
        Occasion(
            ("action.debug", "topic.failing-test"), (_asked("flaky-tests"), _ran("flaky-tests"))
        ),
        # The host chose another than was suggested, and nothing shows that it ran.
        Occasion(("action.review", "domain.ecommerce"), (_asked("release-notes"),)),
        # No profile fits: the suggestion is a fallback, and nothing was chosen.
        Occasion(("lang.rust", "action.migrate")),
        # Typed by the person: nobody asked the router.
        Occasion((), (_typed("release-notes"),)),
    ),
    "codex": (
        # Codex has no tool for skills: that a file was read is the most it shows.
        Occasion((), (_shell("cat .agents/skills/rotate-keys/SKILL.md"),)),
        Occasion(
            ("action.review", "practice.code-review"),
            (_shell("sed -n 1,80p .claude/skills/cart-review/SKILL.md"),),
        ),
    ),
}


def occasion(seat: str, turn: int) -> Occasion | None:
    """What the host of a seat does with skills in this turn of its agent; the first turn is 0."""
    mine = OCCASIONS.get(seat, ())
    if 0 < turn <= len(mine):
        return mine[turn - 1]
    again, rest = divmod(turn, AGAIN)
    return mine[again % len(mine)] if mine and turn and not rest else None
