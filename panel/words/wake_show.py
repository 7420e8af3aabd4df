"""What is said of windows, intents, leases and scans: never more than was checked (W24, W25).

The words hold text from outside; they reach a terminal or widget through its door alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from panel.present import ages
from panel.words import signs, wake_policy, windows
from panel.words import wake as words

if TYPE_CHECKING:
    from state.scanner import SeatFound
    from state.wake.shown import Shown

NOBODY_SCANS = "armed, nobody scans: wake run, or open the panel"
NOT_KNOWN = "last scan not known"
NOT_YET = "no scan known since it was armed"


def state(one: Shown, now: str) -> Iterator[str]:
    """A seat's window in a few lines, as it stands by the clock (W26, W27)."""
    window, seat = one.window, signs.seat(one.wake.seat)
    if window is None:
        yield f"{seat}: {windows.IN_FULL['closed']}"
        return
    reason = windows.why(window)
    yield f"{seat}: {windows.IN_FULL[window.state]}" + (f" · {reason}" if reason else "")
    limits = window.policy
    yield (
        f"  deadline {wake_policy.until(window.deadline, now)} · wakes"
        f" {window.wakes}/{limits.maximum_wakes} · quiet cycles"
        f" {window.quiet_cycles}/{limits.maximum_quiet_cycles}"
    )
    rest = windows.countdown(one.cooldown_ms) if one.cooldown_ms else "none"
    yield f"  quota {one.quota_left} of {limits.hourly_quota} left this hour · cooldown {rest}"
    if window.state == "active":
        yield f"  {scans(window.nobody_scans, window.scanned_at, now)}"


def scans(nobody: bool | None, at: str | None, now: str) -> str:
    """W31: when a window was last scanned."""
    if nobody:
        return NOBODY_SCANS
    if at is None:
        return NOT_KNOWN if nobody is None else NOT_YET
    passed = ages.age(at, ages.parsed(now))
    return "scanned just now" if passed == "now" else f"scanned {ages.ago(passed)}"


def intents(counts: Mapping[str, int]) -> str:
    """Intents by state (W24)."""
    said = [f"{count:,} {words.INTENT[name]}" for name, count in counts.items()]
    return ", ".join(said) or "none"


def scanned(found: SeatFound) -> str:
    """What one scan of one seat came to, in one line."""
    count, passed = found.created, sum(found.passed.values())
    said = [f"{count:,} new intent{'' if count == 1 else 's'}"] if count else []
    said += [f"{passed:,} passed over"] if passed else []
    return f"{', '.join(said) or 'nothing new'} · window {windows.IN_FULL[found.window]}"


def passed_over(found: SeatFound) -> Iterator[str]:
    """Why a scan passed messages over, a line for each reason (W11)."""
    for reason, count in found.passed.items():
        yield f"  passed over: {count:,} {words.PASSED[reason]}"


def lease(one: Mapping[str, Any], now: str) -> str:
    """A lease: its holder, and the time left or how it ended."""
    said = f"lease {one['lease'][:8]}… on #{one['message']}, attempt {one['attempt']}, held by"
    said += f" {one['consumer']}"
    if one["over"] is None:
        return f"{said}: {windows.countdown(one['left_seconds'] * 1000)} left"
    return f"{said.replace('held by', 'by')}: over ({OVER.get(one['over'], one['over'])})"


OVER: Mapping[str, str] = {
    "sent_and_verified": "verified",
    "timeout": "timed out",
    "expired": "expired without a receipt",
    "ended": "you ended it",
    "forked": "this project is a copy",
}


def receipt(one: Mapping[str, Any]) -> str:
    """A receipt as what was checked (W25); a refused one says why."""
    if one["code"] is not None:
        why = one["reason"] if one["lease_known"] else words.names_no_lease(one["lease"])
        return f"a receipt was refused: {why}"
    said = words.receipt(one)
    became = None if one["evidence"] is None else one["evidence"].get("now")
    return said if became in (None, "unchanged") else f"{said}; the file is {became} since"


def leases(
    given: Sequence[Mapping[str, Any]], receipts: Sequence[Mapping[str, Any]], now: str
) -> Iterator[str]:
    """Leases, newest first, each with the receipts brought for it; then other receipts."""
    known = {one["lease"] for one in given}
    for one in given:
        yield f"  {lease(one, now)}"
        for brought in receipts:
            if brought["lease"] == one["lease"]:
                yield f"    r{brought['rev']}: {receipt(brought)}"
    for brought in receipts:
        if brought["lease"] not in known:
            yield f"  r{brought['rev']}: {receipt(brought)}"


def closing(op: Mapping[str, Any]) -> Iterator[str]:
    """The closing receipt: what the last window came to (W12)."""
    yield (
        f"  the last window, r{op['first']} to r{op['last']}, closed:"
        f" {words.DRAINING.get(op['reason'], op['reason'])}"
    )
    outcomes = {one["name"]: one["count"] for one in op["outcomes"]}
    yield f"    wakes {op['wakes']} · intents: {intents(outcomes)}"
    if op["passed"]:
        passed = ", ".join(f"{one['count']:,} {words.PASSED[one['name']]}" for one in op["passed"])
        yield f"    passed over: {passed}"
    if op["lapses"]:
        lapses = ", ".join(f"{one['count']:,}: {words.LAPSED[one['name']]}" for one in op["lapses"])
        yield f"    lapsed: {lapses}"
    for name in ("lapsed", "dismissed", "terminal_hold"):
        if op[name]:
            yield f"    {words.INTENT[name]}: {', '.join(map(_range, op[name]))}"
    if not op["named"]:
        yield f"    {words.NOT_ALL_NAMED}"


def _range(ends: Sequence[int]) -> str:
    first, last = ends
    return f"#{first}" if first == last else f"#{first}-#{last}"
