"""The user's changes of the roster, from arguments to commands (R1-R16, M15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from panel.cli import times
from panel.cli.call import Call
from state.errors import BadInput, Refused
from state.roster import commands, queries

if TYPE_CHECKING:
    from state.clock import Moment
    from state.command import Actor, Command
    from state.index.view import View
    from state.project import Committed


class Guarded:
    """A change of one seat that its author wants only while the roster is as it was seen."""

    def __init__(self, command: Command, roster: int) -> None:
        self._command = command
        self._roster = roster

    def guards(self) -> Mapping[str, int]:
        return {**self._command.guards(), "roster": self._roster}

    def decide(self, view: View, actor: Actor, now: Moment) -> Sequence[object]:
        return self._command.decide(view, actor, now)

    def is_repeated_by(self, ops: Sequence[Mapping[str, Any]]) -> bool:
        return self._command.is_repeated_by(ops)


def roster_change(make: Callable[[Call, str, int], Command], what: str) -> Callable[[Call], int]:
    """A verb for a change that carries the revision of the roster that its author saw (R9)."""

    def run(call: Call) -> int:
        actor = call.user()
        seat = call.given(0, "ID")
        # What can't be is said before anything is asked; 0 stands for any revision here.
        make(call, seat, 0)
        roster = call.args.roster
        if roster is None:
            roster = _seen(call, what.format(seat), partial(make, call, seat), actor)
        return _said(call, call.change(lambda: make(call, seat, roster), actor), seat)

    return run


def _seen(call: Call, what: str, make: Callable[[int], Command], actor: Actor) -> int:
    """The roster's revision, shown to the person, who says whether to go on.

    What the rules forbid is not asked for; with a key it may have been done before.
    """
    from panel.cli.ask import confirmed

    with call.project.view() as view:
        revision = queries.revision(view)
        if call.args.key is None:
            _may(view, make(revision), actor, call.project.clock.moment())
    confirmed(f"{what}? The roster is at revision {revision}.")
    return revision


def _may(view: View, command: Command, actor: Actor, now: Moment) -> None:
    """Refused, unless it is a window alone that stands against it: what is due by the time may
    close that, and is written before the command.
    """
    try:
        command.decide(view, actor, now)
    except Refused as refusal:
        if [kind for kind, *_ in refusal.blocking] != ["window"]:
            raise


def seat_change(make: Callable[[Call, str], Command]) -> Callable[[Call], int]:
    """A verb for a change that touches one seat only."""

    def run(call: Call) -> int:
        actor = call.user()
        seat, roster = call.given(0, "ID"), call.args.roster

        def wish() -> Command:
            command = make(call, seat)
            return command if roster is None else Guarded(command, roster)

        return _said(call, call.change(wish, actor), seat)

    return run


def _said(call: Call, done: Committed, seat: str) -> int:
    with call.project.view() as view:
        roster = queries.revision(view)

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import operations

        again = ", before with this key; nothing was written now" if done.repeated else ""
        words = operations.all_in_words(done.ops, done.rev)
        yield plain(f"r{done.rev}: you {words}{again}")

    shown = {"rev": done.rev, "seat": seat, "roster": roster, "repeated": done.repeated}
    return call.answer(shown, lines)


def add(call: Call, seat: str, roster: int) -> Command:
    args = call.args
    return commands.AddSeat(seat, roster, args.name or "", args.host or "", tuple(args.roles or ()))


def set_labels(call: Call, seat: str, roster: int) -> Command:
    host, roles = call.args.host, call.args.roles
    if host is None and roles is None:
        raise BadInput("nothing to set", "--host H, --role R", field="host")
    kept = None if roles is None else tuple(role for role in roles if role)
    return commands.SetLabels(seat, roster, host, kept)


def hide(call: Call, seat: str, roster: int) -> Command:
    return commands.HideSeat(seat, roster)


def unhide(call: Call, seat: str, roster: int) -> Command:
    return commands.ShowSeat(seat, roster)


def rename(call: Call, seat: str, roster: int) -> Command:
    return commands.RenameSeat(seat, roster, call.given(1, "NAME"))


def deactivate(call: Call, seat: str, roster: int) -> Command:
    return commands.DeactivateSeat(seat, roster, call.args.reason or "")


def restore(call: Call, seat: str, roster: int) -> Command:
    return commands.RestoreSeat(seat, roster)


def away(call: Call, seat: str) -> Command:
    if call.args.until is None:
        raise BadInput("until when is missing", f"--until TIME: {times.HOW}", field="until")
    until = times.ahead(call.args.until, "until", call.project.clock.now())
    return commands.MarkAway(seat, until, call.args.reason or "")


def back(call: Call, seat: str) -> Command:
    return commands.MarkBack(seat)


def close_queue(call: Call, seat: str) -> Command:
    return commands.CloseQueue(seat, call.args.reason or "")
