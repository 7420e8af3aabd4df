"""Who may change the skill roots, and when that says something new (S13). Pure."""

from state.command import USER
from state.errors import Refused
from state.paths import shown


def by_user_only(actor: str) -> None:
    """S13: where skills are looked for is the user's choice."""
    if actor != USER:
        raise Refused(
            "S13",
            f"only the user changes the skill roots; {actor} may not",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )


def may_add(path: str, is_read: bool) -> None:
    """S13: a folder that isn't one of the roots yet."""
    if is_read:
        raise Refused("S13", f"{shown(path)} is a skill root already", "nothing to do")


def may_remove(path: str, is_read: bool) -> None:
    """S13: a folder that is one of the roots."""
    if not is_read:
        raise Refused("S13", f"{shown(path)} is no skill root", "see: sublation-panel skill roots")
