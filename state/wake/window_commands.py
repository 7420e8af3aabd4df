"""Policies and windows as commands of the user (W1-W10, W13)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from state import checks
from state.clock import Moment
from state.command import Actor
from state.errors import BadInput, Refused, RevisionConflict
from state.index.view import View
from state.wake import window
from state.wake.consumers import Consumer, standing
from state.wake.load import seat_wake, seats_with_open_window
from state.wake.model import SeatWake
from state.wake.operations import PolicyDisabled, PolicyEnabled, PolicySet, WindowHeld
from state.wake.policy import Policy, hash_of, text_of

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WakeChange:
    """A change of one seat's policy or window by the user."""

    OP: ClassVar[str] = ""
    WHAT: ClassVar[str] = ""

    seat: str
    drifted: Collection[str] = field(default=NOTHING, kw_only=True)

    def __post_init__(self) -> None:
        checks.named(self.seat, "seat")

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (self.seat,)

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(op["op"] == self.OP and op["seat"] == self.seat for op in ops)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        window.by_user_only(actor.seat, self.WHAT)
        return self.operations(view, seat_wake(view, self.seat), now)

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        """What it comes to, or Refused."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _OfPolicy(WakeChange):
    """A change that is meant for the policy that its author saw.

    `seen` is the revision of `policy:SEAT` then, 0 where there was none; None asks for none.
    """

    seen: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        WakeChange.__post_init__(self)
        if self.seen is not None:
            checks.revision(self.seen, "seen")

    def guards(self) -> Mapping[str, int]:
        return {} if self.seen is None else {f"policy:{self.seat}": self.seen}


@dataclass(frozen=True, slots=True)
class SetPolicy(_OfPolicy):
    """W2-W5: the policy of a seat; an open window goes on hold by it (W4)."""

    OP: ClassVar[str] = "policy_set"
    WHAT: ClassVar[str] = "sets wake policies"

    policy: Policy

    def __post_init__(self) -> None:
        _OfPolicy.__post_init__(self)
        if self.policy.seat != self.seat:
            raise BadInput(f"the policy is for {self.policy.seat}", field="seat")

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {"op": self.OP, "seat": self.seat, "policy": text_of(self.policy)}
        return any(mine.items() <= op.items() for op in ops)

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        if self.policy.project != wake.project:
            raise Refused(
                "W5",
                "the policy was made for another project",
                f"make one here: wake policy set {self.seat}",
            )
        text = text_of(self.policy)
        digest = hash_of(text)
        if digest == wake.policy_hash:
            raise Refused("W4", f"{self.seat} has this very policy already", "nothing to do")
        found: list[object] = [PolicySet(self.seat, text, digest)]
        if wake.state in ("active", "draining"):
            found.append(WindowHeld(self.seat, wake.state, "policy_changed"))
        return found


@dataclass(frozen=True, slots=True)
class EnablePolicy(_OfPolicy):
    """W1: by the user alone, and nothing is armed by it."""

    OP: ClassVar[str] = "policy_enabled"
    WHAT: ClassVar[str] = "enables wake policies"

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        may_enable(wake)
        return [PolicyEnabled(self.seat)]


@dataclass(frozen=True, slots=True)
class DisablePolicy(_OfPolicy):
    """W10: an active window drains by it."""

    OP: ClassVar[str] = "policy_disabled"
    WHAT: ClassVar[str] = "disables wake policies"

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        may_disable(wake)
        return [PolicyDisabled(self.seat)]


def may_enable(wake: SeatWake) -> None:
    """W1, W5: a policy of this project that is not enabled yet."""
    seat = wake.seat
    if wake.policy is None:
        raise Refused("W1", f"{seat} has no wake policy", f"set one: wake policy set {seat}")
    if wake.policy.project != wake.project:
        raise Refused(
            "W5",
            f"the policy of {seat} was made for another project",
            f"set it again: wake policy set {seat}",
        )
    if wake.enabled:
        raise Refused("W1", f"the policy of {seat} is enabled already", "nothing to do")


def may_disable(wake: SeatWake) -> None:
    """W1."""
    if not wake.enabled:
        raise Refused("W1", f"the policy of {wake.seat} is not enabled", "nothing to do")


@dataclass(frozen=True, slots=True)
class _Confirmed(WakeChange):
    """What the person was shown and agreed to: another policy or window is a conflict (W6).

    `consumers` are those that hold the seat's lock; those declared are asked of the journal.
    """

    policy_hash: str
    policy_revision: int
    window_revision: int
    consumers: Sequence[Consumer] = ()

    def guards(self) -> Mapping[str, int]:
        return {
            f"policy:{self.seat}": self.policy_revision,
            f"window:{self.seat}": self.window_revision,
        }

    def check_hash(self, wake: SeatWake) -> None:
        """W6: the policy that was shown is the one that is meant."""
        if self.policy_hash != wake.policy_hash:
            entity = f"policy:{self.seat}"
            raise RevisionConflict(entity, self.policy_revision, wake.policy_revision, ())


@dataclass(frozen=True, slots=True)
class Arm(_Confirmed):
    """W6-W8: `checked` is when what was shown was checked."""

    OP: ClassVar[str] = "window_armed"
    WHAT: ClassVar[str] = "arms wake windows"

    checked: str = ""

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        policy = window.may_arm(wake, self.drifted, standing(view, self.seat, self.consumers))
        self.check_hash(wake)
        baseline = int(view.meta("last_message"))
        return [window.arm(wake, policy, baseline, now, self.checked or now.utc)]


@dataclass(frozen=True, slots=True)
class Resume(_Confirmed):
    """W13."""

    OP: ClassVar[str] = "window_resumed"
    WHAT: ClassVar[str] = "resumes wake windows"

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        held = window.may_resume(wake, self.drifted, standing(view, self.seat, self.consumers))
        self.check_hash(wake)
        return [window.resume(wake, held, now)]


@dataclass(frozen=True, slots=True)
class Drain(WakeChange):
    """W10, W13: no new intents; by the user, at once."""

    OP: ClassVar[str] = "window_draining"
    WHAT: ClassVar[str] = "drains wake windows"

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        return [window.drain(wake)]


@dataclass(frozen=True, slots=True)
class Hold(WakeChange):
    """W13: by the user, at once."""

    OP: ClassVar[str] = "window_held"
    WHAT: ClassVar[str] = "holds wake windows"

    def operations(self, view: View, wake: SeatWake, now: Moment) -> Sequence[object]:
        return [window.hold(wake)]


@dataclass(frozen=True, slots=True)
class HoldAll:
    """W13: every window that is active or draining, in one line."""

    drifted: Collection[str] = NOTHING

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return seats_with_open_window(view)

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(op["op"] == "window_held" and op["reason"] == "user" for op in ops)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        window.by_user_only(actor.seat, Hold.WHAT)
        return may_hold_all([seat_wake(view, seat) for seat in seats_with_open_window(view)])


def may_hold_all(wakes: Sequence[SeatWake]) -> Sequence[WindowHeld]:
    """W13: the windows that can be held. Refused when there is none."""
    found = [window.hold(wake) for wake in wakes if wake.state in ("active", "draining")]
    if not found:
        raise Refused("W13", "no window is active or draining", "nothing to hold")
    return found
