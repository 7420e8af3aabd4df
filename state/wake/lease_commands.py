"""Claiming, renewing and ending leases as commands (W16-W18, W29)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from state import checks
from state.adapters.queries import registered
from state.clock import Moment, after, elapsed_ms
from state.command import Actor
from state.errors import BadInput, Refused
from state.index.fold_wake import intent_id
from state.index.view import View
from state.roster import queries as roster
from state.roster.decide import may_act
from state.wake import gate, window
from state.wake.advance import state_after
from state.wake.consumers import Consumer, other_consumer, standing
from state.wake.gate import Answer, Claimer
from state.wake.load import seat_wake
from state.wake.model import SeatWake
from state.wake.operations import IntentsSuperseded, LeaseEnded, LeaseGranted, LeaseRenewed
from state.wake.queries import LeaseRow, lease
from state.wake.receipts import why_not_the_holder


@dataclass(frozen=True, slots=True)
class Claim:
    """W17: the oldest intent of the actor's own seat. `lease` is an id that nobody can guess.

    `consumers` are those that were seen to hold the seat's lock. The line has no `lease_granted`
    where nothing was left to claim: see `granted`.
    """

    lease: str
    adapter: str | None = None
    fingerprint: str | None = None
    consumers: Sequence[Consumer] = ()
    drifted: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checks.text(self.lease, "lease")
        if self.adapter is None and self.fingerprint is not None:
            raise BadInput("a fingerprint needs its adapter", "--adapter ID", field="adapter")
        if self.adapter is not None:
            checks.named(self.adapter, "adapter")

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (actor.seat,)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        wake = seat_wake(view, actor.seat)
        answer = self.answer(view, wake, now)
        aside = _set_aside(wake, answer)
        if answer.grant is None:
            if not aside:
                raise gate.refused_nothing(wake.seat)
            return aside
        assert wake.window is not None
        run_ms = wake.window.policy.lease_seconds * 1000
        grant = LeaseGranted(
            lease=self.lease,
            seat=wake.seat,
            intent=intent_id(wake.project, wake.seat, answer.grant.message),
            message=answer.grant.message,
            attempt=answer.grant.attempt,
            consumer=self.adapter or wake.seat,
            fingerprint=self.fingerprint,
            at=now,
            run_ms=run_ms,
            expires=after(now, run_ms),
        )
        return [*aside, grant]

    def answer(self, view: View, wake: SeatWake, now: Moment) -> Answer:
        """The gate's answer to this claim; it writes nothing (W23). ClaimRefused."""
        claimer = claimer_of(view, wake.seat, self.adapter, self.fingerprint)
        other = other_consumer(standing(view, wake.seat, self.consumers), claimer.name)
        return gate.ask(wake, claimer, now, other, self.drifted)

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        for op in ops:
            if op["op"] == "lease_granted":
                mine = (self.adapter or op["seat"], self.fingerprint)
                return mine == (op["consumer"], op["fingerprint"])
        # Nothing was left but what was set aside, whoever claimed.
        return any(op["op"] == "intents_superseded" for op in ops)


def granted(ops: Sequence[Mapping[str, Any]], seat: str) -> Mapping[str, Any]:
    """The lease that a claim got. ClaimRefused where all that was left was set aside."""
    found = next((op for op in ops if op["op"] == "lease_granted"), None)
    if found is None:
        raise gate.refused_nothing(seat)
    return found


def claimer_of(view: View, seat: str, adapter: str | None, fingerprint: str | None) -> Claimer:
    """Who claims, with the fingerprint by which its adapter is registered now."""
    found = None if adapter is None else registered(view, adapter)
    return Claimer(seat, adapter, fingerprint, None if found is None else found.fingerprint)


def _set_aside(wake: SeatWake, answer: Answer) -> list[IntentsSuperseded]:
    reasons: dict[str, list[int]] = {}
    for message, reason in answer.set_aside:
        reasons.setdefault(reason, []).append(message)
    return [
        IntentsSuperseded(wake.seat, reason, tuple(messages))
        for reason, messages in sorted(reasons.items())
    ]


@dataclass(frozen=True, slots=True)
class Renew:
    """W29: the holder lets its lease run on; that is no wake and needs no quota."""

    lease: str
    adapter: str | None = None
    fingerprint: str | None = None
    drifted: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checks.text(self.lease, "lease")

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (actor.seat,)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        may_act("W29", actor.seat, roster.find(view, actor.seat))
        row = lease(view, self.lease)
        claimer = claimer_of(view, actor.seat, self.adapter, self.fingerprint)
        unfit = why_not_the_holder(row.lease, row.seat, claimer)
        if unfit is not None:
            raise Refused("W29", unfit.reason, "only who holds the lease renews it")
        live(row, now)
        run_ms = may_renew(seat_wake(view, row.seat), row, now)
        return [LeaseRenewed(self.lease, row.seat, now, run_ms, after(now, run_ms))]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return any(op["op"] == "lease_renewed" and op["lease"] == self.lease for op in ops)


def live(row: LeaseRow, now: Moment) -> None:
    """W14, W29: a lease that no line and no time has ended."""
    if row.over is not None or not row.lease.left_ms(now):
        raise Refused(
            "W29",
            f"lease {row.lease.lease} is over ({row.over or 'expired'})",
            "claim again: wake claim",
        )


def may_renew(wake: SeatWake, row: LeaseRow, now: Moment) -> int:
    """W29: for how many milliseconds from now on, never beyond the longest lease."""
    assert wake.window is not None
    policy = wake.window.policy
    left = policy.maximum_lease_seconds * 1000 - elapsed_ms(row.lease.granted, now)
    wanted = policy.lease_seconds * 1000
    run_ms = min(wanted, left)
    if run_ms < wanted and run_ms <= row.lease.left_ms(now):
        raise Refused(
            "W29",
            f"lease {row.lease.lease} can't run longer than"
            f" {policy.maximum_lease_seconds} s from its grant",
            "bring a receipt before it ends: wake receipt",
        )
    return run_ms


@dataclass(frozen=True, slots=True)
class EndLease:
    """W18, W29: the user ends any live lease, with a reason; it counts as an attempt."""

    lease: str
    reason: str
    drifted: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checks.text(self.lease, "lease")
        checks.reason(self.reason)

    def guards(self) -> Mapping[str, int]:
        return {}

    def due_for(self, view: View, actor: Actor) -> Sequence[str]:
        return (lease(view, self.lease).seat,)

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        window.by_user_only(actor.seat, "ends leases")
        row = lease(view, self.lease)
        live(row, now)
        wake = seat_wake(view, row.seat)
        intent = wake.intent(row.lease.message)
        assert intent is not None
        assert wake.window is not None
        state = state_after(intent.attempts, wake.window)
        ended = LeaseEnded(self.lease, row.seat, row.lease.message, state, self.reason, now)
        return [ended, *window.held_by(wake, state)]

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        mine = {"op": "lease_ended", "lease": self.lease, "reason": self.reason}
        return any(mine.items() <= op.items() for op in ops)
