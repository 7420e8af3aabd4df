"""Who may change the roster, and how: the rules R1-R16 and M15 as pure decisions.

Each gives nothing or raises Refused with the rule; panel and command line ask these same
functions to know whether a key or command can act.
"""

from collections.abc import Sequence
from itertools import groupby

from state.command import USER
from state.errors import BadInput, Refused
from state.roster.queries import Seat

RANGES_LIMIT = 500


def by_user_only(actor: str) -> None:
    """R11: only the user seat changes the roster, whatever labels another one has (R13)."""
    if actor != USER:
        raise Refused(
            "R11",
            f"only the user changes the roster; {actor} may not",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )


def may_act(rule: str, seat: str, found: Seat | None) -> Seat:
    """M3, M6, M7: who posts, acknowledges or works on tasks is an active seat; gives that seat."""
    if found is None:
        raise Refused(rule, f"{seat} is no seat here", "the user adds seats: seat add ID")
    if found.status == "inactive":
        raise Refused(
            rule,
            f"{seat} is inactive",
            f"the user brings it back: sublation-panel seat restore {seat}",
        )
    return found


def may_add(seat: str, existing: Seat | None) -> None:
    """R2: an unused id; one with a tombstone is restored instead."""
    if existing is None:
        return
    if existing.status == "inactive":
        raise Refused(
            "R2",
            f"{seat} was a seat before and is inactive",
            f"bring it back: sublation-panel seat restore {seat}",
        )
    raise Refused("R2", f"{seat} is a seat already", "choose another id")


def changes_something(seat: str, before: object, after: object) -> None:
    """R10: a line of the journal is a change; what stands already is not written again."""
    if before == after:
        raise Refused("R10", f"{seat} is called and labelled so already", "nothing to do")


def may_rename(seat: Seat) -> None:
    """R1: the user seat is called "you"."""
    if seat.kind == "user":
        raise Refused("R1", 'the user seat is always called "you"', "name an agent's seat")


def may_hide(seat: Seat) -> None:
    """R1, R6: any agent seat that is not hidden yet."""
    if seat.kind == "user":
        raise Refused("R1", "the user seat can't be hidden", "name an agent's seat")
    if seat.visibility == "hidden":
        raise Refused("R6", f"{seat.seat} is hidden already", "nothing to do")


def may_show(seat: Seat) -> None:
    """R6."""
    if seat.visibility == "visible":
        raise Refused("R6", f"{seat.seat} is not hidden", "nothing to do")


def may_deactivate(seat: Seat, tasks: Sequence[int]) -> None:
    """R3, R4: not the user; not with unread messages, unfinished tasks or an open wake window."""
    if seat.kind == "user":
        raise Refused("R3", "the user seat can't be deactivated", "name an agent's seat")
    if seat.status == "inactive":
        raise Refused("R5", f"{seat.seat} is inactive already", "nothing to do")
    blocking: list[tuple[str, int, int | None]] = []
    said = []
    if seat.unread:
        blocking.append(("unread", seat.unread, seat.next_due))
        said.append(
            f"{_count(seat.unread, 'unread message')}"
            f" ({seat.seat} acknowledges, beginning with #{seat.next_due})"
        )
    if tasks:
        blocking.append(("tasks", len(tasks), tasks[0]))
        said.append(
            f"{_count(len(tasks), 'unfinished task')}"
            f" ({seat.seat} finishes or you cancel, beginning with #{tasks[0]})"
        )
    if seat.window != "closed":
        blocking.append(("window", 1, None))
        window = "on hold" if seat.window == "hold" else seat.window
        said.append(f"a wake window that is {window} (wake drain {seat.seat})")
    if blocking:
        raise Refused(
            "R4",
            f"{seat.seat} can't be deactivated: {_joined(said)}",
            f"if it is gone for good: sublation-panel seat close-queue {seat.seat} --reason …",
            blocking=tuple(blocking),
        )


def may_restore(seat: Seat) -> None:
    """R5: only a tombstone is restored."""
    if seat.status == "active":
        raise Refused("R5", f"{seat.seat} is active already", "nothing to do")


def may_close_queue(seat: Seat, tasks: Sequence[int], leased: int | None) -> None:
    """R14: an agent's queue that holds something unread, or tasks that are open or accepted.

    `leased` is the message under the seat's live lease, None without one.
    """
    if seat.kind == "user":
        raise Refused("R14", "the user's own queue can't be closed", "name an agent's seat")
    if not seat.unread and not tasks:
        raise Refused(
            "R14", f"{seat.seat} has nothing unread and no unfinished task", "nothing to do"
        )
    if leased is not None:
        raise Refused(
            "R14",
            f"{seat.seat} holds a lease on #{leased}",
            "wait for its receipt, or end it: wake end LEASE --reason …",
            blocking=(("lease", 1, leased),),
        )


def may_leave(seat: Seat) -> None:
    """M15: an active agent seat; marked away already, it gets the new time and reason."""
    if seat.kind == "user":
        raise Refused("M15", "the user is never due, so never away", "name an agent's seat")
    if seat.status == "inactive":
        raise Refused(
            "M15",
            f"{seat.seat} is inactive, and nothing is due of it",
            f"bring it back first: sublation-panel seat restore {seat.seat}",
        )


def still_to_come(until: str, now: str) -> None:
    """M15: away until a time to come. BadInput else."""
    if until <= now:
        raise BadInput(f"{until} is past", "give a time to come", field="until")


def may_return(seat: Seat) -> None:
    """M15: a seat that carries the mark, whether its time has come or not."""
    if seat.away is None:
        raise Refused("M15", f"{seat.seat} is not away", "nothing to do")


def is_away(seat: Seat, now: str) -> bool:
    """M15: marked away until a time that is still to come."""
    return seat.away is not None and now < seat.away.until


def as_ranges(tasks: Sequence[tuple[int, bool]]) -> tuple[tuple[int, int], ...]:
    """R14: the unfinished ones of a seat's tasks (number, unfinished; in order) as ranges.

    No range holds a finished task of the seat, unless there would be more than 500 of them: then
    it is one, since a line has its limit.
    """
    found = []
    for unfinished, group in groupby(tasks, key=lambda task: task[1]):
        if unfinished:
            numbers = [number for number, _ in group]
            found.append((numbers[0], numbers[-1]))
    if len(found) > RANGES_LIMIT:
        return ((found[0][0], found[-1][1]),)
    return tuple(found)


def _joined(said: Sequence[str]) -> str:
    return " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else said[0]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
