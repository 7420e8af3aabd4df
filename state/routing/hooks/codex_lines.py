"""A rollout of Codex, line by line: skill files that were read, and texts that were injected (S2).

Codex has no tool for skills: nothing here reads as invoked. What `codex exec --json` prints is
taken too.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson

from state.routing.hooks.codex import SHELL_TOOLS, exit_of, files_run
from state.routing.hooks.found import Found, Place
from state.routing.hooks.seen import CODEX, Seen, fields, folder, ident, objects, skill

_INJECTED = re.compile(r"\s*<skill>\s*<name>([^<\s]+)</name>\s*(?:<path>([^<\n]+)</path>)?")
_NAMED = re.compile(r"(?<![\w$])\$([^\W_][\w:.-]{0,118})")
_EXIT = re.compile(r"(?:exited with code|Exit code:) (\d{1,3})")
# The exit status stands at the beginning of an answer.
_HEAD = 400


class CodexLines:
    """What the lines of one rollout prove. `session` is what it is called where no line says."""

    host = CODEX

    def __init__(self, session: str, home: str) -> None:
        self._session = session
        self._home = home
        self._cwd: object = None
        self._turn: str | None = None
        self._named: set[str] = set()
        self._injected: list[Found] = []
        self._called: dict[str, Seen] = {}
        self._read: list[Found] = []
        self.left_out = 0

    def take(self, line: dict[str, Any], place: Place) -> None:
        """One line of the rollout."""
        kind, payload = line.get("type"), fields(line.get("payload"))
        if kind in ("session_meta", "turn_context"):
            self._cwd = payload.get("cwd", self._cwd)
            self._turn = ident(payload.get("turn_id"))
            if kind == "session_meta":
                self._session = ident(payload.get("id")) or self._session
        elif kind == "event_msg" and payload.get("type") == "user_message":
            self._asked(payload.get("message"))
        elif kind == "response_item":
            self._item(payload, place)
        elif kind == "thread.started":
            self._session = ident(line.get("thread_id")) or self._session
        elif kind == "item.completed":
            self._ran(fields(line.get("item")), place)

    def found(self) -> Iterator[Found]:
        """Everything that the lines prove."""
        yield from self._read
        # Without `$name` it is a text that somebody pasted.
        for one in self._injected:
            if one.seen.skill in self._named:
                yield one

    def _item(self, item: dict[str, Any], place: Place) -> None:
        kind, call = item.get("type"), ident(item.get("call_id"))
        if kind == "message" and item.get("role") == "user":
            for part in objects(item.get("content")):
                self._said(part.get("text"), place)
        elif kind == "function_call" and item.get("name") in SHELL_TOOLS and call is not None:
            self._call(call, _arguments(item.get("arguments")))
        elif kind == "local_shell_call" and call is not None:
            self._call(call, fields(item.get("action")))
        elif kind == "function_call_output" and call in self._called:
            seen = self._called.pop(call)
            if _exit(item.get("output")) in (None, 0):
                self._read.append(Found(seen, place))

    def _call(self, call: str, given: dict[str, Any]) -> None:
        reads = files_run(given, self._cwd, self._home)
        if reads:
            seen = self._seen("file_read", "response_item")
            self._called[call] = replace(seen, tool_use=call, reads=reads)

    def _ran(self, item: dict[str, Any], place: Place) -> None:
        if item.get("type") != "command_execution" or item.get("exit_code") != 0:
            return
        reads = files_run(item, self._cwd, self._home)
        if reads:
            seen = self._seen("file_read", "item.completed")
            found = replace(seen, tool_use=ident(item.get("id")), uuid=place.id, reads=reads)
            self._read.append(Found(found, place))

    def _said(self, text: object, place: Place) -> None:
        """What stands in the user's turn: the host's own `<skill>` text, or what was typed."""
        if not isinstance(text, str):
            return
        injected = _INJECTED.match(text)
        if injected is None:
            self._asked(text)
            return
        named = skill(injected[1])
        if named is None:
            self.left_out += 1
            return
        path = folder(injected[2])
        seen = self._seen("codex_injected", "response_item")
        base = None if path is None else path.rpartition("/")[0]
        uuid = None if self._turn is not None else place.id
        self._injected.append(Found(replace(seen, skill=named, base=base, uuid=uuid), place))

    def _asked(self, text: object) -> None:
        if isinstance(text, str):
            self._named.update(_NAMED.findall(text))

    def _seen(self, kind: str, event: str) -> Seen:
        return Seen(kind=kind, session=self._session, event=event, prompt=self._turn)


def _arguments(raw: object) -> dict[str, Any]:
    try:
        return fields(orjson.loads(raw)) if isinstance(raw, str) else fields(raw)
    except orjson.JSONDecodeError:
        return {}


def _exit(output: object) -> int | None:
    """The exit status that an answer names, as fields or in its first words; None without one."""
    named = exit_of(_arguments(output))
    if named is not None or not isinstance(output, str):
        return named
    said = _EXIT.search(output[:_HEAD])
    return None if said is None else int(said[1])
