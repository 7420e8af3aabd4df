"""`consumer`: who claims for a seat, as far as it holds the seat's lock or was declared (W22)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb
from state.errors import BadInput

if TYPE_CHECKING:
    from state.project import Committed

# How often a hold looks whether what it holds is still the seat's lock.
EVERY_SECONDS = 1.0


def _list(call: Call) -> int:
    from state.wake.consumers import every_consumer

    with call.looking() as view:
        listed = every_consumer(view, call.paths)
    shown = [
        {
            "seat": one.seat,
            "name": one.name,
            "kind": one.kind,
            "since": one.since,
            "alive": one.alive,
            "by": one.by or None,
            "pid": one.pid,
        }
        for one in listed
    ]

    def lines() -> Iterator[str]:
        from panel.present import ages
        from panel.words import adapters as words
        from panel.words import signs

        if not listed:
            yield words.NO_CONSUMER
            return
        now = ages.parsed(call.project.clock.now())
        rows = [
            (
                signs.seat(one.seat),
                words.who(one),
                str(words.KINDS[one.kind]) + (f" by {signs.seat(one.by)}" if one.by else ""),
                "" if one.since is None else ages.when(one.since, now),
            )
            for one in listed
        ]
        yield from output.table(("seat", "consumer", "how", "since"), rows, keep=(0,))

    return call.answer({"consumers": shown, "state": call.state}, lines)


def _hold(call: Call) -> int:
    from state import checks
    from state.roster import queries
    from state.wake.consumer_commands import may_hold, may_speak
    from state.wake.consumers import declared, holding

    actor, seat = call.actor(), call.given(0, "SEAT")
    with call.project.view() as view:
        may_speak(actor.seat, seat, queries.find(view, checks.named(seat, "seat")))
        name = checks.display_name(_name(call), "name")
        may_hold(name, declared(view, seat))
    since = call.project.clock.now()
    with holding(call.paths, seat, name, since) as still_held:
        from panel.neutral import plain
        from panel.words import adapters as words

        def say() -> None:
            shown = {"seat": seat, "name": name, "since": since}
            call.answer(shown, lambda: [plain(words.holds(seat, name))])
            output.flush()

        _stay(say, still_held)
    return 0


def _name(call: Call) -> str:
    name: str | None = call.args.name
    if name is None:
        raise BadInput("a consumer needs a name", "--name N", field="name")
    return name


class _Ended(Exception):
    """The person, or whoever started this, wants it to end."""


def _stay(say: Callable[[], None], still_held: Callable[[], None]) -> None:
    """Says that it holds, and stays until a signal ends it.

    Replaced when another file is the seat's lock.
    """
    import signal
    import time

    ends = [signal.SIGINT, signal.SIGTERM]
    # Whoever started it with `nohup` wants it to outlive the terminal.
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        ends.append(signal.SIGHUP)

    def end(*_: object) -> None:
        for number in ends:
            signal.signal(number, signal.SIG_IGN)
        raise _Ended

    try:
        for number in ends:
            signal.signal(number, end)
        say()
        while True:
            time.sleep(EVERY_SECONDS)
            still_held()
    except _Ended:
        return


def _declare(call: Call) -> int:
    from state.roster import queries
    from state.wake.consumer_commands import DeclareConsumer, may_speak

    actor, seat = call.actor(), call.given(0, "SEAT")
    done = call.change(
        lambda: DeclareConsumer(seat, _name(call)),
        actor,
        may=lambda view: may_speak(actor.seat, seat, queries.find(view, seat)),
    )
    return _changed(call, done, actor.seat, seat)


def _end(call: Call) -> int:
    from state.wake.consumer_commands import EndConsumer

    actor, seat = call.actor(), call.given(0, "SEAT")
    return _changed(call, call.change(lambda: EndConsumer(seat), actor), actor.seat, seat)


def _changed(call: Call, done: Committed, actor: str, seat: str) -> int:
    name = next((op["name"] for op in done.ops if "name" in op), None)
    shown = {"rev": done.rev, "seat": seat, "name": name, "repeated": done.repeated}

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import operations, signs

        again = ", before with this key; nothing was written now" if done.repeated else ""
        said = operations.all_in_words(done.ops, done.rev)
        yield plain(f"r{done.rev}: {signs.seat(actor)} {said}{again}")

    return call.answer(shown, lines)


def _named(group: _ArgumentGroup) -> None:
    group.add_argument("--name", metavar="N", help="what the consumer is called")


SEAT = (("SEAT", "the seat that it claims for"),)
WHO = "The user may, and the seat itself (--as SEAT)."
COUNTS = "While it stands, nothing of another name may claim for the seat or be armed for it."

VERBS: Mapping[str, Verb] = {
    "list": Verb(
        _list,
        "Who claims for which seat: whoever holds its lock now, and what was declared.",
        more="Needs neither a seat nor a terminal and changes nothing. Of a declared one nobody"
        " knows whether it is alive.",
    ),
    "hold": Verb(
        _hold,
        "Hold a seat's lock for as long as this command lives; it stays in the foreground.",
        names=SEAT,
        words="--name N",
        arguments=_named,
        more=f"{WHO} {COUNTS} Ctrl-C or SIGTERM ends it; however it ends, the lock is free then.",
        examples=("sublation-panel --as codex consumer hold codex --name codex",),
    ),
    "declare": Verb(
        _declare,
        "Say that something claims for a seat that can't hold a lock: an old watcher, a cron job.",
        names=SEAT,
        words="--name N",
        arguments=_named,
        changes=True,
        more=f"{WHO} {COUNTS} It counts until: consumer end SEAT.",
        examples=("sublation-panel consumer declare hermes --name 'cron on the old machine'",),
    ),
    "end": Verb(
        _end,
        "Say that what was declared for a seat claims no longer.",
        names=SEAT,
        changes=True,
        more="The user may, and whoever declared it. It stops nothing: end that program first.",
    ),
}
