"""What a person types to narrow a list, as in `from:hermes kind:task since:2h`. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, time, timedelta, tzinfo

from panel.asks.lines import LineFilter
from panel.words import filters as words
from panel.words import signs
from state.clock import stamp
from state.errors import BadInput
from state.journal.catalogue import OPERATIONS
from state.journal.line import VIAS
from state.messages.listing import Filter

LINE_NAMES = ("seat", "op", "via", "since", "until")
QUEUE_NAMES = ("seat", "from", "kind", "state", "since", "until")
STATES = ("unread", *signs.TASK_STATES)

_AGO = re.compile(r"(\d{1,6})(s|m|h|d|w)")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def parsed(text: str, names: Sequence[str]) -> Mapping[str, str]:
    """The values by their names, each name at most once. BadInput in one line for anything else."""
    found: dict[str, str] = {}
    for word in text.split():
        name, colon, value = word.partition(":")
        if not colon:
            raise BadInput(words.is_no_filter(word))
        if name not in names:
            raise BadInput(words.no_such_name(name, names))
        if name in found:
            raise BadInput(words.twice(name))
        if not value:
            raise BadInput(words.no_value(name))
        found[name] = value
    return found


def of_messages(
    text: str, seats: Collection[str], now: datetime, zone: tzinfo | None = None
) -> Filter:
    """What a list of messages shows. BadInput in one line where it isn't understood."""
    given = parsed(text, QUEUE_NAMES)
    return Filter(
        seat=_seat(given.get("seat"), seats),
        sender=_seat(given.get("from"), seats),
        kind=one_of("kind", given.get("kind"), signs.KINDS),
        state=one_of("state", given.get("state"), STATES),
        since=moment(given.get("since"), now, zone),
        until=moment(given.get("until"), now, zone),
    )


def of_lines(
    text: str, seats: Collection[str], now: datetime, zone: tzinfo | None = None
) -> LineFilter:
    """Which lines of the journal are shown. BadInput in one line where it isn't understood."""
    given = parsed(text, LINE_NAMES)
    return LineFilter(
        seat=_seat(given.get("seat"), (*seats, signs.SYSTEM_SEAT)),
        op=one_of("op", given.get("op"), OPERATIONS),
        via=one_of("via", given.get("via"), sorted(VIAS)),
        since=moment(given.get("since"), now, zone),
        until=moment(given.get("until"), now, zone),
    )


def one_of(name: str, value: str | None, values: Collection[str]) -> str | None:
    """The value, which must be one of those there are."""
    if value is not None and value not in values:
        raise BadInput(words.no_such_value(name, value, values))
    return value


def _seat(value: str | None, seats: Collection[str]) -> str | None:
    if value is None:
        return None
    seat = signs.USER_SEAT if value == signs.USER_SHOWN else value
    if seat not in seats:
        raise BadInput(words.no_such_seat(value))
    return seat


def moment(value: str | None, now: datetime, zone: tzinfo | None = None) -> str | None:
    """A time as it is stored: an age before now, a time of today, or a date in the zone."""
    if value is None:
        return None
    local = now.astimezone(zone)
    ago = _AGO.fullmatch(value)
    try:
        if ago is not None:
            return stamp(now - timedelta(seconds=int(ago[1]) * _UNITS[ago[2]]))
        if re.fullmatch(r"\d{1,2}:\d\d(:\d\d)?", value):
            clock = time.fromisoformat(value.zfill(5) if len(value) < 6 else value.zfill(8))
            return stamp(_local(local.replace(tzinfo=None), clock, zone))
        given = datetime.fromisoformat(value)
    except (ValueError, OverflowError) as error:
        raise BadInput(words.no_time(value)) from error
    return stamp(given if given.tzinfo is not None else given.replace(tzinfo=zone).astimezone(zone))


def _local(day: datetime, clock: time, zone: tzinfo | None) -> datetime:
    return datetime.combine(day.date(), clock, zone).astimezone(zone)


def suggestion(text: str, names: Mapping[str, Collection[str]]) -> str | None:
    """The text with its last word completed: a name, or a value of the name before it."""
    head, space, word = text.rpartition(" ")
    name, colon, value = word.partition(":")
    if not word:
        return None
    options = (
        [f"{name}:{one}" for one in names.get(name, ())] if colon else [f"{n}:" for n in names]
    )
    start = f"{name}:{value}" if colon else name
    for option in sorted(options):
        if option.startswith(start) and option != start:
            return f"{head}{space}{option}"
    return None


def number(text: str) -> int:
    """The number of a message or line, with or without its sign before it."""
    digits = text.strip().lstrip("#r")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 15:
        raise BadInput(words.NOT_A_NUMBER)
    return int(digits)
