"""`wake intent`: the wishes to wake, and what the user does with those that are stuck (W15)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator
from typing import TYPE_CHECKING

from panel.cli import output
from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Group, Verb, whole
from panel.cli.wake_policy import user

if TYPE_CHECKING:
    from state.wake.intent_commands import DismissIntent, RetryIntent

LIMIT = 50


def _list(call: Call) -> int:
    from state.roster import queries as roster
    from state.wake import queries
    from state.wake.due import by_time
    from state.wake.load import seats_with_policy

    limit = LIMIT if call.args.limit is None else call.args.limit
    with call.looking() as view:
        if call.args.of is not None:
            roster.get(view, call.args.of)
        rows = queries.intents(view, call.args.of, limit + 1)
        now = call.project.clock.moment()
        worked_out = {seat: by_time(view, seat, now).wake for seat in seats_with_policy(view)}
    listed = [shapes.intent(row) for row in rows[:limit]]
    for one in listed if call.is_sound else ():
        found = worked_out[one["seat"]].intent(one["message"])
        if found is not None:
            one |= {"state": found.state, "reason": found.reason or None}
    more = len(rows) > limit

    def lines() -> Iterator[str]:
        from panel.present import ages
        from panel.words import signs
        from panel.words import wake as words

        if not rows:
            yield "no intent; a scan of an armed window makes one of a message: wake scan"
            return
        moment = ages.parsed(now.utc)
        found = [
            (
                f"#{one['message']}",
                signs.seat(one["seat"]),
                words.INTENT[one["state"]],
                one["intent"],
                ages.age(one["at"], moment),
                one["title"],
            )
            for one in listed
        ]
        heads = ("message", "seat", "state", "intent", "since", "title")
        yield from output.table(heads, found, keep=(0, 3, 4))
        if more:
            yield "there are more: --limit N"

    return call.answer({"intents": listed, "more": more, "state": call.state}, lines)


def _retry(call: Call) -> int:
    from state.wake.intent_commands import RetryIntent

    return _decided(call, "retries intents", RetryIntent)


def _dismiss(call: Call) -> int:
    from state.wake.intent_commands import DismissIntent

    return _decided(call, "dismisses intents", DismissIntent)


def _decided(call: Call, what: str, kind: type[RetryIntent | DismissIntent]) -> int:
    from state.wake import queries

    actor, given = user(call, what), call.given(0, "INTENT")
    with call.project.view() as view:
        row = queries.intent(view, given)
    drifted = shapes.drifted(call, row.seat)
    done = call.change(lambda: kind(given, call.args.reason or "", drifted=drifted), actor)
    about = {"intent": given, "seat": row.seat, "message": row.message}
    return shapes.changed(call, done, actor, about)


def _which(group: _ArgumentGroup) -> None:
    group.add_argument("--seat", metavar="S", dest="of", help="only those of this seat")
    group.add_argument("--limit", metavar="N", type=whole, help=f"at most so many; else {LIMIT}")


def _reason(group: _ArgumentGroup) -> None:
    group.add_argument("--reason", metavar="TEXT", help="why; it is kept in the journal")


INTENT = (("INTENT", "the intent's id, as `wake intent list` shows it"),)
USERS = "Only the user may do it, at a terminal."

VERBS: Group = {
    "list": Verb(
        _list,
        "Every intent and its state, newest message first.",
        words="[--seat S] [--limit N]",
        arguments=_which,
        more="Needs neither a seat nor a terminal and changes nothing.",
    ),
    "retry": Verb(
        _retry,
        "Let one that used up its attempts be claimed again.",
        names=INTENT,
        words="--reason TEXT",
        arguments=_reason,
        changes=True,
        more=f"{USERS} Its window must not be closed; resume it afterwards: wake resume SEAT.",
    ),
    "dismiss": Verb(
        _dismiss,
        "Want no wake for it any more; it stays unread.",
        names=INTENT,
        words="--reason TEXT",
        arguments=_reason,
        changes=True,
        more=USERS,
    ),
}
