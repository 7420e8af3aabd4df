"""Who may change the roster, and how: the rules R1-R16 as pure decisions.

Each gives nothing or raises Refused with the rule; panel and command line ask these same
functions to know whether a key or command can act.
"""

from collections.abc import Sequence

from state.command import USER
from state.errors import BadInput, Refused
from state.roster.queries import Seat


def by_user_only(actor: str) -> None:
    """R11: only the user seat changes the roster."""
    if actor != USER:
        raise Refused(
            "R11",
            f"only the user changes the roster; {actor} may not",
            "ask the user, for example with: sublation-panel post user --kind question …",
        )


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


def agent_seat(seat: Seat, what: str) -> None:
    """R1, R3: the user seat is always active and visible, and never away."""
    if seat.kind == "user":
        rule = "R3" if what == "deactivated" else "R1"
        raise Refused(rule, f"the user seat can't be {what}", "name an agent's seat")


def active_seat(seat: Seat, what: str) -> None:
    """R5: nothing is done to a tombstone but restoring it."""
    if seat.status == "inactive":
        raise Refused(
            "R5",
            f"{seat.seat} is inactive and can't be {what}",
            f"bring it back first: sublation-panel seat restore {seat.seat}",
        )


def may_hide(seat: Seat) -> None:
    """R6."""
    agent_seat(seat, "hidden")
    active_seat(seat, "hidden")
    if seat.visibility == "hidden":
        raise Refused("R6", f"{seat.seat} is hidden already", "nothing to do")


def may_show(seat: Seat) -> None:
    """R6."""
    active_seat(seat, "shown")
    if seat.visibility == "visible":
        raise Refused("R6", f"{seat.seat} is not hidden", "nothing to do")


def may_deactivate(seat: Seat, tasks: Sequence[int]) -> None:
    """R3, R4: not the user; not with unread messages or with open or accepted tasks."""
    agent_seat(seat, "deactivated")
    active_seat(seat, "deactivated")
    blocking: list[tuple[str, int, int | None]] = []
    said = []
    if seat.unread:
        blocking.append(("unread", seat.unread, seat.next_due))
        said.append(f"{seat.unread} unread ({seat.seat} acknowledges from #{seat.next_due})")
    if tasks:
        blocking.append(("tasks", len(tasks), tasks[0]))
        said.append(f"{len(tasks)} unfinished tasks (finish or cancel from #{tasks[0]})")
    if blocking:
        raise Refused(
            "R4",
            f"{seat.seat} can't be deactivated: {', '.join(said)}",
            f"if it is gone for good: sublation-panel seat close-queue {seat.seat} --reason …",
            blocking=tuple(blocking),
        )


def may_restore(seat: Seat) -> None:
    """R5, R7: only a tombstone is restored."""
    if seat.status == "active":
        raise Refused("R5", f"{seat.seat} is active already", "nothing to do")


def may_close_queue(seat: Seat, tasks: Sequence[int]) -> None:
    """R14: an agent's queue that holds something."""
    agent_seat(seat, "closed")
    active_seat(seat, "closed")
    if not seat.unread and not tasks:
        raise Refused(
            "R14", f"{seat.seat} has nothing unread and no unfinished task", "nothing to do"
        )


def may_leave(seat: Seat, until: str, now: str) -> None:
    """M15: an active agent seat, until a time to come."""
    agent_seat(seat, "away")
    active_seat(seat, "away")
    if until <= now:
        raise BadInput(f"{until} is past", "give a time to come", field="until")


def may_return(seat: Seat) -> None:
    """M15."""
    active_seat(seat, "back")
    if seat.away is None:
        raise Refused("M15", f"{seat.seat} is not away", "nothing to do")
