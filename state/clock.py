"""The clock that decisions are given. UTC strings with microseconds, nothing else, are stored."""

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

TIMESTAMP = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}\+00:00",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment as two clocks tell it (W14): UTC, and milliseconds since a boot of the machine.

    `boot` and `ms` are None where the system has no clock that runs on while it sleeps.
    """

    utc: str
    boot: str | None = None
    ms: int | None = None


class Clock(Protocol):
    def now(self) -> str:
        """The time as `2026-11-30T10:00:00.123456+00:00`."""
        ...

    def moment(self) -> Moment:
        """The same, with the time since boot beside it."""
        ...


class SystemClock:
    """The machine's clock."""

    _boot: str | None = None

    def now(self) -> str:
        return stamp(datetime.now(UTC))

    def moment(self) -> Moment:
        boot = self._boot_id()
        if boot is None:
            return Moment(self.now())
        return Moment(self.now(), boot, time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000)

    def _boot_id(self) -> str | None:
        if self._boot is None and hasattr(time, "CLOCK_BOOTTIME"):
            # Not opened as text: that imports a codec, which a process without rights can't.
            with open("/proc/sys/kernel/random/boot_id", "rb", buffering=0) as file:
                self._boot = file.read(36).decode()
        return self._boot


def elapsed_ms(since: Moment, now: Moment) -> int:
    """Milliseconds from a written moment until now, never less than 0 (W14).

    Within one boot the time since boot decides; else UTC does, and what was written later than
    now counts as now.
    """
    if same_boot(since, now) and since.ms is not None and now.ms is not None:
        return max(0, now.ms - since.ms)
    return max(0, round(seconds_between(since.utc, now.utc) * 1000))


def offset_ms(moment: Moment) -> int | None:
    """How far the hands stand from the time since boot, None where that isn't known."""
    if moment.ms is None:
        return None
    return round(parse(moment.utc).timestamp() * 1000) - moment.ms


def same_boot(since: Moment, now: Moment) -> bool:
    """Whether both belong to one boot, or neither knows of any."""
    return since.boot == now.boot


def stamp(moment: datetime) -> str:
    """An aware time as it is stored: UTC, always six digits of a second."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def parse(text: str) -> datetime:
    """A stored time. ValueError for anything that isn't exactly of the stored form."""
    if not TIMESTAMP.fullmatch(text):
        raise ValueError(f"not a stored time: {text!r}")
    return datetime.fromisoformat(text)


def seconds_between(earlier: str, later: str) -> float:
    """Seconds from one stored time to another, negative when the clock went back."""
    return (parse(later) - parse(earlier)).total_seconds()


def left_ms(since: Moment, run_ms: int, now: Moment) -> int:
    """Milliseconds that are left of the `run_ms` from `since` on; 0 on another boot."""
    return max(0, run_ms - elapsed_ms(since, now)) if same_boot(since, now) else 0


def later(since: Moment, by_ms: int, now: Moment) -> Moment:
    """The moment so many milliseconds after a written one of this boot; of another boot, now."""
    if not same_boot(since, now):
        return now
    utc = stamp(parse(since.utc) + timedelta(milliseconds=by_ms))
    return Moment(utc, since.boot, None if since.ms is None else since.ms + by_ms)


def after(now: Moment, by_ms: int) -> str:
    """What the clock will show so many milliseconds from now, unless somebody sets it."""
    return stamp(parse(now.utc) + timedelta(milliseconds=by_ms))


def before(now: Moment, by_ms: int) -> str:
    """What the clock showed so many milliseconds ago, had nobody set it since."""
    return stamp(parse(now.utc) - timedelta(milliseconds=by_ms))
