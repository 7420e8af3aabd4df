"""Times, ages, counts and sizes read as the screens promise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from panel.present import ages

NOW = datetime(2026, 11, 30, 10, 4, 12, tzinfo=UTC)


def ago(**passed: float) -> str:
    return (NOW - timedelta(**passed)).isoformat(timespec="microseconds")


@pytest.mark.parametrize(
    ("time", "read"),
    [
        (ago(), "now"),
        (ago(milliseconds=999), "now"),
        (ago(seconds=1), "1 s"),
        (ago(seconds=59.9), "59 s"),
        (ago(seconds=60), "1 m"),
        (ago(minutes=59, seconds=59), "59 m"),
        (ago(hours=1), "1 h"),
        (ago(hours=23, minutes=59), "23 h"),
        (ago(days=1), "1 d"),
        (ago(days=2_000), "2,000 d"),
        (ago(seconds=-0.4), "now"),
        (ago(minutes=-4), "in 4 m"),
    ],
)
def test_ages_are_rounded_down_to_the_largest_unit(time: str, read: str) -> None:
    assert ages.age(time, NOW) == read


def test_times_are_shown_in_the_persons_zone_with_the_age_beside() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert ages.when("2026-11-30T10:02:00.000000+00:00", NOW, berlin) == "11:02 (2 m)"
    assert ages.when("2026-11-29T22:30:00.000000+00:00", NOW, UTC) == "2026-11-29 22:30 (11 h)"
    # Half an hour before midnight UTC is already today in Berlin.
    assert ages.when("2026-11-29T23:30:00.000000+00:00", NOW, berlin) == "00:30 (10 h)"


def test_without_a_zone_the_machines_is_taken() -> None:
    # The tests run with TZ two hours east of UTC.
    assert ages.clock("2026-11-30T10:02:00.000000+00:00", NOW) == "12:02"
    assert ages.now_line(NOW) == "12:04:12 UTC+2"


@pytest.mark.parametrize(
    ("minutes", "read"),
    [(0, "10:04:12 UTC"), (330, "15:34:12 UTC+5:30"), (-210, "06:34:12 UTC-3:30")],
)
def test_the_present_time_names_its_distance_from_utc(minutes: int, read: str) -> None:
    assert ages.now_line(NOW, timezone(timedelta(minutes=minutes))) == read


@pytest.mark.parametrize("time", ["2026-11-30T10:00:00", "soon", "", "12"])
def test_a_time_without_zone_or_sense_is_no_time(time: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        ages.age(time, NOW)


@pytest.mark.parametrize(
    ("count", "read"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (5_000, "4.9 KiB"),
        (16 * 1024, "16 KiB"),
        (10_235, "10 KiB"),
        (1024 * 1024 - 1, "1.0 MiB"),
        (5 * 1024**2, "5.0 MiB"),
        (3 * 1024**5, "3072 TiB"),
    ],
)
def test_sizes(count: int, read: str) -> None:
    assert ages.size(count) == read


def test_counts_and_shares() -> None:
    assert ages.number(1_284) == "1,284"
    assert ages.share(34, 100) == "34 %"
    assert ages.share(999_999, 1_000_000) == "99 %"
    assert ages.share(0, 0) == "100 %"
