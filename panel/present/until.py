"""A time to come, as a person writes it: "2h", "17:30", "2026-12-01 09:00". Pure."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from state.clock import stamp
from state.errors import BadInput

HINT = "90m, 2h, 3d, 17:30 or 2026-12-01 09:00, in your zone"

_SPAN = re.compile(r"(\d{1,4})\s*([mhd])")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def parsed(text: str, now: datetime, zone: tzinfo | None = None) -> str:
    """The moment as it is stored (UTC). BadInput of the field `until` for what can't be read.

    Without a zone, that of the machine. A time of day is the next one there is.
    """
    wanted = text.strip()
    if span := _SPAN.fullmatch(wanted):
        return stamp(now + timedelta(**{_UNITS[span[2]]: int(span[1])}))
    local = now.astimezone(zone)
    if time := _TIME.fullmatch(wanted):
        moment = local.replace(tzinfo=None, hour=int(time[1]), minute=int(time[2]))
        moment = moment.replace(second=0, microsecond=0)
        # Through the naive time, so that a change of the zone's offset in between is respected.
        found = _placed(moment, zone)
        return stamp(found if found > now else _placed(moment + timedelta(days=1), zone))
    try:
        given = datetime.fromisoformat(wanted)
    except ValueError:
        raise BadInput(f"{wanted!r} is not a time", f"write it as {HINT}", field="until") from None
    return stamp(given if given.tzinfo is not None else _placed(given, zone))


def _placed(moment: datetime, zone: tzinfo | None) -> datetime:
    return moment.astimezone() if zone is None else moment.replace(tzinfo=zone)
