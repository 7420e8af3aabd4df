"""Skills with profiles, registered adapters, receipts and transcripts, made small for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.project import Committed
from state.routing import building, documents, receipts, skill_index
from state.routing.ask import Asked, ask
from state.routing.commands import Choose, RecordReceipt, Suggest
from state.routing.events import HOOK, Event, RecordEvents
from state.routing.inventory import take as inventory
from state.routing.layers import RequestLayers, of_request
from state.routing.operations import Locator
from state.routing.roots import given
from state.routing.router import Entry
from state.routing.vocabulary import VOCABULARY_VERSION
from tests.state.world import World

BUILD, DEBUG, TEST = "action.build", "action.debug", "action.test"
DOCX, PYTHON = "artifact.word-document", "lang.python"
HOSTS = ("claude-code", "codex", "hermes", "gemini", "Claude Code 2", "Codex CLI", "openai-codex")
AT = "2026-11-30T10:00:00+00:00"


def entry(skill: str, excludes: tuple[str, ...] = (), **weights: int) -> Entry:
    """An entry without files; `action_build=900` is the feature `action.build`."""
    named = {name.replace("_", ".", 1).replace("_", "-"): one for name, one in weights.items()}
    return Entry(skill, named, excludes, path=f"/skills/{skill}/SKILL.md")


def profile(skill: str, features: Mapping[str, int], **more: Any) -> dict[str, Any]:
    """The fields of a `routing.json`."""
    fields = {
        "schema": "skill-routing-profile-v1",
        "skill": skill,
        "profile_version": 1,
        "vocabulary": VOCABULARY_VERSION,
        "features": dict(features),
        "excludes": [],
        "platforms": [],
        "requires": [],
        "promoted_from": None,
    }
    return fields | more


def write_skill(root: Path, skill: str, features: Mapping[str, int], **more: Any) -> Path:
    """A skill's folder with its profile."""
    folder = root / skill
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: {skill}\ndescription: what it does\n---\nbody\n")
    (folder / "routing.json").write_text(json.dumps(profile(skill, features, **more)))
    return folder


def call(tool: str, skill: str = "docx") -> dict[str, Any]:
    """The part of a message that calls the tool Skill."""
    return {"type": "tool_use", "id": tool, "name": "Skill", "input": {"skill": skill}}


def command(skill: str) -> str:
    """What a transcript has of a typed `/skill`."""
    return f"<command-message>{skill}</command-message>\n<command-name>/{skill}</command-name>"


def done(tool: str, skill: str = "docx") -> str:
    """The line of a transcript that says that the tool Skill succeeded."""
    part = {"type": "tool_result", "tool_use_id": tool, "content": "x"}
    answer = {"success": True, "commandName": skill}
    line = {"type": "user", "message": {"role": "user", "content": [part]}, "toolUseResult": answer}
    return json.dumps(line)


class Desk:
    """A world with a folder of skills and an adapter, and short words for what happens there."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.folder = folder
        self.skills = folder / "skills"
        self.adapter = "mini"
        self.fingerprint = "0" * 64
        self.roots = given([str(self.skills)])

    def register(self, adapter: str = "mini", hosts: tuple[str, ...] = HOSTS) -> None:
        """The user registers an adapter of these hosts, by the fingerprint of one small file."""
        file = self.folder / "adapter.py"
        file.write_text("print('adapter')")
        taken = take([str(file)])
        self.world.run(Register(adapter, taken, tuple(f"host:{host}" for host in hosts)))
        self.adapter, self.fingerprint = adapter, taken.fingerprint

    def index(self) -> None:
        """Builds the index anew from the skills' folder."""
        found = inventory(given([str(self.skills)]))
        index = skill_index.make(building.of_inventory(found))
        skill_index.write(self.world.paths, index, self.world.clock.now())

    def ask(self, *features: str, sample: str | None = None) -> Asked:
        return ask(self.world.paths, features, sample)

    def suggest(
        self, request: str, *features: str, sample: str | None = None, host: str = ""
    ) -> dict[str, Any]:
        """The operation that keeps a suggestion; with a host the adapter asks for it."""
        by = (host, self.adapter, self.fingerprint) if host else ("", None, None)
        asked = self.ask(*features, sample=sample)
        return self._op(self.world.run(Suggest(request, asked, *by), "codex"))

    def choose(self, request: str, skill: str | None, host: str = "claude-code") -> dict[str, Any]:
        """A choice, as the adapter reports it for the seat codex."""
        by = (self.adapter, self.fingerprint)
        return self._op(self.world.run(Choose(request, host, skill, None, *by), "codex"))

    def receipt(self, request: str, /, **changes: Any) -> dict[str, Any]:
        """What the journal keeps of a receipt that an adapter brings."""
        brought = documents.parse(json.dumps(self.document(request, **changes)).encode())
        command = RecordReceipt(brought, receipts.look(brought, self.roots, str(self.folder)))
        return self._op(self.world.run(command, "codex"))

    def document(self, request: str, /, **changes: Any) -> dict[str, Any]:
        """A receipt of a proved use by a hook event, with some fields changed."""
        return {
            "schema": "routing-invocation-receipt-v1",
            "request": request,
            "host": "claude-code",
            "seat": "codex",
            "adapter": self.adapter,
            "fingerprint": self.fingerprint,
            "skill": "docx",
            "skill_sha256": "unresolved",
            "level": "confirmed",
            "at": AT,
            "evidence": {
                "kind": "post_tool_use",
                "event": "PostToolUse",
                "session": "s1",
                "agent": None,
                "tool_use": "toolu_1",
            },
        } | changes

    def transcript(self, *lines: str) -> Path:
        """A transcript with these lines."""
        path = self.folder / "transcript.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    def in_file(self, path: Path, number: int, **changes: Any) -> dict[str, Any]:
        """Evidence: line `number`, from 0, of a transcript."""
        raw = path.read_bytes()
        lines = raw.splitlines(keepends=True)
        return {
            "kind": "tool_result",
            "file": str(path),
            "bytes": len(raw),
            "sha256": sha256(raw).hexdigest(),
            "offset": sum(map(len, lines[:number])),
            "entry_sha256": sha256(lines[number].removesuffix(b"\n")).hexdigest(),
            "session": "s1",
            "agent": None,
            "tool_use": "toolu_1",
        } | changes

    def event(self, request: str, kind: str, skill: str | None = "docx", **changes: Any) -> Event:
        """A hook event by the registered adapter."""
        fields: dict[str, Any] = {
            "host": "claude-code",
            "seat": "codex",
            "skill_sha256": "unresolved",
            "at": AT,
            "source": HOOK,
            "adapter": self.adapter,
            "fingerprint": self.fingerprint,
            "locator": Locator("s1", None, "PostToolUse", "toolu_1", None, None, None),
        }
        fields |= changes
        return Event(request=request, kind=kind, skill=skill, **fields)

    def happened(self, request: str, *kinds: str, **changes: Any) -> list[dict[str, Any]]:
        """What hook events of these kinds write."""
        events = tuple(self.event(request, kind, **changes) for kind in kinds)
        return list(map(dict, self.world.run(RecordEvents(events), "codex").ops))

    def layers(self, request: str) -> RequestLayers:
        with self.world.look() as view:
            return of_request(view, request)

    @staticmethod
    def _op(done: Committed) -> dict[str, Any]:
        (op,) = done.ops
        return dict(op)
