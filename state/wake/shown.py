"""What is shown of a seat's wakes, worked out from journal and clock (W24-W27, W31): pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from state.clock import Moment, after, elapsed_ms, seconds_between
from state.wake.advance import due
from state.wake.due import JUMP_MS
from state.wake.gate import cooldown_ms, quota_used
from state.wake.model import INTENT_STATES, SeatWake, Window, with_window
from state.wake.policy import Policy

# After so many intervals without a scan it is said that nobody scans (W31).
MISSED_SCANS = 3


@dataclass(frozen=True, slots=True)
class ShownWindow:
    """A window that is not closed, at one moment. Times left are milliseconds.

    `reason` is why it drains or is on hold. `scanned_at` is None where the last scan isn't known;
    `nobody_scans` is None then too, unless it can be told without it.
    """

    state: str
    reason: str
    number: int
    armed_at: str
    deadline: str
    left_ms: int
    quiet_cycles: int
    wakes: int
    baseline: int
    policy: Policy
    policy_hash: str
    adapter: str | None
    scanned_at: str | None
    nobody_scans: bool | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat at one moment: `window` is None while none is open, `wake` is as the time made it."""

    wake: SeatWake
    state: str
    window: ShownWindow | None
    cooldown_ms: int
    quota_left: int | None
    intents: Mapping[str, int]


def shown(
    wake: SeatWake, now: Moment, rev: int, scanned: Moment | None, *, damaged: bool = False
) -> Shown:
    """W27: what no line says yet is shown, but `closed` only once the closing receipt stands.

    In a journal that doesn't verify every open window is on hold (W13).
    """
    then = wake if damaged else due(wake, now, rev).wake
    state = "draining" if then.state == "closed" != wake.state else then.state
    if damaged and state != "closed":
        then = with_window(then, state="hold", cause="damaged")
        state = "hold"
    window = None if state == "closed" or then.window is None else then.window
    counts = Counter(intent.state for intent in then.intents)
    limits = window or (None if then.policy is None else then)
    policy = None if limits is None else limits.policy
    return Shown(
        wake=then,
        state=state,
        window=None if window is None else _window(window, state, now, scanned),
        cooldown_ms=0 if policy is None else cooldown_ms(then, policy, now),
        quota_left=None if policy is None else max(0, policy.hourly_quota - quota_used(then, now)),
        intents={name: counts[name] for name in INTENT_STATES if counts[name]},
    )


def _window(window: Window, state: str, now: Moment, scanned: Moment | None) -> ShownWindow:
    left = window.left_ms(now)
    return ShownWindow(
        state=state,
        reason=window.cause if state == "hold" else window.reason,
        number=window.number,
        armed_at=window.armed.utc,
        deadline=_deadline(window, now, left),
        left_ms=left,
        quiet_cycles=window.quiet,
        wakes=window.wakes,
        baseline=window.baseline,
        policy=window.policy,
        policy_hash=window.hash,
        adapter=window.adapter,
        scanned_at=None if scanned is None else scanned.utc,
        nobody_scans=nobody_scans(window, now, scanned) if state == "active" else False,
    )


def _deadline(window: Window, now: Moment, left_ms: int) -> str:
    """When the clock will show the deadline: as armed, unless somebody set the clock since."""
    armed = after(window.armed, window.policy.window_seconds * 1000)
    by_now = after(now, left_ms)
    as_armed = not left_ms or abs(seconds_between(armed, by_now)) * 1000 < JUMP_MS
    return armed if as_armed else by_now


def nobody_scans(window: Window, now: Moment, scanned: Moment | None) -> bool | None:
    """W31: whether an active window's last scan is older than three scan intervals.

    Arming is a scan, and so is a counted cycle. None where only the lost hint could tell.
    """
    limit = MISSED_SCANS * window.policy.scan_interval_seconds * 1000
    known = [window.armed, window.counted, *(() if scanned is None else (scanned,))]
    if min(elapsed_ms(moment, now) for moment in known) <= limit:
        return False
    return None if scanned is None else True
