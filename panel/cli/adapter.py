"""`adapter`: programs that the user registered to act for agents, and what became of them (W21)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from panel.cli import output
from panel.cli.call import Call
from panel.cli.parser import Verb

if TYPE_CHECKING:
    from state.adapters.check import Checked
    from state.adapters.queries import Adapter
    from state.command import Actor
    from state.project import Committed


def _list(call: Call) -> int:
    from state.adapters import queries
    from state.adapters.check import check

    with call.looking() as view:
        listed = queries.adapters(view)
    found = {one.adapter: check(one) for one in listed if one.is_registered}
    shown = [_shape(one, found.get(one.adapter)) for one in listed]

    def lines() -> Iterator[str]:
        from panel.present import ages
        from panel.words import adapters as words

        if not listed:
            yield words.NO_ADAPTER
            return
        now = ages.parsed(call.project.clock.now())
        heads = ("adapter", "files", "registered", "fingerprint", "capabilities")
        rows = []
        for one in listed:
            became = "revoked" if one.adapter not in found else found[one.adapter].became
            why = "" if one.revoked is None else f": {one.revoked.reason}"
            rows.append(
                (
                    one.adapter,
                    f"{words.BECAME[became]}{why}",
                    ages.when(one.registered_at, now),
                    one.fingerprint[: words.HINT_HEX],
                    ", ".join(one.capabilities),
                )
            )
        yield from output.table(heads, rows, keep=(0, 3))

    return call.answer({"adapters": shown, "state": call.state}, lines)


def _shape(one: Adapter, found: Checked | None) -> dict[str, Any]:
    return {
        "id": one.adapter,
        "fingerprint": one.fingerprint,
        "on_disk": None if found is None else found.on_disk,
        "registered_at": one.registered_at,
        "drifted": None if found is None else not found.is_same,
        "capabilities": one.capabilities,
        "registered": one.is_registered,
        "revoked": one.revoked,
        "base": one.base,
        "paths": one.paths,
        "count": one.count,
        "bytes": one.bytes,
    }


def _check(call: Call) -> int:
    from state.adapters import decide, queries
    from state.adapters.check import check

    with call.looking() as view:
        if call.args.given:
            named = queries.get(view, call.given(0, "ADAPTER"))
            decide.may_check(named)
            wanted = [named]
        else:
            wanted = [one for one in queries.adapters(view) if one.is_registered]
    found = [(one, check(one)) for one in wanted]
    shown = [_checked(one, result) for one, result in found]

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import adapters as words

        if not found:
            yield words.NOTHING_TO_CHECK
        for one, result in found:
            yield from map(plain, words.what_became(result, one.fingerprint))

    call.answer({"adapters": shown, "state": call.state}, lines)
    return _said([one.adapter for one, result in found if not result.is_same], call)


def _said(drifted: list[str], call: Call) -> int:
    """The exit status of a check, with its one line when it found something."""
    if not drifted:
        return 0
    from panel.cli import errors
    from panel.words import adapters as words
    from state.errors import Refused

    told = Refused("W21", words.not_as_registered(tuple(drifted)), words.CHECK_HINT)
    errors.say(told, as_json=call.json)
    return told.exit


def _checked(one: Adapter, found: Checked) -> dict[str, Any]:
    return {
        "id": one.adapter,
        "result": found.became,
        "fingerprint": one.fingerprint,
        "on_disk": found.on_disk,
        "changed": found.changed,
        "gone": found.gone,
        "new": found.new,
        "why": found.why or None,
    }


def _register(call: Call) -> int:
    actor = _user(call)
    from panel.cli.ask import confirmed
    from panel.words import adapters as words
    from state.adapters import queries
    from state.adapters.check import take_for
    from state.adapters.commands import Register
    from state.adapters.ids import adapter_id

    adapter = adapter_id(call.given(0, "ADAPTER"))
    with call.project.view() as view:
        before = queries.find(view, adapter)
    taken = take_for(adapter, tuple(call.args.given[1:]))
    seen = 0 if before is None else before.revision
    command = Register(adapter, taken, tuple(call.args.capabilities or ()), seen)
    if call.args.key is None:
        command.may(before)
    confirmed(words.REGISTER, about=words.about_to_register(command, before))
    return _changed(call, call.change(lambda: command, actor), adapter)


def _revoke(call: Call) -> int:
    actor = _user(call)
    from state.adapters.commands import Revoke

    adapter = call.given(0, "ADAPTER")
    done = call.change(lambda: Revoke(adapter, call.args.reason or ""), actor)
    return _changed(call, done, adapter)


def _user(call: Call) -> Actor:
    """W21: the user at a terminal; who may do it is answered before what is missing."""
    from state.adapters import decide

    named = call.named_seat()
    if named is not None:
        decide.by_user_only(named)
    return call.user()


def _changed(call: Call, done: Committed, adapter: str) -> int:
    fingerprint = next((op["fingerprint"] for op in done.ops if "fingerprint" in op), None)
    shown = {"rev": done.rev, "adapter": adapter, "repeated": done.repeated}

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import operations

        again = ", before with this key; nothing was written now" if done.repeated else ""
        yield plain(f"r{done.rev}: you {operations.all_in_words(done.ops, done.rev)}{again}")

    return call.answer(shown | {"fingerprint": fingerprint}, lines)


def _capabilities(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--capability",
        metavar="C",
        dest="capabilities",
        action="append",
        help="a label: what it can do; host:HOST lets it report what that host does with skills;"
        " may be given several times",
    )


def _reason(group: _ArgumentGroup) -> None:
    group.add_argument("--reason", metavar="TEXT", help="why; it is kept in the journal")


ADAPTER = (("ADAPTER", "the adapter's id"),)
READS = "Needs neither a seat nor a terminal and changes nothing."
USERS = "Only the user may do it, at a terminal."

VERBS: Mapping[str, Verb] = {
    "list": Verb(
        _list,
        "Every adapter that was registered, and what its files are now.",
        more=f"{READS} Each file is read again.",
    ),
    "register": Verb(
        _register,
        "Register a program that acts for agents, by a fingerprint over its files.",
        names=(*ADAPTER, ("FILE...", "its files and folders; a folder means all files below it")),
        words="[--capability C]...",
        arguments=_capabilities,
        changes=True,
        more=f"{USERS} Shows the files and the fingerprint, and asks. Registering starts nothing."
        " The program's own hook readers, builtin:claude-code and builtin:codex, are named without"
        " files. A link that leads out of its folder is refused. Registered again with other files"
        " it is the new ones that count.",
        examples=(
            "sublation-panel adapter register mini ./adapters/mini --capability claims",
            "sublation-panel adapter register builtin:codex",
        ),
    ),
    "check": Verb(
        _check,
        "Are the files still those that were registered? Reads each of them again.",
        names=(("[ADAPTER]", "the adapter's id; without it each registered one"),),
        more=f"{READS} Ends with 3 when one has drifted, can't be read, or is revoked.",
    ),
    "revoke": Verb(
        _revoke,
        "Take a registration back, with a reason.",
        names=ADAPTER,
        words="--reason TEXT",
        arguments=_reason,
        changes=True,
        more=f"{USERS} What was done under it stays in the journal.",
    ),
}
