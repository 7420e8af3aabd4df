"""Who may post, acknowledge and work on tasks: the rules M1-M8 as pure decisions."""

from collections.abc import Mapping, Sequence

from state.command import USER
from state.errors import Refused
from state.roster.queries import Seat

ALL = "all"
FINAL = frozenset({"done", "declined", "cancelled"})


def may_post(seat: str, sender: Seat | None) -> None:
    """M3: the sender is an active seat."""
    if sender is None or sender.status == "inactive":
        state = "no seat here" if sender is None else "an inactive seat"
        raise Refused("M3", f"{seat} is {state} and can't post", "the user adds or restores seats")


def resolve(
    sender: str, to: Sequence[str], seats: Mapping[str, Seat]
) -> tuple[tuple[str, ...], str]:
    """M2, M3: the seats a message goes to, and whether it was addressed `direct` or to `all`."""
    if ALL in to:
        active = [seat.seat for seat in seats.values() if seat.status == "active"]
        found = tuple(seat for seat in active if seat != sender)
        if not found:
            raise Refused("M2", "nobody else is seated", "the user adds seats: seat add ID")
        return found, ALL
    for seat in to:
        known = seats.get(seat)
        if known is None or known.status == "inactive":
            state = "not a seat here" if known is None else "inactive"
            raise Refused(
                "M3",
                f"{seat} is {state}; the message was posted to nobody",
                f"seats here: {', '.join(s.seat for s in seats.values() if s.status == 'active')}",
            )
    if sender in to:
        raise Refused("M2", "a message to oneself is not posted", "name another seat")
    return tuple(dict.fromkeys(to)), "direct"


def hops(sender: str, answered: int | None, acknowledged: int) -> int:
    """M8: 0 from the user; a reply one more than what it answers; else one more than the highest.

    `answered` is the hop count of what it replies to, `acknowledged` the highest among what the
    sender acknowledged in the last hour.
    """
    if sender == USER:
        return 0
    if answered is not None:
        return answered + 1
    return max(1, acknowledged + 1)


def may_acknowledge(seat: Seat, number: int, next_due: int | None, place: int | None) -> None:
    """M5: only the next message due, or from it on; `place` is that of `number` in the queue."""
    if next_due is None:
        raise Refused("M5", f"{seat.seat} has nothing unread", "nothing to acknowledge")
    if place is None:
        raise Refused(
            "M5", f"#{number} never stood in {seat.seat}'s queue", f"next due is #{next_due}"
        )
    if number < next_due:
        raise Refused(
            "M5", f"#{number} was passed by {seat.seat}'s cursor", f"next due is #{next_due}"
        )


def in_order(seat: Seat, number: int, next_due: int) -> None:
    """M5: one message after the other."""
    if number != next_due:
        raise Refused(
            "M5",
            f"#{number} is not next in {seat.seat}'s queue: #{next_due} is",
            f"acknowledge #{next_due} first, or everything up to it: ack --through {number}",
        )


def may_accept(state: str | None, number: int, holder: str) -> None:
    """M7: the holder accepts an open task."""
    _holds(state, number, holder)
    if state != "open":
        raise Refused("M7", f"task #{number} is {state}, not open", "nothing to accept")


def may_finish(state: str | None, number: int, holder: str) -> None:
    """M7: done comes after accepting."""
    _holds(state, number, holder)
    if state == "open":
        raise Refused(
            "M7",
            f"task #{number} is open; only an accepted task can be done",
            f"accept it first: task accept {number}",
        )
    if state != "accepted":
        raise Refused("M7", f"task #{number} is {state}, which is final", "nothing to do")


def may_decline(state: str | None, number: int, holder: str) -> None:
    """M7: the holder declines an open or accepted task."""
    _holds(state, number, holder)
    if state in FINAL:
        raise Refused("M7", f"task #{number} is {state}, which is final", "nothing to decline")


def may_cancel(actor: str, author: str, number: int, live: Sequence[str]) -> None:
    """M7: the author or the user cancels what is still open or accepted."""
    if actor not in (author, USER):
        raise Refused(
            "M7",
            f"only {author}, who wrote task #{number}, or the user cancels it",
            f"its holder can decline it: task decline {number} --reason …",
        )
    if not live:
        raise Refused("M7", f"nobody's task #{number} is open or accepted", "nothing to cancel")


def evidence_message(number: int, sender: str | None, holder: str, accepted: int | None) -> None:
    """M7: evidence is a message by the holder, later than the acceptance."""
    if sender is None:
        raise Refused("M7", f"there is no message #{number}", "name a message of your own")
    if sender != holder:
        raise Refused(
            "M7", f"#{number} is by {sender}, not by {holder}", "name a message of your own"
        )
    if accepted is not None and number < accepted:
        raise Refused(
            "M7",
            f"#{number} is older than the acceptance of the task (line {accepted})",
            "post what proves it, then name that message",
        )


def _holds(state: str | None, number: int, holder: str) -> None:
    if state is None:
        raise Refused(
            "M7", f"{holder} holds no task #{number}", "task list shows who holds which task"
        )
