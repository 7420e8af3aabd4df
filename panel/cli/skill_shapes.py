"""Skills as the JSON that `docs/cli.md` promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from state.routing.duplicates import Group
from state.routing.inventory import Inventory, RootRead, Skill
from state.routing.notes import shown_path
from state.routing.roots import Root


def inventory(found: Inventory) -> dict[str, Any]:
    """Everything that was read, and what was not: never a bare total (S13)."""
    skills = found.skills
    return {
        "roots": [root_read(been) for been in found.roots],
        "folders": found.folders,
        "skipped": found.skipped,
        "left_out": [
            {"path": one.path, "why": one.why, "detail": one.detail} for one in found.left_out
        ],
        "skills": [skill(one) for one in skills],
        "duplicates": [_group(group, skills) for group in found.groups],
        "totals": Counter(one.status for one in skills),
        "problems": Counter(note.code for one in skills for note in one.problems),
    }


def skill(one: Skill) -> dict[str, Any]:
    """One row: what it is, what is odd about it, what its profile says."""
    return {
        "name": one.name,
        "named": one.named,
        "path": shown_path(one.path),
        "sha256": one.sha256,
        "bytes": one.size,
        "status": one.status,
        "promoted": one.profile is not None and one.profile.is_promoted,
        "problems": [{"code": note.code, "detail": note.detail} for note in one.problems],
        "profile_problems": one.profile_problems,
        "profile_sha256": one.profile_sha256,
        "loads": one.loads,
        "duplicates": [
            {
                "by": group.by,
                "value": group.value,
                "count": len(group.rows),
                "same_bytes": group.same_bytes,
            }
            for group in one.duplicates
        ],
        "root": shown_path(one.root.path),
        "scope": one.root.scope,
        "host": one.root.reader or None,
    }


def profile(one: Skill) -> dict[str, Any] | None:
    """What a valid routing.json says, weights included; None without one."""
    found = one.profile
    if found is None:
        return None
    return {
        "profile_version": found.profile_version,
        "vocabulary": found.vocabulary,
        "features": found.weights(),
        "excludes": found.excludes,
        "platforms": found.platforms,
        "requires": found.requires,
        "promoted_from": found.promoted_from,
    }


def root_read(been: RootRead) -> dict[str, Any]:
    """A root, and what became of it."""
    return root(been.root, been.state) | {"real": shown_path(been.real), "skills": been.skills}


def root(one: Root, state: str) -> dict[str, Any]:
    """A folder in which skills are looked for."""
    path = shown_path(one.path)
    return {"path": path, "scope": one.scope, "host": one.reader or None, "state": state}


def _group(group: Group, skills: Sequence[Skill]) -> dict[str, Any]:
    return {
        "by": group.by,
        "value": group.value,
        "same_bytes": group.same_bytes,
        "paths": [shown_path(skills[row].path) for row in group.rows],
    }
