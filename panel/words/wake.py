"""Words of wake windows: states and reasons, never more than the evidence (W24, W25)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from state.wake.explain import Explained

DRAINING = {
    "deadline": "its deadline has passed",
    "quiet_cycles": "nothing came for as many cycles as the policy allows",
    "wakes_used": "as many leases were granted as the policy allows",
    "policy_disabled": "the policy was disabled",
    "user": "you drained it",
    "forked": "this project is a copy",
}
HOLD = {
    "user": "you held it",
    "policy_changed": "the policy was changed since it was armed",
    "adapter_drift": "the adapter's files changed since you armed it",
    "adapter_revoked": "the adapter's registration was revoked",
    "terminal_hold": "an intent used up its attempts",
    "damaged": "the journal isn't sound",
    "accepted": "you went on from damage in the journal",
}
LAPSED = {
    "deadline": "the deadline passed before anyone claimed it",
    "wakes_used": "as many leases were granted as the policy allows",
    "policy_disabled": "the policy was disabled",
    "forked": "this project is a copy",
}
SUPERSEDED = {
    "acknowledged": "the seat had acknowledged the message",
    "answered": "the seat had answered the message",
    "self_message": "the seat wrote the message itself",
    "hops": "it came over more hops than the policy allows",
}
PASSED = {
    "closed": "you closed the seat's queue before a scan looked at it",
    "self_message": "by the seat itself",
    "kind": "not a kind that the policy selects",
    "sender": "not from a sender that the policy selects",
    "urgency": "not of the urgency that the policy selects",
    "addressing": "addressed to all, the policy selects direct ones",
    "hops": "over more hops than the policy allows",
}
INTENT = {
    "pending": "pending",
    "claimed": "claimed",
    "failed": "failed, to be tried again",
    "terminal_hold": "held, its attempts are used up",
    "sent_and_verified": "verified",
    "superseded": "superseded",
    "lapsed": "lapsed",
    "dismissed": "dismissed",
}
# An id has so many digits; what else was given as one may be long.
_LEASE_CELLS = 32
# How a lease came to nothing.
LOST = {
    "expired": "its lease ran out",
    "ended": "you ended its lease",
    "failed": "its holder reported that it failed",
    "timeout": "its holder reported a timeout",
}
# Of a closing receipt.
NOT_ALL_NAMED = "the last range holds others too: there were too many for one line"
OUTCOME = {
    "failed": "failed",
    "timeout": "timed out",
    "watcher_only": "something saw the message, no agent answered",
}


def receipt(op: Mapping[str, Any]) -> str:
    """A receipt that was taken, worded as what was checked (W25)."""
    evidence = op["evidence"]
    if op["outcome"] != "sent_and_verified" or evidence is None:
        said = OUTCOME[op["outcome"]]
        return said if op["exit_code"] is None else f"{said}, exit code {op['exit_code']}"
    if evidence["kind"] == "message":
        return f"answered #{op['message']} with #{evidence['message']}"
    return f"file {evidence['path']} holds the lease"


def names_no_lease(given: str) -> str:
    """A receipt that nobody can tell what it is about."""
    shown = given if len(given) <= _LEASE_CELLS else f"{given[:_LEASE_CELLS]}…"
    return f"it names no lease known here: {shown!r}"


def why(one: Explained) -> str:
    """Why the seat was woken for a message, or why not, in one line (W25)."""
    if one.outcome == "sent_and_verified":
        waits = "" if one.waits_for is None else f"; waits for #{one.waits_for}"
        return f"verified, {_proof(one)}{waits}"
    say = _WHY.get(one.outcome)
    return one.outcome if say is None else say(one.reason)


def _proof(one: Explained) -> str:
    if one.evidence is None:
        return "by its receipt"
    if one.evidence["kind"] == "message":
        return f"answered with #{one.evidence['message']}"
    return f"file {one.evidence['path']} held the lease"


def _with(said: str, reasons: Mapping[str, str], reason: str) -> str:
    """What became of it and why; a reason that a person gave stands as it is."""
    return f"{said}: {reasons.get(reason, reason)}" if reason else said


_WHY: Mapping[str, Callable[[str], str]] = {
    "pending": lambda reason: _with("not woken yet, nobody has claimed it", {}, reason),
    "claimed": lambda reason: "claimed, no receipt proves anything yet",
    "failed": lambda reason: (
        _with("an attempt came to nothing", LOST, reason) + "; may be tried again"
    ),
    "terminal_hold": lambda reason: _with("held, its attempts are used up", LOST, reason),
    "superseded": lambda reason: _with("needs no wake", SUPERSEDED, reason),
    "lapsed": lambda reason: _with("lapsed", LAPSED, reason),
    "dismissed": lambda reason: _with("dismissed", {}, reason),
    "no_window": lambda reason: "not woken, no window was open",
    "draining": lambda reason: _with("not woken, the window was draining", DRAINING, reason),
    "hold": lambda reason: _with("not woken yet, the window is on hold", HOLD, reason),
    "not_scanned": lambda reason: "not woken yet, the next scan looks at it",
    "passed_over": lambda reason: _with("not woken", PASSED, reason),
    "imported": lambda reason: "not woken, imported messages never wake",
}
