"""Who may record what of a request, and which receipts count: S2, S5, S10, S11, S15 (pure).

Each raises Refused with the rule, or gives the reason for which a receipt is kept as refused.
"""

from collections.abc import Sequence

from state.adapters.queries import Adapter
from state.command import USER
from state.errors import Refused
from state.routing.evidence import fills

SHADOW = "shadow"
BUILTIN = "builtin:"
# A capability that names a host: what that host does the adapter may report.
OF_HOST = "host:"
BY_PROGRAM, BY_ADAPTER = "program", "adapter"


def in_shadow(mode: str) -> None:
    """S5: everything is shadow."""
    if mode != SHADOW:
        raise Refused(
            "S5", "suggestions are made in shadow only", "leave the mode out, or give: shadow"
        )


def for_seat(actor: str, seat: str) -> None:
    """S10: a seat records what happened in its own host; the user for any seat."""
    if actor not in (seat, USER):
        raise Refused("S10", f"{actor} records for itself, not for {seat}", "leave the seat out")


def by_hand(actor: str) -> None:
    """S2, S10: without an adapter only the user reports; what a model says fills no layer."""
    if actor != USER:
        raise Refused(
            "S10",
            "what an agent says of itself is no report of its host",
            "a registered adapter reports it: --adapter ID --fingerprint F; or the user, by hand",
        )


def may_report(adapter: str, fingerprint: str | None, host: str, found: Adapter | None) -> None:
    """S15: recording from a host is off until the user registers that host's adapter.

    `found` is the registered adapter of that id, None without one.
    """
    is_registered(adapter, found)
    why = adapter_problem(adapter, fingerprint, host, found)
    if why is None:
        return
    if why == "other_fingerprint":
        raise Refused(
            "S15",
            f"the adapter {adapter} was registered with another fingerprint",
            f"the user registers it anew: {_register(adapter)}",
        )
    mend = f"the user registers it for that host: {_register(adapter)} --capability {OF_HOST}HOST"
    if adapter.startswith(BUILTIN):
        mend = "each of the program's own adapters reports for its own host"
    raise Refused("S15", f"the adapter {adapter} is not one of {host}", mend)


def is_registered(adapter: str, found: Adapter | None) -> None:
    """S15: the user has registered it."""
    if found is None:
        raise Refused(
            "S15",
            f"the adapter {adapter} isn't registered",
            f"the user registers it: {_register(adapter)}",
        )


def _register(adapter: str) -> str:
    files = "" if adapter.startswith(BUILTIN) else " FILE..."
    return f"sublation-panel adapter register {adapter}{files}"


def adapter_problem(
    adapter: str, fingerprint: str | None, host: str, found: Adapter | None
) -> str | None:
    """S11, S15: why this adapter may not report for this host; None when it may."""
    if found is None:
        return "unregistered_adapter"
    if found.fingerprint != fingerprint:
        return "other_fingerprint"
    own = adapter.startswith(BUILTIN)
    is_of_host = adapter == BUILTIN + host if own else OF_HOST + host in found.capabilities
    return None if is_of_host else "other_host"


def receipt_problem(
    *, known: bool, adapter: str | None, host: str, kind: str, level: str, evidence: str | None
) -> str | None:
    """S11: the reason for which a receipt is refused; None when it counts.

    `known`: the request is. `adapter` and `evidence` are what is wrong with its adapter and with
    its evidence. Only the kind of its evidence gives a level (S2).
    """
    if adapter is not None:
        return adapter
    if not known:
        return "unknown_request"
    if fills(host, kind).level != level:
        return "level_not_proved"
    return evidence


def who_found(stated: str, found: str) -> str:
    """S11: whose word the hash of a SKILL.md is: the program's only where it found the same."""
    return BY_PROGRAM if stated == found else BY_ADAPTER


def proves_something(evidence: Sequence[tuple[str, str]]) -> None:
    """S2: evidence, as host and kind, that fills no layer is not written down."""
    found = [fills(host, kind) for host, kind in evidence]
    if not any(one.chosen_by or one.level for one in found):
        raise Refused("S2", "this evidence fills no layer", "nothing to record")


def says_something_new(new: bool) -> None:
    """S10, S11: what stands in the journal already is not written again."""
    if not new:
        raise Refused("S10", "all of this is recorded already", "nothing to do")
