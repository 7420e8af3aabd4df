"""May this seat's oldest intent be claimed, now, by this consumer (W16, W17, W28): pure decisions.

It reads nothing, starts nothing and spends nothing.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from state.clock import Moment, elapsed_ms, seconds_between
from state.errors import ClaimRefused
from state.wake.model import CLAIMABLE, DRAINED, HELD, SeatWake, Waiting, Window
from state.wake.policy import Policy

if TYPE_CHECKING:
    from state.wake.consumers import Consumer

HOUR_MS = 3_600_000
CODES = (
    *("project_mismatch", "seat_inactive", "seat_away", "window_closed", "window_hold"),
    *("policy_disabled", "policy_changed", "adapter_unregistered", "fingerprint_mismatch"),
    *("not_your_seat", "other_consumer", "seat_busy", "deadline_passed", "wakes_used"),
    *("cooldown", "hourly_quota", "nothing_pending"),
)


class Claimer(NamedTuple):
    """Who claims for the seat it acts as: an adapter with its fingerprint, or the seat itself.

    `registered` is the fingerprint by which that adapter is registered, None for none.
    """

    seat: str
    adapter: str | None = None
    fingerprint: str | None = None
    registered: str | None = None

    @property
    def name(self) -> str:
        """W22: the name by which a consumer is declared."""
        return self.adapter or self.seat


class Grant(NamedTuple):
    """The intent that a claim gets, and which attempt it is."""

    message: int
    attempt: int


class Answer(NamedTuple):
    """What a claim comes to once everything but the intents themselves allows it.

    `set_aside` are the intents that were found to need no wake: message and reason, oldest first.
    """

    grant: Grant | None
    set_aside: tuple[tuple[int, str], ...]


def ask(
    wake: SeatWake,
    claimer: Claimer,
    now: Moment,
    other: "Consumer | None" = None,
    drifted: Collection[str] = (),
) -> Answer:
    """W16: the checks in their order, on a seat that is as the time has made it (`advance.due`).

    ClaimRefused with the code of the first check that fails; `nothing_pending` is an answer
    without a grant, because what was set aside on the way is written all the same.
    """
    window = _window(wake, now)
    _policy(wake, window)
    _consumer(wake, window, claimer, other, drifted)
    _limits(wake, window, now)
    return _oldest(wake, window)


def refused_nothing(seat: str) -> ClaimRefused:
    """W16: the last answer of all."""
    return ClaimRefused(
        "nothing_pending",
        f"nothing is pending for {seat}",
        "ask again when a message has come and was scanned: wake scan",
    )


def set_aside(wake: SeatWake, window: Window, one: Waiting) -> str:
    """W16: why an intent needs no wake after all, empty when it does."""
    if one.own:
        return "self_message"
    if one.hops > window.policy.maximum_hops:
        return "hops"
    if one.message <= wake.cursor:
        return "acknowledged"
    return "answered" if one.answered else ""


def cooldown_ms(wake: SeatWake, policy: Policy, now: Moment) -> int:
    """W28: milliseconds until the seat has rested since the end of its last lease."""
    if wake.ended is None:
        return 0
    return max(0, policy.cooldown_seconds * 1000 - elapsed_ms(wake.ended, now))


def quota_used(wake: SeatWake, now: Moment) -> int:
    """W28: leases granted to the seat in the last hour."""
    return sum(elapsed_ms(granted, now) < HOUR_MS for granted in wake.grants)


def quota_ms(wake: SeatWake, policy: Policy, now: Moment) -> int:
    """W28: milliseconds until the hourly quota allows another lease, 0 when it does."""
    # On another boot a grant can look younger than one that came after it (W14).
    ages = sorted(elapsed_ms(granted, now) for granted in wake.grants)
    quota = policy.hourly_quota
    return 0 if len(ages) < quota else max(0, HOUR_MS - ages[quota - 1])


def _window(wake: SeatWake, now: Moment) -> Window:
    seat = wake.seat
    if wake.policy is not None and wake.policy.project != wake.project:
        raise ClaimRefused(
            "project_mismatch",
            f"the policy of {seat} was made for another project",
            f"the user sets it again: wake policy set {seat}",
        )
    if not wake.is_active:
        raise ClaimRefused(
            "seat_inactive", f"{seat} is inactive", f"the user restores it: seat restore {seat}"
        )
    if wake.away_until is not None and now.utc < wake.away_until:
        raise ClaimRefused(
            "seat_away",
            f"{seat} is marked away until {wake.away_until}",
            f"the user marks it back: seat back {seat}",
            _seconds(round(seconds_between(now.utc, wake.away_until) * 1000)),
        )
    window = wake.open_window
    if window is None:
        last = wake.window
        why = "" if last is None else f"; the last one: {DRAINED.get(last.reason, last.reason)}"
        raise ClaimRefused(
            "window_closed",
            f"no window of {seat} is open{why}",
            f"the user arms one: wake arm {seat}",
        )
    if window.state == "hold":
        raise ClaimRefused(
            "window_hold",
            f"the window of {seat} is on hold: {HELD.get(window.cause, window.cause)}",
            f"the user resumes it: wake resume {seat}",
        )
    return window


def _policy(wake: SeatWake, window: Window) -> None:
    if not wake.enabled:
        raise ClaimRefused(
            "policy_disabled",
            f"the policy of {wake.seat} is disabled",
            f"the user enables it: wake policy enable {wake.seat}",
        )
    if wake.policy_hash != window.hash:
        raise ClaimRefused(
            "policy_changed",
            f"the policy of {wake.seat} isn't the one that its window was armed with",
            f"the user drains the window and arms anew: wake drain {wake.seat}",
        )


def _consumer(
    wake: SeatWake,
    window: Window,
    claimer: Claimer,
    other: "Consumer | None",
    drifted: Collection[str],
) -> None:
    if claimer.adapter is not None:
        _adapter(window, claimer, drifted)
    if claimer.seat != wake.seat or claimer.adapter != window.adapter:
        raise _not_yours(wake, window, claimer)
    if other is not None:
        raise ClaimRefused("other_consumer", other.said, other.ending)


def _adapter(window: Window, claimer: Claimer, drifted: Collection[str]) -> None:
    if claimer.registered is None:
        raise ClaimRefused(
            "adapter_unregistered",
            f"adapter {claimer.adapter} is not registered",
            f"the user registers it: adapter register {claimer.adapter} FILE…",
        )
    wanted = {claimer.registered}
    if claimer.adapter == window.adapter:
        wanted.add(window.fingerprint or "")
    if wanted != {claimer.fingerprint}:
        raise ClaimRefused(
            "fingerprint_mismatch",
            f"the fingerprint given isn't that of adapter {claimer.adapter}, registered and armed",
            "give it whole, as registered: --fingerprint F; see: adapter list --json",
        )
    if claimer.adapter in drifted:
        raise ClaimRefused(
            "fingerprint_mismatch",
            f"the files of adapter {claimer.adapter} aren't those that were registered",
            f"compare: adapter check {claimer.adapter}",
        )


def _not_yours(wake: SeatWake, window: Window, claimer: Claimer) -> ClaimRefused:
    who = "the seat itself" if window.adapter is None else f"adapter {window.adapter}"
    return ClaimRefused(
        "not_your_seat",
        f"in this window of {wake.seat} {who} may claim, {claimer.name} may not",
        f"see: wake show {wake.seat}",
    )


def _limits(wake: SeatWake, window: Window, now: Moment) -> None:
    seat = wake.seat
    if wake.lease is not None:
        raise ClaimRefused(
            "seat_busy",
            f"{seat} holds a lease on #{wake.lease.message} ({wake.lease.consumer})",
            "its holder ends it with a receipt; the user can: wake end LEASE --reason …",
            _seconds(wake.lease.left_ms(now)),
        )
    if not window.left_ms(now):
        raise ClaimRefused(
            "deadline_passed",
            f"the deadline of {seat}'s window has passed",
            f"the user arms anew: wake arm {seat}",
        )
    if window.wakes >= window.policy.maximum_wakes:
        raise ClaimRefused(
            "wakes_used",
            f"all {window.policy.maximum_wakes} wakes of {seat}'s window are used",
            f"the user arms anew: wake arm {seat}",
        )
    rest = cooldown_ms(wake, window.policy, now)
    if rest:
        raise ClaimRefused(
            "cooldown", f"{seat} rests since its last lease", "ask again later", _seconds(rest)
        )
    rest = quota_ms(wake, window.policy, now)
    if rest:
        raise ClaimRefused(
            "hourly_quota",
            f"{seat} had its {window.policy.hourly_quota} leases of an hour",
            "ask again later",
            _seconds(rest),
        )


def _oldest(wake: SeatWake, window: Window) -> Answer:
    aside: list[tuple[int, str]] = []
    for one in wake.waiting:
        intent = wake.intent(one.message)
        if intent is None or intent.state not in CLAIMABLE:
            continue
        reason = set_aside(wake, window, one)
        if not reason:
            return Answer(Grant(one.message, intent.attempts + 1), tuple(aside))
        aside.append((one.message, reason))
    return Answer(None, tuple(aside))


def _seconds(ms: int) -> int:
    """Whole seconds, so that whoever waits so long isn't too early."""
    return max(1, -(-ms // 1000))
