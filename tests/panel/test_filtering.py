"""What is typed to narrow a list: values by their names, times, completions, numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from panel import filtering
from panel.asks.lines import LineFilter
from state.errors import BadInput
from state.messages.listing import Filter

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
ZONE = timezone(timedelta(hours=2))


def stored(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("90s", NOW - timedelta(seconds=90)),
        ("2h", NOW - timedelta(hours=2)),
        ("3d", NOW - timedelta(days=3)),
        ("1w", NOW - timedelta(weeks=1)),
        ("9:05", datetime(2026, 11, 30, 9, 5, tzinfo=ZONE)),
        ("10:30", datetime(2026, 11, 30, 10, 30, tzinfo=ZONE)),
        ("10:30:05", datetime(2026, 11, 30, 10, 30, 5, tzinfo=ZONE)),
        ("2026-11-29", datetime(2026, 11, 29, tzinfo=ZONE)),
        ("2026-11-29T10:30", datetime(2026, 11, 29, 10, 30, tzinfo=ZONE)),
        ("2026-11-29T10:30+00:00", datetime(2026, 11, 29, 10, 30, tzinfo=UTC)),
    ],
)
def test_a_time_is_an_age_or_a_moment_in_the_persons_zone(text: str, moment: datetime) -> None:
    assert filtering.moment(text, NOW, ZONE) == stored(moment)


@pytest.mark.parametrize("text", ["", "soon", "2", "25:00", "10:5", "999999w", "2026-13-01", "-2h"])
def test_what_is_no_time_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadInput, match="is no time: as in 30m, 2h, 3d"):
        filtering.moment(text, NOW, ZONE)


@pytest.mark.rule("M10")
def test_each_name_fills_its_question_and_you_are_the_user_seat() -> None:
    text = "seat:codex from:you kind:task state:open since:2h until:1h"
    assert filtering.of_messages(text, ["user", "codex"], NOW) == Filter(
        seat="codex",
        sender="user",
        kind="task",
        state="open",
        since=stored(NOW - timedelta(hours=2)),
        until=stored(NOW - timedelta(hours=1)),
    )
    assert filtering.of_messages("  ", [], NOW) == Filter()
    lines = filtering.of_lines("seat:system op:recovered via:cli", ["codex"], NOW)
    assert lines == LineFilter(seat="system", op="recovered", via="cli")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "hello has no name before it"),
        (":x", ": can't be filtered by"),
        ("kind:", "kind: needs something after it"),
        ("kind:note kind:task", "kind: is given twice"),
        ("state:seen", "state:seen is not known"),
        ("from:nobody", "there is no seat nobody"),
        ("op:acknowledged", "op: can't be filtered by"),
    ],
)
def test_what_is_not_understood_says_what_there_is(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        filtering.of_messages(text, ["codex"], NOW)
    assert caught.value.message.startswith(why)


def test_names_and_values_are_completed_at_the_end_of_the_line() -> None:
    names = {"kind": ("note", "task"), "from": ("codex",), "since": ()}
    for text, whole in (
        ("ki", "kind:"),
        ("kind:t", "kind:task"),
        ("kind:task f", "kind:task from:"),
        ("kind:task from:co", "kind:task from:codex"),
        ("since:2", None),
        ("from:codex", None),
        ("xyz", None),
        ("", None),
        ("kind:task ", None),
    ):
        assert filtering.suggestion(text, names) == whole


@pytest.mark.parametrize(("text", "number"), [("12", 12), (" #1284 ", 1284), ("r7", 7)])
def test_a_number_may_have_its_sign(text: str, number: int) -> None:
    assert filtering.number(text) == number


@pytest.mark.parametrize("text", ["", "abc", "1.5", "-1", "١٢", "1" * 16])
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="a number is needed"):
        filtering.number(text)
