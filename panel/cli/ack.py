"""`ack`: the seat's cursor passes the next message due, or each one up to a number (M5)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator

from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from state.errors import BadInput
from state.messages.commands import Acknowledge
from state.roster import queries


def _arguments(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--through",
        metavar="N",
        type=whole,
        help="each message from the next one due to N, one after the other",
    )


def _run(call: Call) -> int:
    actor = call.actor()

    def make() -> Acknowledge:
        through = call.args.through
        if through is None:
            return Acknowledge(call.number(0))
        if call.args.given:
            raise BadInput("N is given twice", "ack N, or ack --through N", field="n")
        return Acknowledge(through, through=True)

    done = call.change(make, actor, may=lambda view: queries.get(view, actor.seat))
    passed = next(op for op in done.ops if op["op"] == "acknowledged")
    shown = {
        "rev": done.rev,
        "seat": passed["seat"],
        "first": passed["first"],
        "through": passed["through"],
        "count": passed["count"],
        "cursor": passed["cursor"],
        "repeated": done.repeated,
    }

    def lines() -> Iterator[str]:
        first, through = passed["first"], passed["through"]
        what = f"#{through}" if first == through else f"#{first} to #{through}"
        again = ", as before with this key" if done.repeated else ""
        yield f"{passed['seat']} acknowledged {what}{again} (r{done.rev})"

    return call.answer(shown, lines)


VERBS = Verb(
    _run,
    "Acknowledge the next message due to the seat, or each one up to a number.",
    names=(("N", "the number of the message that `inbox` shows first"),),
    words="| --through N",
    arguments=_arguments,
    changes=True,
    more="The cursor moves forward only, one message after the other; anything else is refused and"
    " the refusal names the message that is due.",
    examples=("sublation-panel ack 12", "SUBLATION_SEAT=codex sublation-panel ack --through 20"),
)
