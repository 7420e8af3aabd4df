"""The part of the fixed morning in which skills are suggested, chosen and used, or not."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from state.adapters.commands import Register
from state.adapters.fingerprint import take as fingerprint
from state.command import Command
from state.project import Project
from state.routing import building, inventory, roots, skill_index
from state.routing.ask import ask
from state.routing.commands import Suggest
from state.routing.events import HOOK, Event, RecordEvents
from state.routing.operations import Locator
from state.routing.vocabulary import VOCABULARY_VERSION

Act = Callable[[str, Command, float], int]

HOST, ADAPTER, FOLDER = "claude-code", "shop-hooks", "7f3c21a9"
PROFILES: Mapping[str, Mapping[str, int]] = {
    "docx": {"artifact.word-document": 1000, "action.build": 600},
    "fix-flaky-tests": {"action.test": 900, "action.debug": 700, "lang.python": 300},
    "review-sql": {"action.review": 900, "domain.database": 800},
    "release-notes": {"action.document": 900, "artifact.changelog": 700},
}


def play(project: Project, act: Act, folder: str) -> None:
    """Four skills with profiles, two without; six requests, each proved as far as it is."""
    home = Path(folder) / ".claude" / "skills"
    for name, features in PROFILES.items():
        _skill(home / name, name, features)
    _skill(home / "docx-copy", "docx", None)
    _skill(home / "Old Reports", "Old Reports", None)
    paths = project.paths
    found = inventory.take(roots.defaults(paths.project))
    index = skill_index.make(building.of_inventory(found))
    skill_index.write(paths, index, project.clock.now())
    hooks = Path(folder) / "shop-hooks.py"
    hooks.write_text("print('hooks')\n", encoding="utf-8")
    taken = fingerprint([str(hooks)])
    act("user", Register(ADAPTER, taken, (f"host:{HOST}",)), 1.0)

    def suggest(number: int, *features: str) -> None:
        by = (HOST, ADAPTER, taken.fingerprint)
        act(HOST, Suggest(_request(number), ask(paths, features), *by), 0.4)

    def happened(number: int, kind: str, skill: str) -> None:
        place = Locator(FOLDER, None, _event(kind), f"toolu_0{number}", None, None, None)
        with project.view() as view:
            at = view.meta("at")
        by = (at, HOOK, ADAPTER, taken.fingerprint, place)
        event = Event(_request(number), HOST, HOST, kind, skill, "unresolved", *by)
        act(HOST, RecordEvents((event,)), 0.3)

    suggest(1, "action.test", "lang.python")
    happened(1, "pre_tool_use", "fix-flaky-tests")
    happened(1, "post_tool_use", "fix-flaky-tests")
    suggest(2, "action.review", "domain.database")
    happened(2, "pre_tool_use", "review-sql")
    happened(3, "file_read", "release-notes")
    suggest(4, "artifact.word-document")
    happened(4, "tool_failed", "release-notes")
    act("codex", Suggest("try-1", ask(paths, (), "s-01")), 0.5)
    suggest(5, "lang.rust")
    happened(5, "post_tool_use", "cargo-help")


def _request(number: int) -> str:
    return f"{HOST}:{FOLDER}:toolu_0{number}"


def _event(kind: str) -> str:
    """A hook's event, as in PostToolUse."""
    return kind.title().replace("_", "")


def _skill(folder: Path, name: str, features: Mapping[str, int] | None) -> None:
    folder.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: What {name} is for.\n---\nHow it is done.\n"
    (folder / "SKILL.md").write_text(text, encoding="utf-8")
    if features is None:
        return
    profile = {
        "schema": "skill-routing-profile-v1",
        "skill": name,
        "profile_version": 1,
        "vocabulary": VOCABULARY_VERSION,
        "features": features,
        "excludes": [],
        "platforms": [],
        "requires": [],
        "promoted_from": None,
    }
    (folder / "routing.json").write_text(json.dumps(profile), encoding="utf-8")
