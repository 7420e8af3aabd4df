"""What a line changed in the layers of a request: each layer by itself, never another (S1)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from state.index.view import View

Op = Mapping[str, Any]


class Changed(NamedTuple):
    """The fields of a change, as `state.history.changes` says."""

    what: str
    field: str
    before: Any
    after: Any


def _suggested(view: View, rev: int, op: Op) -> Iterator[Changed]:
    """An offline suggestion takes the place of none (S17)."""
    what = f"request:{op['request']}"
    if op["fallback_used"]:
        said = f"fallback: {op['fallback_reason']}"
    else:
        said = op["candidates"][0]["skill"]
    if op["offline"]:
        yield Changed(what, "offline", None, said)
    else:
        yield Changed(what, "suggestion", _before(view, rev, op, "suggestion"), said)


def _chosen(view: View, rev: int, op: Op) -> Iterator[Changed]:
    before = _before(view, rev, op, "choice")
    yield Changed(f"request:{op['request']}", "choice", before, op["skill"])


def _receipt(view: View, rev: int, op: Op) -> Iterator[Changed]:
    said = op["level"] if op["reason"] is None else f"{op['state']}: {op['reason']}"
    yield Changed(f"request:{op['request']}", "receipt", None, said)


def _noted(view: View, rev: int, op: Op) -> Iterator[Changed]:
    yield Changed(f"seat:{op['seat']}", "hook", None, op["note"])


def _before(view: View, rev: int, op: Op, kind: str) -> Any:
    """The skill that the layer named before this line, None without any."""
    row = view.row(
        "SELECT skill FROM route_event WHERE request=? AND kind=? AND rev<? AND state<>'offline'"
        " ORDER BY rev DESC, n DESC",
        *(op["request"], kind, rev),
    )
    return None if row is None else row[0]


READERS: Mapping[str, Callable[[View, int, Op], Iterator[Changed]]] = {
    "suggestion_made": _suggested,
    "choice_recorded": _chosen,
    "receipt_recorded": _receipt,
    "hook_noted": _noted,
}
