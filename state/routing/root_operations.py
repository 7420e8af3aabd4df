"""What the user changes about the folders in which skills are looked for (S13)."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SkillRootAdded:
    """Skills are looked for in this folder, an absolute path, as well."""

    op: str = field(default="skill_root_added", init=False)
    path: str


@dataclass(frozen=True, slots=True)
class SkillRootRemoved:
    """They are looked for there no longer, also where a host is known to read it."""

    op: str = field(default="skill_root_removed", init=False)
    path: str
