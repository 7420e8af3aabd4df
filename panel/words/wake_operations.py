"""What each operation on wake windows did, in words that continue "you …" or "the program …"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from panel.words import signs
from panel.words import wake as words

Operation = Mapping[str, Any]
# The reason of what the user did by hand; who it was stands before the words.
USER = "user"


def _policy_set(op: Operation, rev: int) -> str:
    return f"set the wake policy of {signs.seat(op['seat'])}: {op['hash'][:12]}"


def _policy_enabled(op: Operation, rev: int) -> str:
    return f"enabled the wake policy of {signs.seat(op['seat'])}"


def _policy_disabled(op: Operation, rev: int) -> str:
    return f"disabled the wake policy of {signs.seat(op['seat'])}"


def _window_armed(op: Operation, rev: int) -> str:
    by = "intents only" if op["adapter"] is None else f"adapter {op['adapter']}"
    return f"armed the wake window of {signs.seat(op['seat'])}, {by}, from #{op['baseline']} on"


def _window_draining(op: Operation, rev: int) -> str:
    if op["reason"] == USER:
        return f"drained {signs.seat(op['seat'])}'s window"
    return f"let {signs.seat(op['seat'])}'s window drain: {words.DRAINING[op['reason']]}"


def _window_held(op: Operation, rev: int) -> str:
    said = f"put {signs.seat(op['seat'])}'s window on hold"
    return said if op["reason"] == USER else f"{said}: {words.HOLD[op['reason']]}"


def _window_resumed(op: Operation, rev: int) -> str:
    drains = "" if not op["reason"] else f", draining: {words.DRAINING[op['reason']]}"
    return f"resumed {signs.seat(op['seat'])}'s window{drains}"


def _window_closed(op: Operation, rev: int) -> str:
    return (
        f"closed {signs.seat(op['seat'])}'s window of r{op['first']},"
        f" {signs.count(op['wakes'], 'wake')}: {words.DRAINING[op['reason']]}"
    )


def _seat_scanned(op: Operation, rev: int) -> str:
    said = [signs.count(len(op["created"]), "new intent")]
    if op["passed"]:
        passed = sum(len(group["messages"]) for group in op["passed"])
        said.append(f"{passed:,} passed over")
    if op["counted"] is not None:
        said.append(f"quiet cycle {op['quiet']}")
    return f"scanned for {signs.seat(op['seat'])}: {', '.join(said)}"


def _intents_superseded(op: Operation, rev: int) -> str:
    count = signs.count(len(op["messages"]), "intent")
    return f"set {count} of {signs.seat(op['seat'])} aside: {words.SUPERSEDED[op['reason']]}"


def _intents_lapsed(op: Operation, rev: int) -> str:
    count = signs.count(len(op["messages"]), "intent")
    return f"let {count} of {signs.seat(op['seat'])} lapse: {words.LAPSED[op['reason']]}"


def _intent_dismissed(op: Operation, rev: int) -> str:
    return f"dismissed {signs.seat(op['seat'])}'s intent for #{op['message']}: {op['reason']}"


def _intents_dismissed(op: Operation, rev: int) -> str:
    which = f"#{op['first']} to #{op['last']}" if op["first"] != op["last"] else f"#{op['first']}"
    return f"dismissed {signs.seat(op['seat'])}'s intents for {which}: {op['reason']}"


def _intent_retried(op: Operation, rev: int) -> str:
    return f"let {signs.seat(op['seat'])}'s intent for #{op['message']} be tried: {op['reason']}"


def _lease_granted(op: Operation, rev: int) -> str:
    return f"got a lease on #{op['message']}, attempt {op['attempt']} ({op['lease'][:8]})"


def _lease_renewed(op: Operation, rev: int) -> str:
    return f"renewed lease {op['lease'][:8]}"


def _lease_expired(op: Operation, rev: int) -> str:
    return (
        f"found lease {op['lease'][:8]} of {signs.seat(op['seat'])} on #{op['message']} run out:"
        f" the intent is {words.INTENT[op['state']]}"
    )


def _lease_ended(op: Operation, rev: int) -> str:
    return f"ended lease {op['lease'][:8]} of {signs.seat(op['seat'])}: {op['reason']}"


def _receipt_taken(op: Operation, rev: int) -> str:
    return f"brought a receipt for #{op['message']}: {words.receipt(op)}"


def _receipt_refused(op: Operation, rev: int) -> str:
    return f"brought a receipt that was refused: {op['reason']}"


def _clock_jumped(op: Operation, rev: int) -> str:
    way = "ahead" if op["by_ms"] > 0 else "back"
    return f"saw the clock set {way} by {abs(op['by_ms']) / 1000:,.0f} s"


WORDS: Mapping[str, Callable[[Operation, int], str]] = {
    "policy_set": _policy_set,
    "policy_enabled": _policy_enabled,
    "policy_disabled": _policy_disabled,
    "window_armed": _window_armed,
    "window_draining": _window_draining,
    "window_held": _window_held,
    "window_resumed": _window_resumed,
    "window_closed": _window_closed,
    "seat_scanned": _seat_scanned,
    "intents_superseded": _intents_superseded,
    "intents_lapsed": _intents_lapsed,
    "intent_dismissed": _intent_dismissed,
    "intents_dismissed": _intents_dismissed,
    "intent_retried": _intent_retried,
    "lease_granted": _lease_granted,
    "lease_renewed": _lease_renewed,
    "lease_expired": _lease_expired,
    "lease_ended": _lease_ended,
    "receipt_taken": _receipt_taken,
    "receipt_refused": _receipt_refused,
    "clock_jumped": _clock_jumped,
}
