"""What is said of a seat's wake window in few words: armed is not online (W24, W25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from panel.words import wake

if TYPE_CHECKING:
    from state.wake.shown import Shown, ShownWindow

NONE = "—"
WINDOWS: Mapping[str, str] = {
    "closed": "○ closed",
    "active": "◐ active",
    "draining": "◌ draining",
    "hold": "■ hold",
}
IN_FULL: Mapping[str, str] = {**WINDOWS, "active": "◐ active (armed)"}
INTENTS: Mapping[str, str] = {
    "pending": "pending",
    "claimed": "claimed",
    "failed": "failed",
    "terminal_hold": "held",
    "sent_and_verified": "verified",
    "superseded": "superseded",
    "lapsed": "lapsed",
    "dismissed": "dismissed",
}
NOBODY_SCANS = "armed, nobody scans: sublation-panel wake run"
SCAN_NOT_KNOWN = "last scan not known"


def countdown(ms: int) -> str:
    """Time left as minutes and seconds, from an hour on with hours: "04:12", "1:04:12"."""
    seconds = -(-ms // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def left(window: ShownWindow) -> str:
    """Time left to the deadline."""
    return f"{countdown(window.left_ms)} left" if window.left_ms else "deadline passed"


def why(window: ShownWindow) -> str:
    """Why it is on hold or drains, empty while it is active."""
    if window.state == "hold":
        return wake.HOLD.get(window.reason, window.reason)
    if window.state == "draining":
        return wake.DRAINING.get(window.reason, window.reason)
    return ""


def used(window: ShownWindow) -> str:
    """Wakes and quiet cycles of their maximum."""
    policy = window.policy
    return (
        f"wakes {window.wakes}/{policy.maximum_wakes} ·"
        f" quiet cycles {window.quiet_cycles}/{policy.maximum_quiet_cycles}"
    )


def rest(one: Shown, window: ShownWindow) -> str:
    """Quota left of the hour, and the cooldown that runs."""
    cooldown = countdown(one.cooldown_ms) if one.cooldown_ms else NONE
    return f"quota {one.quota_left} of {window.policy.hourly_quota} left · cooldown {cooldown}"


def intents(counts: Mapping[str, int]) -> str:
    """Intents by state, as in "1 pending · 2 verified"."""
    return " · ".join(f"{count:,} {INTENTS[state]}" for state, count in counts.items())
