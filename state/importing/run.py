"""An import from beginning to end: reads the team, seats its members, writes its messages."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import orjson

from state import checks
from state.command import USER, Actor
from state.errors import BadInput, Refused
from state.importing.claude_team import TOOL, Entry, Problem, Team, read_team
from state.importing.commands import ImportMessage, TakeSeats, added, key_of_seats, known
from state.importing.fields import label, slug, title_of
from state.importing.seats import assign
from state.index.view import View
from state.messages.operations import Origin
from state.project import Project
from state.roster import queries
from state.roster.operations import SeatAdded
from state.running import request_id

VIA = "import"
EVERY = 500
_NEW, _KNOWN, _CHANGED = "new", "known", "changed"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a team. `changed` counts messages with other bytes where one stood before.

    `seats` is member -> seat, `added` those that are new; `rev` the last line that was written.
    """

    team: str
    rev: int | None
    seats: dict[str, str]
    added: tuple[str, ...]
    new: int
    known: int
    changed: int
    problems: tuple[Problem, ...]


def import_team(
    project: Project, folder: str, *, prefix: str = "", progress: Progress | None = None
) -> Imported:
    """Takes a Claude Code team in, by the user seat; what is there already is not written again.

    `progress` is told now and then how many messages of how many were looked at. BadInput for a
    folder that holds no team, and whatever writing may raise; what was written until then stays.
    """
    if prefix and slug(prefix).rstrip("-._") != prefix.rstrip("-._"):
        raise BadInput(
            f"{prefix!r} can't begin a seat id", "use a-z, 0-9, '.', '_' and '-'", field="prefix"
        )
    team = read_team(folder)
    actor = Actor(USER, VIA)
    with project.view() as view:
        seats = _seats(view, team, prefix)
        missing = [name for name, seat in seats.items() if queries.find(view, seat) is None]
        roster = queries.revision(view)
    rev = None
    if missing:
        rev = _take(project, actor, team, {name: seats[name] for name in missing}, roster)
    wishes = [_message(team, entry, seats) for entry in team.entries]
    with project.view() as view:
        earlier = [known(view, wish.origin) for wish in wishes]
    counts = Counter[str]()
    for number, (wish, there) in enumerate(zip(wishes, earlier, strict=True)):
        if progress is not None and number % EVERY == 0 < number:
            progress(number, len(wishes))
        written = None if wish.origin.sha256 in there else _write(project, actor, wish)
        rev = written or rev
        counts[_KNOWN if written is None else _CHANGED if there else _NEW] += 1
    new = tuple(seats[name] for name in missing)
    return Imported(
        team=team.name,
        rev=rev,
        seats=seats,
        added=new,
        new=counts[_NEW],
        known=counts[_KNOWN],
        changed=counts[_CHANGED],
        problems=team.problems,
    )


def _write(project: Project, actor: Actor, wish: ImportMessage) -> int | None:
    """The line of the message, None when another import wrote it in between."""
    try:
        return project.run(wish, actor).rev
    except Refused as refused:
        if refused.rule == "M16":
            return None
        raise


def _seats(view: View, team: Team, prefix: str) -> dict[str, str]:
    ours: dict[str, str] = {}
    of_others: set[str] = set()
    for seats in _taken_by_imports(view, team.name):
        if seats.is_ours:
            ours |= seats.by_name
        else:
            of_others |= set(seats.by_name.values())

    def is_free(seat: str) -> bool:
        return seat not in of_others and _teams(view, seat) <= {team.name}

    names = [member.name for member in team.members]
    known_names = {name: seat for name in names if (seat := ours.get(_called(name)))}
    return assign(team.name, names, prefix=prefix, ours=known_names, is_free=is_free)


@dataclass(frozen=True, slots=True)
class _Taken:
    """The seats that one import made: display name -> seat."""

    is_ours: bool
    by_name: dict[str, str]


def _taken_by_imports(view: View, team: str) -> Iterator[_Taken]:
    lines = view.rows("SELECT DISTINCT rev FROM roster_event WHERE via=?", VIA)
    for (rev,) in list(lines):
        line = view.line(rev)
        if line is None or not added(line.ops):
            continue
        ids = added(line.ops)
        mine = line.req == request_id(USER, key_of_seats(TOOL, team, ids))
        yield _Taken(mine, {op["name"]: op["seat"] for op in line.ops if op["op"] == "seat_added"})


def _teams(view: View, seat: str) -> set[str]:
    """The teams whose imported messages name a seat."""
    found = view.rows(
        "SELECT DISTINCT place FROM origin JOIN involved USING(message)"
        " WHERE seat=(SELECT number FROM seat WHERE id=?)",
        seat,
    )
    return {orjson.loads(place)[1] for (place,) in found}


def _take(project: Project, actor: Actor, team: Team, seats: dict[str, str], roster: int) -> int:
    roles = {member.name: label(member.role, checks.LABEL_LIMIT) for member in team.members}
    made = tuple(
        SeatAdded(seat, "agent", _called(name), TOOL, (roles[name],) if roles[name] else ())
        for name, seat in seats.items()
    )
    key = key_of_seats(TOOL, team.name, tuple(seats.values()))
    return project.run(TakeSeats(made, roster), actor, key=key).rev


def _called(name: str) -> str:
    """A member's display name."""
    return label(name, checks.NAME_LIMIT) or slug(name)


def _message(team: Team, entry: Entry, seats: dict[str, str]) -> ImportMessage:
    sender, recipient = seats.get(entry.sender, ""), seats.get(entry.inbox, "")
    origin = Origin(
        tool=TOOL,
        team=team.name,
        inbox=entry.inbox,
        position=entry.position,
        sender=entry.sender,
        recipient=entry.inbox,
        time=entry.time,
        read=entry.read,
        summary=entry.summary,
        sha256=entry.sha256,
    )
    title = title_of(entry.text, entry.summary)
    return ImportMessage(sender, (recipient,) if recipient else (), title, entry.text, origin)
