"""One binding of the table of keys, and the modes in which it may act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Group = Literal["global", "list", "message", "seat", "wake", "queue", "skill", "journal", "dialog"]

# Numbers stay what they are; those between belong to modes that do not exist yet.
MODES: Mapping[str, int] = {"overview": 1, "queue": 2, "wake": 3, "skills": 4, "journal": 8}
ALL = tuple(MODES)
APP = ("app",)
LIST = ("list",)


class Key(NamedTuple):
    """One binding.

    `keys` are Textual's names, separated by commas, the first is the one shown. `needs` names what
    must hold for it to act: the screen answers `why_not(needs)`. `rank` says how soon the footer
    leaves it out (0 never, None always); `short` is its label where there is little room.
    """

    id: str
    keys: str
    action: str
    label: str
    help: str
    group: Group
    where: tuple[str, ...] = ALL
    needs: str = ""
    rank: int | None = None
    short: str | None = None
    priority: bool = False
