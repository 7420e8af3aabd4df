"""What the time alone has brought about and no line says yet (W27).

`due` is what gate, screen and `--json` work out from the journal and the clock; whoever writes
next writes it first.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from state.clock import Moment, later
from state.wake.closing import closing_receipt
from state.wake.model import CLAIMABLE, OPEN, SeatWake, Window, with_intents, with_window
from state.wake.operations import (
    IntentsLapsed,
    IntentsSuperseded,
    LeaseExpired,
    WindowDraining,
    WindowHeld,
)

# So many messages are named in one operation, so that all that are due at once fit into a line.
AT_ONCE = 1_000


class Advanced(NamedTuple):
    """The seat as it is after `ops`."""

    wake: SeatWake
    ops: tuple[object, ...]

    def then(self, wake: SeatWake, *ops: object) -> "Advanced":
        return Advanced(wake, (*self.ops, *ops))


def due(wake: SeatWake, now: Moment, rev: int, drifted: Collection[str] = ()) -> Advanced:
    """W27: every transition that is due at a moment, in the order in which they are written.

    `rev` is the last line of the journal, `drifted` names adapters whose files were found to
    differ from their registration.
    """
    found = _lease(Advanced(wake, ()), now)
    window = found.wake.open_window
    if window is None or window.state == "hold":
        return found
    cause = drift(found.wake, window, drifted)
    # Drained out of a hold it keeps that hold's cause, and drains to its end (W13). Past its
    # deadline nothing is left to hold: whatever came since, the deadline came first (W27).
    if cause and not window.cause and window.left_ms(now):
        return hold(found, cause)
    if window.state == "active":
        reason = why_draining(found.wake, window, now)
        if not reason:
            return found
        found = drain(found, reason)
    return _end(found, now, rev)


def drain(found: Advanced, reason: str) -> Advanced:
    """W10: no new intents from here on."""
    wake = with_window(found.wake, state="draining", reason=reason)
    return found.then(wake, WindowDraining(wake.seat, reason))


def hold(found: Advanced, cause: str) -> Advanced:
    """W13: a window that is active or draining stops, and remembers where it was."""
    window = found.wake.window
    assert window is not None
    wake = with_window(found.wake, state="hold", origin=window.state, cause=cause)
    return found.then(wake, WindowHeld(wake.seat, window.state, cause))


def why_draining(wake: SeatWake, window: Window, now: Moment) -> str:
    """W10: why an active window drains now, empty while it doesn't."""
    reason = why_lapsing(wake, window, now)
    if not reason and window.quiet >= window.policy.maximum_quiet_cycles:
        return "quiet_cycles"
    return reason


def why_lapsing(wake: SeatWake, window: Window, now: Moment) -> str:
    """W12: why nothing can be claimed in this window any more, empty while it can."""
    if not window.left_ms(now):
        return "deadline"
    if window.wakes >= window.policy.maximum_wakes:
        return "wakes_used"
    return "" if wake.enabled else "policy_disabled"


def drift(wake: SeatWake, window: Window, drifted: Collection[str]) -> str:
    """W4, W13: what differs from what was armed, empty when nothing does."""
    if wake.policy_hash != window.hash:
        return "policy_changed"
    if window.adapter is None:
        return ""
    if wake.registered is None:
        return "adapter_revoked"
    if wake.registered != window.fingerprint or window.adapter in drifted:
        return "adapter_drift"
    return ""


def state_after(attempts: int, window: Window) -> str:
    """W15: what an intent is after so many leases that came to nothing."""
    return "failed" if attempts < window.policy.maximum_attempts else "terminal_hold"


def superseded(found: Advanced) -> Advanced:
    """W15: intents whose message the seat has acknowledged or answered need no wake any more."""
    wake = found.wake
    claimable = frozenset(wake.messages(*CLAIMABLE))
    chosen: dict[str, list[int]] = {"acknowledged": [], "answered": []}
    for one in wake.waiting:
        if one.message in claimable and one.message <= wake.cursor:
            chosen["acknowledged"].append(one.message)
        elif one.message in claimable and one.answered:
            chosen["answered"].append(one.message)
    for reason, messages in chosen.items():
        if messages:
            few = tuple(messages[:AT_ONCE])
            wake = with_intents(wake, few, "superseded", reason)
            found = found.then(wake, IntentsSuperseded(wake.seat, reason, few))
    return found


def _lease(found: Advanced, now: Moment) -> Advanced:
    """W14, W18: a lease that has run out counts as an attempt."""
    wake, lease = found.wake, found.wake.lease
    if lease is None or lease.left_ms(now):
        return found
    intent, window = wake.intent(lease.message), wake.window
    assert intent is not None
    assert window is not None
    over = later(lease.since, lease.run_ms, now)
    state = state_after(intent.attempts, window)
    wake = with_intents(wake, (lease.message,), state, "expired")
    op = LeaseExpired(lease.lease, wake.seat, lease.message, state, over)
    found = found.then(replace(wake, lease=None, ended=over), op)
    if state == "terminal_hold" and window.state in ("active", "draining"):
        return hold(found, "terminal_hold")
    return found


def _end(found: Advanced, now: Moment, rev: int) -> Advanced:
    """W12: what can't be claimed any more lapses; with nothing left the window closes."""
    found = superseded(found)
    wake, window = found.wake, found.wake.window
    assert window is not None
    reason = why_lapsing(wake, window, now)
    lapsing = wake.messages(*CLAIMABLE)[:AT_ONCE] if reason else ()
    if lapsing:
        wake = with_intents(wake, lapsing, "lapsed", reason)
        found = found.then(wake, IntentsLapsed(wake.seat, reason, lapsing))
    if wake.messages(*OPEN):
        return found
    receipt = closing_receipt(wake, window, rev)
    return found.then(with_window(wake, state="closed"), receipt)
