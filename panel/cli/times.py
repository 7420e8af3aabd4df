"""Times as arguments: exact with a zone, or a distance from now (`90s`, `30m`, `2h`, `3d`)."""

from __future__ import annotations

import re
from datetime import timedelta

from state import checks
from state.clock import parse, stamp
from state.errors import BadInput

HOW = "30m, 2h, 3d, or a time with its zone as in 2026-11-30T17:30:00+01:00"
_DISTANCE = re.compile(r"([0-9]{1,6})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def ahead(given: str, field: str, now: str) -> str:
    """A time as it is stored; a distance counts from now on."""
    return _moment(given, field, now, 1)


def ago(given: str, field: str, now: str) -> str:
    """A time as it is stored; a distance counts back from now."""
    return _moment(given, field, now, -1)


def _moment(given: str, field: str, now: str, direction: int) -> str:
    found = _DISTANCE.fullmatch(given)
    try:
        if found is None:
            return checks.moment(given, field)
        distance = timedelta(seconds=int(found[1]) * _SECONDS[found[2]])
        return stamp(parse(now) + direction * distance)
    except BadInput as error:
        raise BadInput(error.message, f"give {HOW}", field=field) from error
    except OverflowError as error:
        raise BadInput(f"{given} from now is no time", f"give {HOW}", field=field) from error
