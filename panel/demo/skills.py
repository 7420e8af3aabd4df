"""The demo's skills, as the person would have put them there, and who may report their use.

Three have a profile, one has none. They lie where hosts look for a project's skills.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from state.adapters.check import take_for
from state.adapters.commands import Register
from state.adapters.ids import BUILTIN
from state.command import Actor
from state.paths import profile_beside, skill_in
from state.project import Project
from state.routing.roots import PROJECT, Root, defaults
from state.routing.vocabulary import VOCABULARY_VERSION


@dataclass(frozen=True, slots=True)
class DemoSkill:
    """A skill of the shop; `reader` is the host whose folder it lies in, empty for a shared one."""

    name: str
    reader: str
    description: str
    text: str
    features: Mapping[str, int]


SKILLS = (
    DemoSkill(
        "flaky-tests",
        "claude-code",
        "Find out why a test fails now and then. Use it when a test passes on a second run.",
        "Run the test alone, then in its old order. Look for time, order and shared state.",
        {"action.debug": 900, "topic.failing-test": 800, "practice.root-cause": 500},
    ),
    DemoSkill(
        "cart-review",
        "claude-code",
        "Review a change of the cart. Use it when a change touches prices, totals or stock.",
        "Check rounding, empty carts and two buyers of the last piece. Name file and line.",
        {"action.review": 900, "practice.code-review": 700, "domain.ecommerce": 600},
    ),
    DemoSkill(
        "release-notes",
        "claude-code",
        "Write the notes of a release from its commits.",
        "One line for each change that a customer sees. Leave out what nobody sees.",
        {"artifact.changelog": 900, "action.release": 700, "tool.git": 300},
    ),
    DemoSkill(
        "rotate-keys",
        "",
        "Change the keys of the payment provider without a break.",
        "Add the new key, switch over, watch one day, then take the old one out.",
        {},
    ),
)


def lay_out(project: Project) -> None:
    """Writes the skills, and registers the hook readers of both hosts as the user does it."""
    folders = {root.reader: root.path for root in roots_of(project)}
    for skill in SKILLS:
        file = skill_in(f"{folders[skill.reader]}/{skill.name}")
        os.makedirs(os.path.dirname(file))
        _write(
            file,
            f"---\nname: {skill.name}\ndescription: {skill.description}\n---\n{skill.text}\n",
        )
        if skill.features:
            _write(profile_beside(file), orjson.dumps(_profile(skill)).decode())
    for adapter in BUILTIN:
        project.run(Register(adapter, take_for(adapter, ())), Actor("user", "demo"))


def roots_of(project: Project) -> tuple[Root, ...]:
    """The folders of the project itself in which hosts look for skills; no other is the demo's."""
    return tuple(root for root in defaults(project.paths.project) if root.scope == PROJECT)


def _profile(skill: DemoSkill) -> dict[str, object]:
    return {
        "schema": "skill-routing-profile-v1",
        "skill": skill.name,
        "profile_version": 1,
        "vocabulary": VOCABULARY_VERSION,
        "features": dict(skill.features),
        "excludes": [],
        "platforms": [],
        "requires": [],
        "promoted_from": None,
    }


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
