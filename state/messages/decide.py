"""Who may post, acknowledge and work on tasks: the rules M1-M8 as pure decisions.

Each gives what it decides or raises Refused with the rule; that the one who acts is an active seat
is asked of `state.roster.decide.may_act`.
"""

from collections.abc import Mapping, Sequence

from state.command import USER
from state.errors import Refused
from state.roster.queries import Seat

ALL = "all"
LIVE = frozenset({"open", "accepted"})
FINAL = frozenset({"done", "declined", "cancelled"})


def resolve(
    sender: str, to: Sequence[str], seats: Mapping[str, str]
) -> tuple[tuple[str, ...], str]:
    """M2, M3: the seats a message goes to, and whether it was addressed `direct` or to `all`.

    `seats` gives the status of each seat of the roster; hidden ones are seats like any other.
    """
    active = [seat for seat, status in seats.items() if status == "active"]
    if ALL in to:
        found = tuple(seat for seat in active if seat != sender)
        if not found:
            raise Refused("M2", "nobody else is seated", "the user adds seats: seat add ID")
        return found, ALL
    if not to:
        raise Refused("M2", "a message needs a recipient", "name seats, or all")
    for seat in to:
        if seat not in active:
            state = "inactive" if seat in seats else "not a seat here"
            raise Refused(
                "M3",
                f"{seat!r} is {state}; the message was posted to nobody",
                f"seats here: {', '.join(active[:12])}",
            )
    if sender in to:
        raise Refused("M2", "a message to oneself is not posted", "name another seat")
    return tuple(dict.fromkeys(to)), "direct"


def answered_to(sender: str, to: Sequence[str], actor: str) -> tuple[str, ...]:
    """Whom a reply goes to: the sender, or who got the message when it was one's own."""
    return tuple(seat for seat in to if seat != actor) if sender == actor else (sender,)


def hops(sender: str, answered: int | None, acknowledged: int, leased: int) -> int:
    """M8: 0 from the user; a reply one more than what it answers; else one more than the highest.

    `answered` is the hop count of what it replies to, `acknowledged` the highest among what the
    sender acknowledged in the last hour, `leased` that of the message under its live lease, 0 when
    there was nothing: an agent never begins below 1.
    """
    if sender == USER:
        return 0
    if answered is not None:
        return answered + 1
    return max(acknowledged, leased) + 1


def may_acknowledge(seat: Seat, number: int, place: int | None) -> tuple[int, int]:
    """M5: something unread of the seat's own queue; `place` is that of `number` in the queue.

    Gives the number of the next message due, which it begins with, and the place.
    """
    if seat.next_due is None:
        raise Refused("M5", "nothing is unread in your queue", "nothing to acknowledge")
    due = f"next due is #{seat.next_due}"
    if place is None:
        raise Refused("M5", f"#{number} never stood in your queue", due)
    if number < seat.next_due:
        raise Refused("M5", f"your cursor has passed #{number} already", due)
    return seat.next_due, place


def in_order(seat: Seat, number: int) -> None:
    """M5: one message after the other."""
    if number != seat.next_due:
        raise Refused(
            "M5",
            f"#{number} is not next in your queue: #{seat.next_due} is",
            f"acknowledge #{seat.next_due} first, or all up to it: ack --through {number}",
        )


def still_open(kind: str, *, answered: bool, task: str | None) -> bool:
    """Whether a seat owes a message something: a question unanswered, a task neither taken nor
    refused. Acknowledging is possible all the same, so a person is asked first.
    """
    return task == "open" or (kind == "question" and not answered)


def may_accept(state: str | None, number: int) -> None:
    """M7: the holder accepts an open task."""
    _holds(state, number)
    if state != "open":
        raise Refused("M7", f"task #{number} is {state}, not open", "nothing to accept")


def may_finish(state: str | None, number: int) -> None:
    """M7: the holder finishes a task that was accepted before."""
    _holds(state, number)
    if state == "open":
        raise Refused(
            "M7",
            f"task #{number} is open; only an accepted task can be done",
            f"accept it first: task accept {number}",
        )
    if state != "accepted":
        raise Refused("M7", f"task #{number} is {state}, which is final", "nothing to do")


def may_decline(state: str | None, number: int) -> None:
    """M7: the holder declines an open or accepted task."""
    _holds(state, number)
    if state in FINAL:
        raise Refused("M7", f"task #{number} is {state}, which is final", "nothing to decline")


def may_cancel(actor: str, author: str, number: int, states: Mapping[str, str]) -> tuple[str, ...]:
    """M7: the author or the user cancels; gives the holders whose tasks that ends.

    `states` holds the task of each holder that is meant.
    """
    if actor not in (author, USER):
        who = "the user" if author == USER else f"{author}, who wrote it, or the user"
        raise Refused(
            "M7",
            f"task #{number} can be cancelled by {who} only",
            f"its holder can decline it: task decline {number} --reason …",
        )
    live = tuple(holder for holder, state in states.items() if state in LIVE)
    if not states:
        raise Refused("M7", f"that seat holds no task #{number}", "task list shows who does")
    if not live:
        states_now = ", ".join(f"{holder}: {state}" for holder, state in states.items())
        raise Refused("M7", f"task #{number} is final ({states_now})", "nothing to cancel")
    return live


def evidence_message(number: int, sender: str | None, holder: str, accepted: int) -> None:
    """M7: evidence is a message by the holder, later than the acceptance in line `accepted`."""
    if sender is None:
        raise Refused("M7", f"there is no message #{number}", "name a message of your own")
    if sender != holder:
        raise Refused(
            "M7", f"#{number} is by {_the(sender)}, not by you", "name a message of your own"
        )
    if number < accepted:
        raise Refused(
            "M7",
            f"#{number} is older than the acceptance of the task (line {accepted})",
            "post what proves it, then name that message",
        )


def _the(seat: str) -> str:
    return "the user" if seat == USER else seat


def _holds(state: str | None, number: int) -> None:
    if state is None:
        raise Refused("M7", f"you hold no task #{number}", "task list shows who holds which task")
