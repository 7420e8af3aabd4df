"""What the journal holds of requests: each suggestion, choice and receipt as it was written."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import orjson

from state.index.view import View
from state.routing.operations import ChoiceRecorded, Locator, ReceiptRecorded, SuggestionMade
from state.routing.router import Candidate, Lowered, Matched

T = TypeVar("T")
K = TypeVar("K")

_EVENTS = "SELECT rev, n, at, by, op FROM route_event WHERE request=? AND kind=? ORDER BY rev, n"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggestion with the line that holds it: when, and which seat wrote it."""

    rev: int
    at: str
    by: str
    made: SuggestionMade


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice with its line."""

    rev: int
    at: str
    by: str
    recorded: ChoiceRecorded


@dataclass(frozen=True, slots=True)
class ReceiptKept:
    """A receipt with its line, accepted or refused."""

    rev: int
    at: str
    by: str
    recorded: ReceiptRecorded


@dataclass(frozen=True, slots=True)
class HookNote:
    """A hook that could not do its work."""

    rev: int
    at: str
    host: str
    seat: str
    note: str
    event: str


def is_known(view: View, request: str) -> bool:
    """S11: whether a suggestion, a choice or an accepted receipt names this request."""
    return view.number("SELECT known FROM route_request WHERE id=?", request) == 1


def has_choice(view: View, request: str, skill: str | None) -> bool:
    """Whether this choice is recorded already."""
    row = view.row(
        "SELECT 1 FROM route_event WHERE request=? AND kind='choice' AND skill IS ?",
        *(request, skill),
    )
    return row is not None


def has_receipt(view: View, request: str, skill: str | None, kind: str) -> bool:
    """Whether an accepted receipt of this kind of evidence is recorded already."""
    return any(
        (one.recorded.state, one.recorded.skill, one.recorded.kind) == ("accepted", skill, kind)
        for one in receipts(view, request)
    )


def suggestions(view: View, request: str) -> tuple[Suggestion, ...]:
    """Every suggestion of a request, offline ones too, oldest first."""
    return _events(view, request, "suggestion", Suggestion, _suggestion)


def choices(view: View, request: str) -> tuple[Choice, ...]:
    """Every choice that was reported for a request, oldest first."""
    return _events(view, request, "choice", Choice, partial(_located, ChoiceRecorded))


def receipts(view: View, request: str) -> tuple[ReceiptKept, ...]:
    """Every receipt for a request, refused ones too, oldest first."""
    return _events(view, request, "receipt", ReceiptKept, partial(_located, ReceiptRecorded))


def hook_notes(view: View, limit: int) -> tuple[HookNote, ...]:
    """The last notes that hooks left, newest first."""
    found = view.rows(
        "SELECT rev, at, host, seat, note, event FROM hook_note ORDER BY rev DESC, n DESC LIMIT ?",
        limit,
    )
    return tuple(HookNote(*row) for row in found)


def _events(
    view: View,
    request: str,
    kind: str,
    kept: Callable[[int, str, str, T], K],
    read: Callable[[dict[str, Any]], T],
) -> tuple[K, ...]:
    found = []
    for rev, _, at, by, op in view.rows(_EVENTS, request, kind):
        try:
            found.append(kept(rev, at, by, read(orjson.loads(op))))
        except (KeyError, TypeError) as error:
            raise view.cannot_take(rev, error) from error
    return tuple(found)


def _suggestion(op: dict[str, Any]) -> SuggestionMade:
    lists = {name: tuple(op[name]) for name in ("features", "drifted")}
    ranked = {name: tuple(map(_candidate, op[name])) for name in ("candidates", "excluded")}
    return SuggestionMade(**{**_without_name(op), **lists, **ranked})


def _candidate(fields: dict[str, Any]) -> Candidate:
    parts = {
        "matched": tuple(Matched(**one) for one in fields["matched"]),
        "excluded_by": tuple(fields["excluded_by"]),
        "lowered": tuple(Lowered(**one) for one in fields["lowered"]),
    }
    return Candidate(**{**fields, **parts})


def _located(shape: type[T], op: dict[str, Any]) -> T:
    where = op["locator"]
    place = None if where is None else Locator(**where)
    return shape(**{**_without_name(op), "locator": place})


def _without_name(op: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in op.items() if name != "op"}
