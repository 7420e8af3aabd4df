"""What a line changed of policies, windows, intents, leases, adapters and consumers."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from state.history.of_requests import Changed
from state.index.view import View

Op = Mapping[str, Any]


def _policy(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"policy:{op['seat']}", "hash", None, op["hash"])


def _enabled(view: View, rev: int, op: Op) -> Iterator[Changed]:
    is_enabled = op["op"] == "policy_enabled"
    yield Changed(f"policy:{op['seat']}", "enabled", not is_enabled, is_enabled)


def _armed(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"window:{op['seat']}", "state", "closed", "active")
    yield Changed(f"window:{op['seat']}", "baseline", None, op["baseline"])


def _draining(view: View, rev: int, op: Op) -> Iterator[Changed]:
    row = view.row(
        "SELECT state FROM window_change WHERE seat=? AND rev<? ORDER BY rev DESC LIMIT 1",
        *(op["seat"], rev),
    )
    yield Changed(f"window:{op['seat']}", "state", None if row is None else row[0], "draining")


def _held(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"window:{op['seat']}", "state", op["origin"], "hold")


def _resumed(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"window:{op['seat']}", "state", "hold", op["state"])


def _closed(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"window:{op['seat']}", "state", "draining", "closed")


def _scanned(view: View, rev: int, op: Op) -> Iterator[Changed]:
    for message in op["created"]:
        yield _intent(op["seat"], message, None, "pending")
    for group in op["passed"]:
        for message in group["messages"]:
            yield Changed(f"message:{message}:{op['seat']}", "passed over", None, group["reason"])
    if op["counted"] is not None:
        yield Changed(f"window:{op['seat']}", "quiet_cycles", op["quiet"] - 1, op["quiet"])


def _final(view: View, rev: int, op: Op) -> Iterator[Changed]:
    """How many leases they had tells what they were before."""
    after = "lapsed" if op["op"] == "intents_lapsed" else "superseded"
    attempts = dict(
        view.rows("SELECT message, attempts FROM intent WHERE seat=? AND rev=?", op["seat"], rev)
    )
    for message in op["messages"]:
        yield _intent(op["seat"], message, "failed" if attempts.get(message) else "pending", after)


def _dismissed(view: View, rev: int, op: Op) -> Iterator[Changed]:
    """One that was pending, failed or in `terminal_hold`: its row doesn't tell which any more."""
    yield Changed(f"intent:{op['message']}:{op['seat']}", "dismissed", False, True)


def _all_dismissed(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"seat:{op['seat']}", "intents dismissed", None, f"#{op['first']}-#{op['last']}")


def _retried(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield _intent(op["seat"], op["message"], "terminal_hold", "pending")


def _granted(view: View, rev: int, op: Op) -> Iterator[Changed]:
    before = "pending" if op["attempt"] == 1 else "failed"
    yield _intent(op["seat"], op["message"], before, "claimed")
    yield Changed(f"lease:{op['lease']}", "holder", None, op["consumer"])


def _renewed(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"lease:{op['lease']}", "expires", None, op["expires"])


def _over(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield _intent(op["seat"], op["message"], "claimed", op["state"])


def _receipt(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"lease:{op['lease']}", "receipt", None, op["outcome"])
    if op["state"] != "claimed":
        yield from _over(view, rev, op)


def _refused(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"lease:{op['lease']}", "receipt", None, f"refused: {op['code']}")


def _intent(seat: str, message: int, before: str | None, after: str) -> Changed:
    return Changed(f"intent:{message}:{seat}", "state", before, after)


def _registered(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"adapter:{op['adapter']}", "fingerprint", None, op["fingerprint"])


def _revoked(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"adapter:{op['adapter']}", "registered", True, False)


def _declared(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"consumer:{op['seat']}", "name", None, op["name"])


def _undeclared(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"consumer:{op['seat']}", "name", op["name"], None)


def _jumped(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed("clock", "milliseconds ahead", None, op["by_ms"])


READERS: Mapping[str, Callable[[View, int, Op], Iterator[Changed]]] = {
    "policy_set": _policy,
    "policy_enabled": _enabled,
    "policy_disabled": _enabled,
    "window_armed": _armed,
    "window_draining": _draining,
    "window_held": _held,
    "window_resumed": _resumed,
    "window_closed": _closed,
    "seat_scanned": _scanned,
    "intents_superseded": _final,
    "intents_lapsed": _final,
    "intents_dismissed": _all_dismissed,
    "intent_dismissed": _dismissed,
    "intent_retried": _retried,
    "lease_granted": _granted,
    "lease_renewed": _renewed,
    "lease_expired": _over,
    "lease_ended": _over,
    "receipt_taken": _receipt,
    "receipt_refused": _refused,
    "clock_jumped": _jumped,
    "adapter_registered": _registered,
    "adapter_revoked": _revoked,
    "consumer_declared": _declared,
    "consumer_ended": _undeclared,
}
