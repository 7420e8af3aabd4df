"""What the user may do with a window: arm, drain, hold, resume (W6-W8, W10, W13), as decisions."""

from collections.abc import Collection, Sequence

from state.clock import Moment, after
from state.command import USER
from state.errors import Refused
from state.wake.advance import drift, why_draining
from state.wake.consumers import Consumer, in_the_way, other_consumer
from state.wake.model import HELD, SeatWake, Window
from state.wake.operations import WindowArmed, WindowDraining, WindowHeld, WindowResumed
from state.wake.policy import Policy


def by_user_only(actor: str, what: str) -> None:
    """W6: an agent, a message or a scanner never arms, drains, holds or resumes."""
    if actor != USER:
        raise Refused(
            "W6",
            f"only the user {what}; {actor} may not",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )


def may_arm(
    wake: SeatWake, drifted: Collection[str] = (), consumers: Sequence[Consumer] = ()
) -> Policy:
    """W5, W7: gives the policy that a window of this seat would be armed with."""
    seat, policy = wake.seat, wake.policy
    if wake.open_window is not None:
        raise Refused(
            "W7",
            f"a window of {seat} is {wake.state} already",
            f"resume it, or let it drain first: wake drain {seat}",
        )
    if not wake.is_active:
        raise Refused("W7", f"{seat} is inactive", f"bring it back: seat restore {seat}")
    if policy is None:
        raise Refused("W7", f"{seat} has no wake policy", f"set one: wake policy set {seat}")
    if policy.project != wake.project:
        raise Refused(
            "W5",
            f"the policy of {seat} was made for another project",
            f"set it again: wake policy set {seat}",
        )
    if not wake.enabled:
        raise Refused(
            "W7", f"the policy of {seat} is disabled", f"enable it: wake policy enable {seat}"
        )
    _adapter_stands(wake, policy, drifted)
    other = other_consumer(consumers, policy.adapter_id or seat)
    if other is not None:
        raise in_the_way(other)
    return policy


def _adapter_stands(wake: SeatWake, policy: Policy, drifted: Collection[str]) -> None:
    if policy.adapter_id is None:
        return
    adapter = policy.adapter_id
    if wake.registered is None:
        raise Refused(
            "W7",
            f"adapter {adapter} is not registered",
            f"register it: adapter register {adapter} FILE…",
        )
    if wake.registered != policy.fingerprint:
        raise Refused(
            "W7",
            f"adapter {adapter} is registered with another fingerprint than the policy names",
            f"name it anew: wake policy set {wake.seat} --adapter {adapter}",
        )
    if adapter in drifted:
        raise Refused(
            "W7",
            f"the files of adapter {adapter} aren't those that were registered",
            f"compare: adapter check {adapter}",
        )


def arm(wake: SeatWake, policy: Policy, baseline: int, now: Moment, checked: str) -> WindowArmed:
    """W8: the first scan, which creates nothing."""
    return WindowArmed(
        seat=wake.seat,
        policy_hash=wake.policy_hash,
        adapter=policy.adapter_id,
        fingerprint=policy.fingerprint,
        baseline=baseline,
        at=now,
        deadline=after(now, policy.window_seconds * 1000),
        checked=checked,
    )


def may_drain(wake: SeatWake) -> Window:
    """W10, W13: an active window, or one on hold."""
    window = _open(wake, "drain")
    if window.state == "draining":
        raise Refused("W10", f"the window of {wake.seat} is draining already", "nothing to do")
    return window


def drain(wake: SeatWake) -> WindowDraining:
    """W10: the user says so."""
    may_drain(wake)
    return WindowDraining(wake.seat, "user")


def may_hold(wake: SeatWake) -> Window:
    """W13: an active or draining window."""
    window = _open(wake, "hold")
    if window.state == "hold":
        raise Refused("W13", f"the window of {wake.seat} is on hold already", "nothing to do")
    return window


def hold(wake: SeatWake) -> WindowHeld:
    """W13: the user says so."""
    return WindowHeld(wake.seat, may_hold(wake).state, "user")


def may_resume(
    wake: SeatWake, drifted: Collection[str] = (), consumers: Sequence[Consumer] = ()
) -> Window:
    """W13: a window on hold whose cause is gone."""
    window = _open(wake, "resume")
    if window.state != "hold":
        raise Refused(
            "W13", f"the window of {wake.seat} is {window.state}, not on hold", "nothing to do"
        )
    cause = drift(wake, window, drifted)
    if cause:
        raise Refused(
            "W13",
            f"the cause of the hold stands: {HELD[cause]}",
            f"let it drain: wake drain {wake.seat}",
        )
    stuck = wake.messages("terminal_hold")
    if stuck:
        raise Refused(
            "W13",
            f"the cause of the hold stands: the intent for #{stuck[0]} has used up its attempts",
            "retry or dismiss it: wake intent retry ID, wake intent dismiss ID",
            blocking=(("terminal_hold", len(stuck), stuck[0]),),
        )
    other = other_consumer(consumers, window.adapter or wake.seat)
    if other is not None:
        raise in_the_way(other)
    return window


def resume(wake: SeatWake, window: Window, now: Moment) -> WindowResumed:
    """W13: to where it came from, unless it can only drain by now."""
    if window.origin == "draining":
        return WindowResumed(wake.seat, "draining", window.reason or "user")
    reason = why_draining(wake, window, now)
    return WindowResumed(wake.seat, "draining" if reason else "active", reason)


def held_by(wake: SeatWake, state: str) -> Sequence[WindowHeld]:
    """W13: what an intent that got into that state does to the window that it belongs to."""
    if state != "terminal_hold" or wake.state not in ("active", "draining"):
        return ()
    return (WindowHeld(wake.seat, wake.state, "terminal_hold"),)


def _open(wake: SeatWake, what: str) -> Window:
    window = wake.open_window
    if window is None:
        raise Refused(
            "W13",
            f"no window of {wake.seat} is open",
            f"nothing to {what}; arm one: wake arm {wake.seat}",
        )
    return window
