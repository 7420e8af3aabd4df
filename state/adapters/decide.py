"""Who may register adapters and take that back, and when it says something new (W21)."""

from collections.abc import Sequence

from state.adapters.queries import Adapter
from state.command import USER
from state.errors import Refused


def by_user_only(actor: str) -> None:
    """W21: what may be trusted to start an agent is the user's choice alone."""
    if actor != USER:
        raise Refused(
            "W21",
            f"only the user registers and revokes adapters; {actor} may not",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )


def may_register(
    found: Adapter | None,
    fingerprint: str,
    base: str,
    paths: Sequence[str],
    capabilities: Sequence[str],
) -> None:
    """W21: other files, another place, other labels; or it was revoked."""
    if found is None or not found.is_registered:
        return
    stands = (found.fingerprint, found.base, found.paths, found.capabilities)
    if stands == (fingerprint, base, tuple(paths), tuple(capabilities)):
        raise Refused(
            "W21", f"{found.adapter} is registered so already, by this fingerprint", "nothing to do"
        )


def may_revoke(found: Adapter) -> None:
    """W21: a registration that holds."""
    if not found.is_registered:
        raise Refused("W21", f"{found.adapter} is revoked already", "nothing to do")


def may_check(found: Adapter) -> None:
    """W21: where nothing is registered, there is nothing to compare with."""
    if found.revoked is not None:
        raise Refused(
            "W21",
            f"{found.adapter} is revoked: {found.revoked.reason}",
            "the user registers it again: adapter register",
        )
