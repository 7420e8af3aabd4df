"""Who may import, and what is new: the rule M16 as pure decisions."""

from collections.abc import Mapping

from state.command import USER
from state.errors import Refused


def by_user_only(actor: str) -> None:
    """M16: an imported message is written by the user seat."""
    if actor != USER:
        raise Refused("M16", f"only the user imports; {actor} may not", "ask the user")


def first_of(known: Mapping[str, int], sha256: str) -> int | None:
    """M16: the first message of the same position, None when there was none.

    `known` are the messages of that position by their hash. Refused when these bytes are among
    them: the same is not written again.
    """
    if sha256 in known:
        raise Refused("M16", f"this was imported as #{known[sha256]}", "nothing to do")
    return min(known.values(), default=None)
