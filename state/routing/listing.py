"""Pages of requests, newest first: of each the four layers in a word, none derived from another."""

from dataclasses import dataclass
from typing import Any

from state.index.view import View
from state.routing import evidence

_ORDER = " ORDER BY last DESC, id DESC"


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One row. `suggested` is the first candidate, `fallback` says that there was none; `offline`
    that no host asked for it. `reported` says whether a choice was; `chosen` None then is no skill.
    `level` is what accepted receipts prove, `refused` how many were not accepted.
    """

    request: str
    known: bool
    host: str
    seat: str
    at: str
    last_at: str
    asked: bool
    suggested: str | None
    fallback: bool
    offline: bool
    reported: bool
    chosen: str | None
    source: str | None
    level: str | None
    invoked: bool
    used: str | None
    refused: int

    @property
    def about(self) -> str | None:
        """The skill whose profile is layer 1."""
        return skill_about(self.chosen, self.used, self.suggested)


def skill_about(chosen: str | None, used: str | None, suggested: str | None) -> str | None:
    """The skill that layer 1 is about: the one chosen, else the one used, else suggested."""
    return chosen or used or suggested


def count(view: View) -> int:
    """How many requests there are."""
    return view.number("SELECT count(*) FROM route_request")


def page(view: View, first: int, size: int) -> tuple[RequestRow, ...]:
    """Rows `first` (from 0, the newest) to `first + size`."""
    found = view.rows(
        "SELECT id, known, host, seat, at, last_at FROM route_request"
        + _ORDER
        + " LIMIT ? OFFSET ?",
        *(size, max(first, 0)),
    )
    return tuple(_row(view, row) for row in found)


def place(view: View, request: str) -> int | None:
    """Where in the list a request stands, from 0; None when there is none of that id."""
    row = view.row("SELECT last FROM route_request WHERE id=?", request)
    if row is None:
        return None
    return view.number(
        "SELECT count(*) FROM route_request WHERE last>? OR (last=? AND id>?)",
        *(row[0], row[0], request),
    )


def _row(view: View, row: tuple[Any, ...]) -> RequestRow:
    request, known, host, seat, at, last_at = row
    events = view.rows(
        "SELECT kind, skill, state, level FROM route_event WHERE request=? ORDER BY rev, n",
        request,
    )
    # A host's request never shows an offline suggestion (S17).
    made = [
        (skill, state)
        for kind, skill, state, _ in events
        if kind == "suggestion" and (state != "offline" or not host)
    ]
    chosen = [(skill, state) for kind, skill, state, _ in events if kind == "choice"]
    receipts = [(skill, state, level) for kind, skill, state, level in events if kind == "receipt"]
    counted = [(skill, level) for skill, state, level in receipts if state == "accepted"]
    level = evidence.best(level for _, level in counted)
    suggested, how = made[-1] if made else (None, None)
    skill, source = chosen[-1] if chosen else (None, None)
    return RequestRow(
        request=request,
        known=bool(known),
        host=host,
        seat=seat,
        at=at,
        last_at=last_at,
        asked=bool(made),
        suggested=suggested,
        fallback=bool(made) and suggested is None,
        offline=how == "offline",
        reported=bool(chosen),
        chosen=skill,
        source=source,
        level=level,
        invoked=evidence.is_invoked(level),
        used=next((name for name, proved in counted if proved == level), None),
        refused=len(receipts) - len(counted),
    )
