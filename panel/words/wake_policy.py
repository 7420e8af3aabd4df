"""Wake policies in words: what each limit means, which messages wake, what arming agrees to (W6).

The words hold text from outside; they reach a terminal or widget through its door alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from panel.present import ages
from panel.words import adapters, signs
from panel.words import wake as words
from state.wake.policy import LIMITS

if TYPE_CHECKING:
    from state.wake.arming import Agreement
    from state.wake.policy import Policy, Triggers

MEANING: Mapping[str, str] = {
    "window_seconds": "how long it stays armed at most",
    "maximum_quiet_cycles": "quiet cycles in a row, then it drains",
    "maximum_wakes": "leases in one window, retries too",
    "scan_interval_seconds": "at most one quiet cycle is counted in it",
    "cooldown_seconds": "rest after a lease before the next one",
    "hourly_quota": "leases in any hour, over all its windows",
    "lease_seconds": "how long a lease runs unless it is renewed",
    "maximum_lease_seconds": "and at most, however often it is renewed",
    "maximum_attempts": "leases for one message, then you decide",
    "maximum_hops": "messages over more hops wake nobody",
}
ARM = "Arm it?"
RESUME = "Resume it?"
_VALUE_CELLS = 8
_NO_WAY_BACK = (
    "What is pending lapses, its messages stay unread; a live lease runs on. Nothing leads back: to"
    " go on, enable the policy and arm again."
)
# By the state of the window that is open.
_DISABLING: Mapping[str, str] = {
    "active": f"Its window is armed: it drains by this. {_NO_WAY_BACK}",
    "draining": f"Its window still drains. {_NO_WAY_BACK}",
    "hold": (
        "Its window is on hold. Unless you enable the policy before you resume, it can only drain"
        " then, and what is pending lapses."
    ),
}


def limit(policy: Policy, name: str) -> str:
    """The value of a limit with its unit."""
    value = f"{getattr(policy, name):,}"
    return f"{value} s" if name.endswith("_seconds") else value


def limits(policy: Policy) -> Iterator[str]:
    """Every limit with its value and what it means."""
    names = max(len(limit.name) for limit in LIMITS)
    for one in LIMITS:
        value = limit(policy, one.name)
        yield f"  {one.name:<{names}}  {value:>{_VALUE_CELLS}}  {MEANING[one.name]}"


def triggers(given: Triggers) -> str:
    """Which messages give an intent."""
    senders = (
        f"from {', '.join(map(signs.seat, given.senders))}" if given.senders else "from any seat"
    )
    urgency = f"{' or '.join(given.urgency)} urgency" if given.urgency else "any urgency"
    to = "direct ones only" if given.addressing == "direct" else "direct ones and those to all"
    return f"{', '.join(given.kinds)} · {senders} · {urgency} · {to}"


def claimer(policy: Policy) -> str:
    """Who may claim in a window that is armed with this policy (W7)."""
    if policy.adapter_id is None:
        return f"{policy.seat} itself, no adapter (intent_only)"
    fingerprint = (policy.fingerprint or "")[: adapters.HINT_HEX]
    return f"adapter {policy.adapter_id}, fingerprint {fingerprint}…"


def policy(one: Policy, digest: str, *, enabled: bool) -> Iterator[str]:
    """A policy whole."""
    state = "enabled" if enabled else f"disabled; enable it with: wake policy enable {one.seat}"
    yield f"wake policy of {signs.seat(one.seat)}: {state}"
    yield f"  hash     {digest}"
    yield f"  wakes    {triggers(one.triggers)}"
    yield f"  claims   {claimer(one)}"
    yield from limits(one)


def disables(seat: str) -> str:
    """The question before a policy that is in force in an open window is disabled."""
    return f"Disable the wake policy of {seat}?"


def disabling(state: str) -> str:
    """What that does to the window."""
    return _DISABLING[state]


def agreed_to(found: Agreement, now: datetime) -> Iterator[str]:
    """W6: what arming or resuming agrees to, as it was looked at."""
    wake, one = found.wake, found.policy
    seat = signs.seat(wake.seat)
    if found.resumes:
        yield from _resumed(found, seat)
    else:
        yield f"arm the wake window of {seat}; messages that came before are never replayed"
    if one is None:
        return
    yield f"  policy   {wake.policy_hash}"
    if found.deadline is not None:
        yield f"  deadline {moment(found.deadline, now)}"
    yield f"  wakes    {triggers(one.triggers)}"
    yield f"  claims   {claimer(one)}"
    yield from limits(one)
    yield from _checked(found, one, now)


def _resumed(found: Agreement, seat: str) -> Iterator[str]:
    window = found.wake.window
    if window is None:
        return
    cause = words.HOLD.get(window.cause, window.cause)
    yield f"resume the wake window of {seat}, on hold: {cause}"
    yield f"  it goes back to: {window.origin}, with {window.wakes:,} wakes used"


def _checked(found: Agreement, one: Policy, now: datetime) -> Iterator[str]:
    """The read-only check: project binding, adapter, declared consumers, exclusivity."""
    yield f"checked {moment(found.at, now)}; the check only read:"
    bound = "bound to this project" if one.project == found.wake.project else "OF ANOTHER PROJECT"
    yield f"  project  the policy is {bound}"
    if one.adapter_id is not None:
        became = "not registered" if found.adapter is None else found.adapter.became
        sign = adapters.BECAME.get(became)
        yield f"  adapter  {one.adapter_id}: {became if sign is None else sign.word}"
    if not found.consumers:
        yield "  claimers nobody is declared or holds the seat's lock: exclusive"
    for consumer in found.consumers:
        since = "" if consumer.since is None else f" since {moment(consumer.since, now)}"
        yield f"  claimers {adapters.who(consumer)} {adapters.KINDS[consumer.kind].word}{since}"


def moment(time: str, now: datetime) -> str:
    """A time in the person's zone, the zone named, with the age beside it."""
    zone = ages.now_line(ages.parsed(time)).partition(" ")[2]
    return f"{ages.clock(time, now)} {zone} ({ages.age(time, now)})"


def until(time: str, now: str) -> str:
    """A time to come, as in "17:58 UTC+2 (in 30 m)"."""
    return moment(time, ages.parsed(now))
