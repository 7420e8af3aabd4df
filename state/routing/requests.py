"""Requests: one occasion each to use a skill, and the id that names it (S16)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from state import checks
from state.errors import BadInput

if TYPE_CHECKING:
    from state.index.view import View

LIMIT = 200
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
# An id that a host made: short, and without a sign that text would need.
_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,79}")


def check(request: object) -> str:
    """A request's id as it may be given: no blanks, no text. BadInput, which doesn't repeat it."""
    given = checks.text(request, "request")
    if not ID.fullmatch(given):
        raise BadInput(
            "that can't be the id of a request",
            f"1 to {LIMIT} letters, digits and ._:/@+- without blanks; never a prompt",
            field="request",
        )
    return given


def of_event(host: str, session: object, *ids: object) -> str | None:
    """S16: the request that a host's event is about; None when it names nothing to go by.

    `ids` are its tool use, else its prompt, else its own id, in this order; what has not the form
    of an id is passed over, so that no text becomes one.
    """
    if not _is_id(session):
        return None
    found = next((one for one in ids if _is_id(one)), None)
    return None if found is None else f"{host}:{session}:{found}"


def is_about(request: str, hosts: Collection[str], session: object, *ids: object) -> bool:
    """S11, S16: whether a request can be that of an event of this session and with these ids.

    Told where the request has the form of `of_event` with one of these hosts; True of others, and
    of an event that names nothing to go by. Without `ids` the session alone is compared.
    """
    host, _, rest = request.partition(":")
    named = rest.split(":")
    known = [one for one in ids if _is_id(one)]
    if host not in hosts or len(named) != 2 or not _is_id(session) or (ids and not known):
        return True
    return named[0] == session and (not ids or named[1] in known)


def any_of_seat(view: View, seat: str) -> bool:
    """Whether there is a known request of this seat's host."""
    found = view.row("SELECT 1 FROM route_request WHERE seat=? AND host<>'' AND known=1", seat)
    return found is not None


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _PART.fullmatch(value) is not None
