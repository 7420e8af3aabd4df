"""What one piece of a host's own evidence says: its kind, ids and names; never a text (S2, S16)."""

import re
from dataclasses import dataclass
from typing import Any

CLAUDE_CODE = "claude-code"
CODEX = "codex"
HOSTS = (CLAUDE_CODE, CODEX)

# A name without blanks or quotes: what has them may be somebody's sentence.
_SKILL = re.compile(r"[^\W_](?:[\w.:@/+-]{0,118}\w)?")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,79}")
_PATH_LIMIT = 1000


@dataclass(frozen=True, slots=True)
class Seen:
    """A piece of evidence as the table of evidence calls it (`kind`).

    `tool_use`, `prompt` and `uuid` are the ids that it goes by. `base` is the folder that the host
    itself named for the skill. Of `file_read` the skill is not known yet: `reads` are absolute
    paths of files that were read or run.
    """

    kind: str
    skill: str | None = None
    session: str | None = None
    agent: str | None = None
    event: str | None = None
    tool_use: str | None = None
    prompt: str | None = None
    uuid: str | None = None
    base: str | None = None
    reads: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str | None, ...]:
        """S16: its tool use, else its prompt, else its own id."""
        return self.tool_use, self.prompt, self.uuid


def skill(value: object) -> str | None:
    """The name of a skill; None for what has not the form of one."""
    return value if isinstance(value, str) and _SKILL.fullmatch(value) else None


def ident(value: object) -> str | None:
    """An id that a host made; None for what has not the form of one."""
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


def folder(value: object) -> str | None:
    """An absolute path in one line; None for anything else."""
    if not isinstance(value, str) or not value.startswith("/") or len(value) > _PATH_LIMIT:
        return None
    return value if value.isprintable() else None


def fields(value: object) -> dict[str, Any]:
    """The fields of an object; none where another type stands."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; what else stands in it is passed over."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
