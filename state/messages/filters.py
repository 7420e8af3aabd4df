"""Which stretches of the index answer a filter."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from state.errors import BadInput
from state.index.names import ALL, FILED, KINDS, QUEUED
from state.index.view import View
from state.messages.lists import LAST, Known, List, Part

UNREAD = "unread"
STATES = (UNREAD, "open", "accepted", "done", "declined", "cancelled")
TASK = "task"
NOTE = "note"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list shows; None leaves a question out. Times are UTC as stored, both included.

    `seat` is sender or recipient. `state` is one of `unread`, `open`, `accepted`, `done`,
    `declined`, `cancelled`: of the seat's own copy where `seat` is given, else of anybody's.
    A message is dated as it is shown: an imported one by its origin (M16).
    """

    seat: str | None = None
    sender: str | None = None
    kind: str | None = None
    state: str | None = None
    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        _one_of(self.kind, "kind", KINDS)
        _one_of(self.state, "state", STATES)


class _Seat(NamedTuple):
    id: str
    number: int
    cursor: int
    unread: int
    sent: int
    listed: int


class _Base(NamedTuple):
    """What a list is made of, as `List` takes it."""

    parts: tuple[Part, ...]
    mixed: bool = False
    total: int | None = None
    milestones: str | None = None

    def narrowed(self, where: str, *values: Any) -> "_Base":
        return _Base(tuple(part.narrowed(where, *values) for part in self.parts), self.mixed)

    def bounded(self, after: int, before: int) -> "_Base":
        return _Base(tuple(part.bounded(after, before) for part in self.parts), self.mixed)


NOTHING = _Base((Part("message", "id", "0"),), total=0)
EVERYTHING = Part("message", "id")


def pick(view: View, wanted: Filter) -> List:
    """The list of the messages that a filter lets through."""
    known = view.memo.setdefault(wanted, Known())
    seats = {
        row[0]: _Seat(*row)
        for row in view.rows("SELECT id, number, cursor, queued - passed, sent, listed FROM seat")
    }
    base = _base(view, wanted, seats)
    if wanted.since is not None:
        base = _since(view, base, wanted.since)
    if wanted.until is not None:
        base = _until(view, base, wanted.until)
    return List(
        view, base.parts, known, mixed=base.mixed, total=base.total, milestones=base.milestones
    )


def _base(view: View, wanted: Filter, seats: dict[str, _Seat]) -> _Base:
    seat, sender = seats.get(wanted.seat or ""), seats.get(wanted.sender or "")
    if wanted.seat is not None and seat is None:
        return NOTHING
    if wanted.sender is None:
        return _kind(_by_seat_or_state(view, wanted, seat, seats), wanted.kind)
    if sender is None:
        return _by_name(wanted, seat)
    if wanted.state is None and seat in (None, sender):
        return _kind(_sent_by(sender), wanted.kind)
    if wanted.state is None and seat is not None and sender.sent < seat.listed:
        return _kind(_sent_by(sender), wanted.kind).narrowed(_INVOLVED, seat.number)
    base = _kind(_by_seat_or_state(view, wanted, seat, seats), wanted.kind)
    return base.narrowed(_OF_TABLE.format("message", "o.id={} AND o.sender=?"), sender.id)


def _by_name(wanted: Filter, seat: _Seat | None) -> _Base:
    """From the name that an imported message gives, which has no seat: notes, and no tasks."""
    if wanted.state is not None or wanted.kind not in (None, NOTE):
        return NOTHING
    base = _Base((Part("origin", "message", "sender=?", (wanted.sender,)),))
    return base if seat is None else base.narrowed(_INVOLVED, seat.number)


