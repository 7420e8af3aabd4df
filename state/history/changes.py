"""What one line of the journal changed: of which thing which field, from what to what."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from state.errors import NotFound
from state.history import of_requests, of_wakes
from state.index.view import View
from state.journal.line import Line

Op = Mapping[str, Any]
LABELS = ("name", "host", "roles")


class Change(NamedTuple):
    """`what` is `project`, `message:N`, `task:N:SEAT`, `seat:ID`, `request:R` and the like.

    `before` and `after` are None where nothing was.
    """

    what: str
    field: str
    before: Any
    after: Any


def changes(view: View, rev: int) -> tuple[Change, ...]:
    """What line `rev` changed, in its order; nothing for what the journal writes of itself alone.

    NotFound when there is no such line, Damaged when it doesn't verify.
    """
    line = view.line(rev)
    if line is None:
        raise NotFound(f"there is no line {rev}", f"the journal goes from line 1 to {view.rev}")
    found: list[Change] = []
    for number, op in enumerate(line.ops):
        read = _READERS.get(op["op"])
        if read is not None:
            found += read(_At(view, line, number), op)
    return tuple(found)


class _At(NamedTuple):
    """An operation's place: the line, and its number in it."""

    view: View
    line: Line
    number: int

    def seat_before(self, seat: str) -> dict[str, Any]:
        """The seat's fields before this operation, empty when it wasn't there."""
        fields: dict[str, Any] = {}
        for (stored,) in self.view.rows(
            "SELECT op FROM roster_event WHERE seat=? AND (rev<? OR (rev=? AND n<?))"
            " ORDER BY rev, n",
            *(seat, self.line.rev, self.line.rev, self.number),
        ):
            fields |= _fields_after(orjson.loads(stored))
        return fields

    def cursor_before(self, seat: str) -> int:
        """Where the seat's cursor stood before this line."""
        rev = self.line.rev
        joined = self.view.number(
            "SELECT max(rev) FROM roster_event WHERE seat=? AND rev<?"
            " AND json_extract(op, '$.op') IN ('seat_added', 'seat_restored')",
            *(seat, rev),
        )
        moved = "SELECT max({}) FROM {} WHERE seat=? AND rev<?"
        return max(
            self.view.number("SELECT max(id) FROM message WHERE id<?", joined),
            self.view.number(moved.format("through", "ack"), seat, rev),
            self.view.number(moved.format("last", "closed"), seat, rev),
        )

    def task_before(self, message: int, holder: str) -> str:
        """`open` or `accepted`: what a task that ends with this line was before."""
        accepted = self.view.number(
            "SELECT accepted FROM task WHERE message=? AND holder=?", message, holder
        )
        return "accepted" if 0 < accepted < self.line.rev else "open"


def _fields_after(op: Op) -> dict[str, Any]:
    """The fields of a seat that an operation sets."""
    name = op["op"]
    if name == "seat_added":
        shown = {"status": "active", "visibility": "visible", "away": None}
        return {label: op[label] for label in LABELS} | shown
    if name == "seat_restored":
        return {"status": "active", "away": None}
    if name == "seat_away":
        return {"away": op["until"]}
    fixed: dict[str, dict[str, Any]] = {
        "seat_hidden": {"visibility": "hidden"},
        "seat_shown": {"visibility": "visible"},
        "seat_deactivated": {"status": "inactive"},
        "seat_back": {"away": None},
    }
    return fixed.get(name, {label: op[label] for label in LABELS if label in op})


def _seat(at: _At, op: Op) -> Iterator[Change]:
    before = at.seat_before(op["seat"])
    for field, after in _fields_after(op).items():
        if before.get(field) != after:
            yield Change(f"seat:{op['seat']}", field, before.get(field), after)


def _restored(at: _At, op: Op) -> Iterator[Change]:
    yield from _seat(at, op)
    last = at.view.number("SELECT max(id) FROM message WHERE id<?", at.line.rev)
    before = at.cursor_before(op["seat"])
    if before != last:
        yield Change(f"seat:{op['seat']}", "cursor", before, last)


def _queue_closed(at: _At, op: Op) -> Iterator[Change]:
    what = f"seat:{op['seat']}"
    before = at.cursor_before(op["seat"])
    if before != op["cursor"]:
        yield Change(what, "cursor", before, op["cursor"])
    if op["unread_count"]:
        yield Change(what, "unread", op["unread_count"], 0)
    for (message,) in at.view.rows(
        "SELECT message FROM task WHERE holder=? AND rev=? ORDER BY message",
        *(op["seat"], at.line.rev),
    ):
        state = at.task_before(message, op["seat"])
        yield Change(f"task:{message}:{op['seat']}", "state", state, "cancelled")


def _posted(at: _At, op: Op) -> Iterator[Change]:
    number = at.line.rev
    yield Change(f"message:{number}", "kind", None, op["kind"])
    for seat in op["to"]:
        yield Change(f"seat:{seat}", "queue", None, number)
        if op["kind"] == "task":
            yield Change(f"task:{number}:{seat}", "state", None, "open")


def _imported(at: _At, op: Op) -> Iterator[Change]:
    yield Change(f"message:{at.line.rev}", "kind", None, "note")


def _acknowledged(at: _At, op: Op) -> Iterator[Change]:
    yield Change(f"seat:{op['seat']}", "cursor", at.cursor_before(op["seat"]), op["cursor"])


def _task(state: str) -> Callable[[_At, Op], Iterator[Change]]:
    def read(at: _At, op: Op) -> Iterator[Change]:
        holders = op["holders"] if state == "cancelled" else (op["seat"],)
        for holder in holders:
            before = "open" if state == "accepted" else at.task_before(op["message"], holder)
            yield Change(f"task:{op['message']}:{holder}", "state", before, state)

    return read


def _project(at: _At, op: Op) -> Iterator[Change]:
    yield Change("project", "id", op.get("parent"), op["project"])


def _skill_root(at: _At, op: Op) -> Iterator[Change]:
    is_read = op["op"] == "skill_root_added"
    yield Change(f"skill_root:{op['path']}", "read", not is_read, is_read)


def _other(at: _At, op: Op) -> Iterator[Change]:
    for one in _OTHERS[op["op"]](at.view, at.line.rev, op):
        yield Change(*one)


_OTHERS = {**of_requests.READERS, **of_wakes.READERS}


_READERS: dict[str, Callable[[_At, Op], Iterator[Change]]] = {
    "project_created": _project,
    "project_forked": _project,
    "seat_added": _seat,
    "seat_changed": _seat,
    "seat_hidden": _seat,
    "seat_shown": _seat,
    "seat_renamed": _seat,
    "seat_deactivated": _seat,
    "seat_restored": _restored,
    "seat_away": _seat,
    "seat_back": _seat,
    "queue_closed": _queue_closed,
    "message_posted": _posted,
    "message_imported": _imported,
    "acknowledged": _acknowledged,
    "task_accepted": _task("accepted"),
    "task_done": _task("done"),
    "task_declined": _task("declined"),
    "task_cancelled": _task("cancelled"),
    "skill_root_added": _skill_root,
    "skill_root_removed": _skill_root,
    **dict.fromkeys(_OTHERS, _other),
}
