"""Adding a skill root and taking one away, as commands of the user (S13)."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.clock import Moment
from state.command import Actor
from state.errors import BadInput
from state.index.view import View
from state.routing import root_rules
from state.routing.root_operations import SkillRootAdded, SkillRootRemoved
from state.routing.roots import removed_or_added

PATH_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class _RootChange:
    """A change about one folder, an absolute path. `defaults` are the folders that hosts read."""

    path: str
    defaults: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        path = checks.text(self.path, "dir")
        if not os.path.isabs(path) or len(path) > PATH_LIMIT or "\0" in path:
            raise BadInput(
                f"a skill root is an absolute path of at most {PATH_LIMIT:,} characters",
                "name a folder",
                field="dir",
            )
        object.__setattr__(self, "path", os.path.normpath(path))

    def guards(self) -> Mapping[str, int]:
        return {}

    def is_read(self, view: View) -> bool:
        """Whether skills are looked for there as things stand."""
        return removed_or_added(view).get(self.path, self.path in self.defaults)


@dataclass(frozen=True, slots=True)
class AddSkillRoot(_RootChange):
    """S13: one more folder. Whether there is one now doesn't matter: it is only ever read."""

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        root_rules.by_user_only(actor.seat)
        root_rules.may_add(self.path, self.is_read(view))
        return [SkillRootAdded(self.path)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return list(ops) == [{"op": "skill_root_added", "path": self.path}]


@dataclass(frozen=True, slots=True)
class RemoveSkillRoot(_RootChange):
    """S13: one folder less, a host's own too. The folder stays as it is."""

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        root_rules.by_user_only(actor.seat)
        root_rules.may_remove(self.path, self.is_read(view))
        return [SkillRootRemoved(self.path)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return list(ops) == [{"op": "skill_root_removed", "path": self.path}]
