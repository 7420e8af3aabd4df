"""Times, ages, counts and sizes as a person reads them. Pure: now and zone are arguments.

Times are UTC in ISO format, as in `2026-11-30T10:00:00.123456+00:00`; ValueError for anything else.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR


def parsed(time: str) -> datetime:
    """The moment, which always has a zone."""
    moment = datetime.fromisoformat(time)
    if moment.tzinfo is None:
        raise ValueError(f"no zone in {time!r}")
    return moment


def age(time: str, now: datetime) -> str:
    """How long ago: "now" below a second, else whole "12 s", "4 m", "2 h", "3 d", rounded down.

    A moment that is still to come, because a clock was set back, reads "in 4 m".
    """
    return span(now - parsed(time))


def span(passed: timedelta) -> str:
    """A stretch of time as `age` says it."""
    seconds = int(abs(passed).total_seconds())
    if not seconds:
        return "now"
    return length(seconds) if passed > timedelta(0) else f"in {length(seconds)}"


def ago(passed: str) -> str:
    """An age as part of a sentence; a moment that is still to come stays as it is said."""
    return passed if passed == "now" or passed.startswith("in ") else f"{passed} ago"


def length(seconds: int) -> str:
    """A number of seconds in its largest whole unit."""
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "m")):
        if seconds >= unit:
            return f"{seconds // unit:,} {name}"
    return f"{seconds} s"


def clock(time: str, now: datetime, zone: tzinfo | None = None) -> str:
    """The time of day in the zone, with the date unless it is today's there.

    Without a zone, that of the machine.
    """
    local = parsed(time).astimezone(zone)
    if local.date() == now.astimezone(zone).date():
        return f"{local:%H:%M}"
    return f"{local:%Y-%m-%d %H:%M}"


def when(time: str, now: datetime, zone: tzinfo | None = None) -> str:
    """The time in the zone with the age beside it, as in "10:03 (2 m)"."""
    return f"{clock(time, now, zone)} ({age(time, now)})"


def now_line(now: datetime, zone: tzinfo | None = None) -> str:
    """The present time of day with the zone's distance from UTC, as in "10:04:12 UTC+2"."""
    local = now.astimezone(zone)
    minutes = int((local.utcoffset() or timedelta(0)).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else "+"
    name = f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "") if minutes else "UTC"
    return f"{local:%H:%M:%S} {name}"


def number(count: int) -> str:
    """A count with its thousands apart, as in "1,284"."""
    return f"{count:,}"


def size(count: int) -> str:
    """A number of bytes, as in "812 B", "4.9 KiB" or "16 MiB"."""
    if count < 1024:
        return f"{count} B"
    value = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        value /= 1024
        if round(value) < 1024 or unit == "TiB":
            break
    return f"{value:.0f} {unit}" if round(value, 1) >= 10 else f"{value:.1f} {unit}"


def share(part: int, whole: int) -> str:
    """A part in percent, "100 %" only when it is all of it."""
    return f"{part * 100 // whole if whole else 100} %"
