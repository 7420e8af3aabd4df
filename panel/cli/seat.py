"""`seat`: who is seated, and the user's changes of the roster (R1-R16, M15)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping

from panel.cli import seat_changes as changes
from panel.cli import shapes, times
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from state.roster import queries

ID = (("ID", "the seat's id"),)
ROSTER = "[--roster REV]"


def _list(call: Call) -> int:
    from panel.cli import seats
    from panel.present import ages
    from state.overview import overview

    with call.looking() as view:
        now = call.project.clock.moment()
        seen = overview(view, now, damaged=not call.is_sound)
    shown = {
        "revision": seen.roster,
        "hidden": {"seats": seen.hidden_seats, "unread": seen.hidden_unread},
        "seats": shapes.seats(seen.seats, seen.looks),
        "state": call.state,
    }

    def lines() -> Iterator[str]:
        yield from seats.table(seen, ages.parsed(now.utc), everyone=True)
        yield f"roster revision: {seen.roster}"

    return call.answer(shown, lines)


def _show(call: Call) -> int:
    from state import looked

    with call.looking() as view:
        seat = queries.get(view, call.given(0, "ID"))
        history = queries.history(view, seat.seat)
        revision = queries.revision(view)
    look = None if seat.kind == "user" else looked.read(call.paths, seat.seat)
    shown = shapes.seat(seat, {} if look is None else {seat.seat: look})

    def lines() -> Iterator[str]:
        from panel.cli import seats
        from panel.present import ages
        from panel.words import operations, signs

        now = ages.parsed(call.project.clock.now())
        said = [
            f"r{event['rev']} {ages.when(event['at'], now)}: {signs.seat(event['by'])}"
            f" {operations.in_words(event['op'], event['rev'])}"
            for event in history
        ]
        return seats.details(seat, look, now, said)

    return call.answer(
        shown | {"revision": revision, "history": history, "state": call.state}, lines
    )


def _roster(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--roster",
        metavar="REV",
        type=whole,
        help="the revision of the roster that you saw; without it you are asked",
    )


def _name(group: _ArgumentGroup) -> None:
    group.add_argument("--name", metavar="N", help="the display name; else the id")
    _labels(group)


def _labels(group: _ArgumentGroup) -> None:
    group.add_argument("--host", metavar="H", help="a label: the program it runs in")
    group.add_argument(
        "--role",
        metavar="R",
        dest="roles",
        action="append",
        help="a label: what it is for; may be given several times",
    )
    _roster(group)


def _reason(group: _ArgumentGroup) -> None:
    group.add_argument("--reason", metavar="TEXT", help="why; it is kept in the journal")


def _reason_and_roster(group: _ArgumentGroup) -> None:
    _reason(group)
    _roster(group)


def _until(group: _ArgumentGroup) -> None:
    group.add_argument("--until", metavar="TIME", help=times.HOW)
    _reason(group)
    _seen(group)


def _reason_and_seen(group: _ArgumentGroup) -> None:
    _reason(group)
    _seen(group)


def _seen(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--roster", metavar="REV", type=whole, help="only while the roster is at this revision"
    )


LABELS = "Labels are shown and grant nothing."
READS = "Needs neither a seat nor a terminal and changes nothing."
USERS = "Only the user may do it, at a terminal."

VERBS: Mapping[str, Verb] = {
    "list": Verb(_list, "Every seat, hidden and inactive ones too, with its counts.", more=READS),
    "show": Verb(_show, "One seat, and everything that happened to it.", names=ID, more=READS),
    "add": Verb(
        changes.roster_change(changes.add, "Add the seat {}"),
        "Take a new agent seat in.",
        names=ID,
        words=f"[--name N] [--host H] [--role R]... {ROSTER}",
        arguments=_name,
        changes=True,
        more=f"{USERS} What was posted to all before does not reach it. {LABELS}",
        examples=("sublation-panel seat add codex --host codex-cli --role tests",),
    ),
    "set": Verb(
        changes.roster_change(changes.set_labels, "Change the labels of {}"),
        "Change a seat's host and roles; what isn't given stays.",
        names=ID,
        words=f"[--host H] [--role R]... {ROSTER}",
        arguments=_labels,
        changes=True,
        more=f"{USERS} {LABELS} An empty one takes it away: --host ''.",
    ),
    "hide": Verb(
        changes.roster_change(changes.hide, "Hide {}"),
        "Take a seat out of tables and lists; nothing else changes.",
        names=ID,
        words=ROSTER,
        arguments=_roster,
        changes=True,
        more=f"{USERS} Queue, tasks and cursor go on; what needs you is shown all the same.",
    ),
    "unhide": Verb(
        changes.roster_change(changes.unhide, "Show {} again"),
        "Put a hidden seat back into tables and lists.",
        names=ID,
        words=ROSTER,
        arguments=_roster,
        changes=True,
        more=USERS,
    ),
    "rename": Verb(
        changes.roster_change(changes.rename, "Rename {}"),
        "Change a seat's display name; its id stays.",
        names=(*ID, ("NAME", "printable text of at most 80 characters")),
        words=ROSTER,
        arguments=_roster,
        changes=True,
        more=USERS,
    ),
    "deactivate": Verb(
        changes.roster_change(changes.deactivate, "Deactivate {}"),
        "Take a seat out; a tombstone stays, and every message.",
        names=ID,
        words=f"--reason TEXT {ROSTER}",
        arguments=_reason_and_roster,
        changes=True,
        more=f"{USERS} Refused while it has unread messages, unfinished tasks or a wake window that"
        " is not closed; for an agent that is gone: close-queue first.",
    ),
    "restore": Verb(
        changes.roster_change(changes.restore, "Restore {}"),
        "Take a deactivated seat in again; its queue starts anew.",
        names=ID,
        words=ROSTER,
        arguments=_roster,
        changes=True,
        more=USERS,
    ),
    "away": Verb(
        changes.seat_change(changes.away),
        "Mark a seat away until a time; until then nothing is due of it.",
        names=ID,
        words=f"--until TIME --reason TEXT {ROSTER}",
        arguments=_until,
        changes=True,
        more=USERS,
        examples=("sublation-panel seat away codex --until 2h --reason 'quota used up'",),
    ),
    "back": Verb(
        changes.seat_change(changes.back),
        "Take the mark away again.",
        names=ID,
        words=ROSTER,
        arguments=_seen,
        changes=True,
        more=USERS,
    ),
    "close-queue": Verb(
        changes.seat_change(changes.close_queue),
        "Close what is unread and cancel what is unfinished, for an agent that is gone.",
        names=ID,
        words=f"--reason TEXT {ROSTER}",
        arguments=_reason_and_seen,
        changes=True,
        more=f"{USERS} The messages are marked closed unread, never as acknowledged or answered;"
        " their senders' threads say who closed them.",
    ),
}