def _by_seat_or_state(
    view: View, wanted: Filter, seat: _Seat | None, seats: dict[str, _Seat]
) -> _Base:
    if wanted.state == UNREAD:
        behind = [seat] if seat is not None else list(seats.values())
        return _unread([each for each in behind if each.unread])
    if wanted.state is not None:
        if seat is None:
            return _Base((Part("task", "message", "state=?", (wanted.state,)),), mixed=True)
        return _Base((Part("task", "message", "state=? AND holder=?", (wanted.state, seat.id)),))
    if seat is not None:
        posted = Part("message", "id", "sender=? AND imported=0", (seat.id,))
        parts = (_role(seat, QUEUED), _role(seat, FILED), posted)
        return _Base(parts, total=seat.listed, milestones=f"seat:{seat.id}")
    if wanted.kind is not None:
        return _Base(
            (EVERYTHING,), total=int(view.meta(wanted.kind)), milestones=f"kind:{wanted.kind}"
        )
    return _Base((EVERYTHING,), total=int(view.meta("messages")), milestones=ALL)


def _sent_by(seat: _Seat) -> _Base:
    sent = Part("message", "id", "sender=?", (seat.id,))
    return _Base((sent,), total=seat.sent, milestones=f"sent:{seat.id}")


def _unread(behind: list[_Seat]) -> _Base:
    if not behind:
        return NOTHING
    parts = tuple(_role(seat, QUEUED).bounded(seat.cursor, LAST) for seat in behind)
    if len(parts) == 1:
        return _Base(parts, total=behind[0].unread)
    return _Base(parts, mixed=True)


def _role(seat: _Seat, role: int) -> Part:
    return Part("involved", "message", "seat=? AND role=?", (seat.number, role))


def _kind(base: _Base, kind: str | None) -> _Base:
    if kind is None:
        return base
    if base.parts[0].table == "task":
        return base if kind == TASK else NOTHING
    narrowed = base.narrowed("kind=?", kind)
    if base.milestones is not None and base.milestones.startswith("kind:"):
        return narrowed._replace(total=base.total, milestones=base.milestones)
    return narrowed


# That another table has a row about the message.
_OF_TABLE = "EXISTS (SELECT 1 FROM {} o WHERE {})"
_INVOLVED = _OF_TABLE.format("involved", "o.seat=? AND o.role IN (0, 1) AND o.message={}")


def _since(view: View, base: _Base, moment: str) -> _Base:
    """Nothing older. Times need not follow numbers (imports, clocks), but mostly they do: up to
    `none` all are older, after `sure` none is, and only between are they looked at one by one.
    """
    none = view.number(_FIRST_BLOCK.format("latest>=?"), moment)
    sure = view.number(_LAST_BLOCK.format("earliest<?"), moment)
    rest = view.meta("earliest")
    if rest is not None and rest < moment:
        sure = LAST
    later = _OF_TABLE.format("message", "o.id={} AND o.at>=?")
    return base.bounded(none, LAST).narrowed(f"({{}}>? OR {later})", sure, moment)


def _until(view: View, base: _Base, moment: str) -> _Base:
    """Nothing newer: up to `sure` none is, after `none` all are."""
    sure = view.number(_FIRST_BLOCK.format("latest>?"), moment)
    none = view.number(_LAST_BLOCK.format("earliest<=?"), moment)
    rest = view.meta("earliest")
    if rest is not None and rest <= moment:
        none = LAST
    earlier = _OF_TABLE.format("message", "o.id={} AND o.at<=?")
    return base.bounded(0, none + 1).narrowed(f"({{}}<=? OR {earlier})", sure, moment)


# The last message before the first block of messages of which something is true; and the last
# one of the last such block. Blocks end at the milestones of the list of all.
_FIRST_BLOCK = (
    "SELECT max(message) FROM milestone WHERE list='' AND n <"
    " ifnull((SELECT min(n) FROM milestone WHERE list='' AND {}), 1 << 62)"
)
_LAST_BLOCK = "SELECT max(message) FROM milestone WHERE list='' AND {}"


def _one_of(value: str | None, field: str, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        raise BadInput(f"{value!r} is no {field}", f"one of: {', '.join(known)}", field=field)
