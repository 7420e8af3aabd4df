"""Words of wake windows: states and reasons, never more than the evidence (W24, W25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    "damaged": "the journal doesn't verify",
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
