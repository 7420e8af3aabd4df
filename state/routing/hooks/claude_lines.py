"""A transcript of Claude Code, line by line: uses of skills, linked by ids and never by time (S2).

`take` is given each line in order, `found` is asked at the end; what is kept are ids and names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from state.routing.hooks.claude_code import SKILL_TOOL, files_read, has_failed
from state.routing.hooks.commands import OF_CLAUDE_CODE
from state.routing.hooks.found import Found, Place
from state.routing.hooks.seen import CLAUDE_CODE, Seen, fields, folder, ident, objects, skill

BASE = "Base directory for this skill: "
# Of one listing so many names are kept.
NAMES_LIMIT = 64

_COMMAND = re.compile(
    r"\s*(?:<command-message>[^<]*</command-message>\s*)?<command-name>/?([^<\s]+)</command-name>"
    r"\s*(?:<command-(message|args|contents)>(?:(?!</?command-).)*</command-\2>\s*)*",
    re.DOTALL,
)
# The host's own sentence; what follows the name is not looked at.
_UNKNOWN = re.compile(r"(?:<tool_use_error>)?(?:Error: )?Unknown skill: ([^\s<]*[^\s<.,;:])")


@dataclass(slots=True)
class _Use:
    """A tool that was called, as far as it is about a skill."""

    place: Place
    seen: Seen


class ClaudeLines:
    """What the lines of one transcript prove. `session` is what it is called where no line says."""

    host = CLAUDE_CODE

    def __init__(self, session: str, home: str) -> None:
        self._session = session
        self._home = home
        self._tools: dict[str, _Use] = {}
        self._other: set[str] = set()
        self._commands: dict[str, _Use] = {}
        self._of_prompt: dict[str, str] = {}
        self._bases: dict[str, str] = {}
        self._unknown: set[str] = set()
        self._others: list[Found] = []
        self.left_out = 0

    def take(self, line: dict[str, Any], place: Place) -> None:
        """One line of the transcript."""
        kind, message = line.get("type"), fields(line.get("message"))
        if kind == "attachment":
            self._attachment(line, fields(line.get("attachment")), place)
        elif kind == "assistant":
            for part in objects(message.get("content")):
                if part.get("type") == "tool_use":
                    self._called(line, part, place)
        elif kind == "user" and line.get("isMeta") is True:
            self._meta(line, message, place)
        elif kind == "user":
            self._typed(line, message.get("content"), place)
            answers = [
                part
                for part in objects(message.get("content"))
                if part.get("type") == "tool_result"
            ]
            for part in answers:
                answer = line.get("toolUseResult") if len(answers) == 1 else None
                self._answered(line, part, answer, place)

    def found(self) -> Iterator[Found]:
        """Everything that the lines prove."""
        for one, use in self._tools.items():
            is_of_another = one in self._other and not use.seen.reads
            if use.seen.kind == "asked" or is_of_another:
                continue
            yield Found(replace(use.seen, base=self._bases.get(one)), use.place)
        for one, use in self._commands.items():
            if one not in self._unknown and use.seen.kind != "builtin_command":
                yield Found(use.seen, use.place)
        yield from self._others

    def _called(self, line: dict[str, Any], part: dict[str, Any], place: Place) -> None:
        one, given = ident(part.get("id")), fields(part.get("input"))
        if one is None:
            return
        if part.get("name") == SKILL_TOOL:
            named = skill(given.get("skill"))
            if named is None:
                self.left_out += 1
                self._other.add(one)
            elif one not in self._tools:
                self._tools[one] = _Use(place, self._seen(line, "tool_use", named, one))
            return
        self._other.add(one)
        reads = files_read(part.get("name"), given, line.get("cwd"), self._home)
        if reads:
            seen = replace(self._seen(line, "asked", None, one), reads=reads)
            self._tools.setdefault(one, _Use(place, seen))

    def _answered(
        self, line: dict[str, Any], part: dict[str, Any], answer: object, place: Place
    ) -> None:
        one = ident(part.get("tool_use_id"))
        if one is None:
            return
        use = self._tools.get(one)
        failed = part.get("is_error") is True or has_failed(answer)
        if use is not None and use.seen.reads:
            if not failed:
                self._tools[one] = _Use(place, replace(use.seen, kind="file_read", event="user"))
            return
        if one in self._other:
            return
        unknown = _unknown(answer, part.get("content")) if failed else None
        if use is not None:
            named = use.seen.skill
        else:
            named = unknown or skill(fields(answer).get("commandName"))
        if named is None:
            return
        if failed:
            kind = "tool_failed" if unknown is None else "unknown_skill"
        elif fields(answer).get("success") is True:
            kind = "tool_result"
        else:
            return
        self._tools[one] = _Use(place, self._seen(line, kind, named, one))

    def _typed(self, line: dict[str, Any], content: object, place: Place) -> None:
        """A command line, which has nothing beside its marks; within other text they are quoted."""
        typed = _COMMAND.fullmatch(content) if isinstance(content, str) else None
        one = ident(line.get("uuid")) or place.id
        named = None if typed is None else skill(typed[1])
        if named is None or one in self._commands:
            return
        kind = "builtin_command" if named in OF_CLAUDE_CODE else "command_line"
        seen = self._seen(line, kind, named)
        self._commands[one] = _Use(place, replace(seen, uuid=one))
        if seen.prompt is not None:
            self._of_prompt.setdefault(seen.prompt, one)

    def _meta(self, line: dict[str, Any], message: dict[str, Any], place: Place) -> None:
        base = _base(message.get("content"))
        if base is None:
            return
        tool = ident(line.get("sourceToolUseID"))
        if tool is not None:
            self._bases[tool] = base
            return
        parent = ident(line.get("parentUuid")) or ""
        one = parent if parent in self._commands else None
        if one is None:
            one = self._of_prompt.get(ident(line.get("promptId")) or "")
        if one is not None:
            seen = replace(self._commands[one].seen, kind="command_with_base", base=base)
            self._commands[one] = _Use(place, seen)

    def _attachment(self, line: dict[str, Any], said: dict[str, Any], place: Place) -> None:
        kind = said.get("type")
        if kind == "unknown_command_fallback":
            prompt = self._of_prompt.get(ident(line.get("promptId")) or "", "")
            self._unknown |= {ident(line.get("parentUuid")) or "", prompt}
            return
        names: object = None
        if kind == "skill_listing":
            names = said.get("names")
        elif kind == "dynamic_skill":
            names = said.get("skillNames")
        elif kind == "invoked_skills":
            names = [one.get("name") for one in objects(said.get("skills"))]
        known = [one for one in map(skill, names if isinstance(names, list) else []) if one]
        self.left_out += max(len(known) - NAMES_LIMIT, 0)
        for named in dict.fromkeys(known[:NAMES_LIMIT]):
            seen = self._seen(line, str(kind), named)
            uuid = seen.uuid or place.id
            self._others.append(Found(replace(seen, prompt=None, uuid=uuid), place))

    def _seen(
        self, line: dict[str, Any], kind: str, named: str | None, tool: str | None = None
    ) -> Seen:
        return Seen(
            kind=kind,
            skill=named,
            session=ident(line.get("sessionId")) or self._session,
            agent=ident(line.get("agentId")),
            event=str(line["type"]),
            tool_use=tool,
            prompt=ident(line.get("promptId")),
            uuid=ident(line.get("uuid")),
        )


def _unknown(answer: object, content: object) -> str | None:
    """The name in the host's own sentence that it knows no such skill."""
    for text in (answer, content):
        said = _UNKNOWN.match(text.strip()) if isinstance(text, str) else None
        if said is not None:
            return skill(said[1])
    return None


def _base(content: object) -> str | None:
    """The folder that a host names for a skill, in the first line of a text of its own."""
    parts = objects(content)
    text = parts[0].get("text") if parts else content
    if not isinstance(text, str) or not text.startswith(BASE):
        return None
    return folder(text[len(BASE) :].partition("\n")[0].strip())
