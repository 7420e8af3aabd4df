"""`wake policy`: under what limits a seat may be woken; shown, set, enabled, disabled (W1-W5)."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Group, Verb, whole
from state.errors import BadInput, Refused

if TYPE_CHECKING:
    from state.command import Actor
    from state.index.view import View
    from state.wake.policy import Policy
    from state.wake.window_commands import WakeChange

FILE_LIMIT = 64 * 1024
# Triggers are the deepest thing in a policy.
FILE_DEPTH = 3
TRIGGERS = ("kinds", "senders", "urgency", "addressing")
LISTS = ("kinds", "senders", "urgency")


def _show(call: Call) -> int:
    from state.wake.load import seat_wake

    seat = call.given(0, "SEAT")
    with call.looking() as view:
        wake = seat_wake(view, seat)
    stands = wake.policy is not None and wake.policy.project == wake.project
    shown = {
        "seat": wake.seat,
        "policy": None if wake.policy is None else shapes.policy(wake.policy),
        "hash": wake.policy_hash or None,
        "enabled": wake.enabled,
        "of_this_project": stands if wake.policy is not None else None,
        "revision": wake.policy_revision,
        "state": call.state,
    }

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import wake_policy as words

        if wake.policy is None:
            yield f"{plain(seat)} has no wake policy; set one with: wake policy set {plain(seat)}"
            return
        yield from map(plain, words.policy(wake.policy, wake.policy_hash, enabled=wake.enabled))
        if not stands:
            yield f"it was made for another project; set it again: wake policy set {plain(seat)}"

    return call.answer(shown, lines)


def _set(call: Call) -> int:
    actor = user(call, "sets wake policies")
    from state.wake.load import seat_wake
    from state.wake.policy import policy_of
    from state.wake.window_commands import SetPolicy

    seat = call.given(0, "SEAT")
    chosen = _chosen(call)
    with call.project.view() as view:
        wake = seat_wake(view, seat)
        fields: Mapping[str, Any]
        if call.args.source is None:
            fields = _merged(view, wake.policy, chosen)
        elif chosen:
            raise BadInput("a policy comes from a file or from options", "leave one of them out")
        else:
            fields = _from_file(call.args.source)
        made = policy_of(fields, wake.project, seat)
    done = call.change(
        lambda: SetPolicy(
            seat, policy=made, seen=wake.policy_revision, drifted=shapes.drifted(call, seat)
        ),
        actor,
    )
    enabled = wake.enabled
    op = next(op for op in done.ops if op["op"] == "policy_set")
    shown = {"policy": shapes.policy(made), "hash": op["hash"], "enabled": enabled}

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import wake_policy as words

        yield from map(plain, words.policy(made, op["hash"], enabled=enabled))

    return shapes.changed(call, done, actor, {"seat": seat} | shown, lines)


def _chosen(call: Call) -> dict[str, Any]:
    """The fields that options name, with their values."""
    from state.wake.policy import LIMITS

    given = {limit.name: getattr(call.args, limit.name) for limit in LIMITS}
    given |= {name: getattr(call.args, name) for name in (*TRIGGERS, "adapter_id", "fingerprint")}
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in LISTS:
        if name in chosen:
            chosen[name] = [word for part in chosen[name] for word in part.split(",") if word]
    if call.args.intent_only:
        if "adapter_id" in chosen or "fingerprint" in chosen:
            raise BadInput("intent_only is without an adapter", "leave one of them out")
        chosen["adapter_id"] = None
    return chosen


def _merged(view: View, before: Policy | None, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A policy's fields: those chosen, and of the present policy what isn't."""
    from state.adapters import queries

    fields = {} if before is None else shapes.policy(before)
    # The policy of a project that this one is a copy of is taken over for this one.
    fields.pop("project", None)
    triggers = {**fields.get("triggers", {}), **{k: chosen[k] for k in TRIGGERS if k in chosen}}
    fields |= {name: value for name, value in chosen.items() if name not in TRIGGERS}
    adapter = chosen.get("adapter_id")
    if "adapter_id" in chosen and adapter is None:
        fields.pop("adapter_id"), fields.pop("fingerprint", None)
    elif adapter is not None and "fingerprint" not in chosen:
        found = queries.get(view, adapter)
        if not found.is_registered:
            raise Refused(
                "W7",
                f"the registration of adapter {adapter} was revoked",
                f"register it: adapter register {adapter} FILE…",
            )
        fields["fingerprint"] = found.fingerprint
    return fields | {"triggers": triggers}


def _from_file(path: str) -> Mapping[str, Any]:
    """The fields in a file, which is read this once (W5). BadInput, naming the field."""
    from state.strict_json import parsed

    raw = _read(path)
    try:
        value, odd = parsed(raw, FILE_LIMIT, FILE_DEPTH)
    except BadInput as error:
        raise BadInput(f"{path}: {error.message}", error.hint, field="from") from error
    for one in odd:
        raise BadInput(f"{path}: {one.field or 'the whole'}: {one.what}", one.hint, field=one.field)
    if not isinstance(value, dict):
        raise BadInput(f"{path}: a policy is one JSON object", "see: wake policy show SEAT --json")
    return value


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = b"" if size > FILE_LIMIT else file.read(FILE_LIMIT + 1)
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror}", field="from") from error
    except ValueError as error:
        raise BadInput(f"{path!r} is no name of a file", field="from") from error
    if size > FILE_LIMIT or len(data) > FILE_LIMIT:
        raise BadInput(f"{path}: a policy has at most {FILE_LIMIT:,} bytes", field="from")
    return data


def _enable(call: Call) -> int:
    from state.wake.window_commands import EnablePolicy

    return _switched(call, EnablePolicy)


def _disable(call: Call) -> int:
    from state.wake.window_commands import DisablePolicy

    return _switched(call, DisablePolicy)


def _switched(call: Call, kind: type[WakeChange]) -> int:
    actor, seat = user(call, kind.WHAT), call.given(0, "SEAT")
    done = call.change(lambda: kind(seat, drifted=shapes.drifted(call, seat)), actor)
    return shapes.changed(call, done, actor, {"seat": seat})


def user(call: Call, what: str) -> Actor:
    """W6: the user at a terminal; who may do it is answered before what is missing."""
    from state.wake import window

    named = call.named_seat()
    if named is not None:
        window.by_user_only(named, what)
    if not call.at_terminal:
        raise Refused(
            "W6",
            f"only the user {what}, at a terminal",
            "run it at your own terminal; an agent asks with: post user --kind question",
        )
    return call.actor()


def _fields(group: _ArgumentGroup) -> None:
    from state.wake.policy import LIMITS

    group.add_argument(
        "--from", metavar="FILE", dest="source", help="all fields from a JSON file, read this once"
    )
    for limit in LIMITS:
        group.add_argument(
            f"--{limit.name.replace('_', '-')}",
            metavar="N",
            type=whole,
            help=f"{limit.least:,} to {limit.most:,}, by default {limit.default:,}",
        )
    _triggers(group)
    group.add_argument(
        "--adapter", metavar="ADAPTER", dest="adapter_id", help="who claims; a registered adapter"
    )
    group.add_argument("--fingerprint", metavar="F", help="the adapter's; else the registered one")
    group.add_argument(
        "--intent-only", action="store_true", help="no adapter: the seat itself claims"
    )


def _triggers(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--kinds",
        "--kind",
        metavar="K",
        action="append",
        help="kinds of messages that wake, with commas or several times; by default task,question",
    )
    group.add_argument(
        "--sender",
        metavar="SEAT",
        dest="senders",
        action="append",
        help="only messages of this seat wake; may be given several times; '' is any",
    )
    group.add_argument(
        "--urgency", metavar="U", action="append", help="normal or high; '' is any, the default"
    )
    group.add_argument(
        "--addressing", metavar="A", help="direct (the default), or any: messages to all wake too"
    )


SEAT = (("SEAT", "the agent seat"),)
USERS = "Only the user may do it, at a terminal."

VERBS: Group = {
    "show": Verb(
        _show,
        "What wakes a seat, who claims, each limit's meaning.",
        names=SEAT,
        more="Needs neither a seat nor a terminal and changes nothing.",
    ),
    "set": Verb(
        _set,
        "Set a seat's policy; it enables and arms nothing.",
        names=SEAT,
        words="[--from FILE | options]",
        arguments=_fields,
        changes=True,
        more=f"{USERS} What no option names stays as it is in the present policy, or is the"
        " default where there is none. A file is the whole policy: what it leaves out is the"
        " default, and changing the file later changes nothing. An open window goes on hold.",
        examples=(
            "sublation-panel wake policy set codex --maximum-wakes 3 --kinds task",
            "sublation-panel wake policy set codex --adapter mini",
            "sublation-panel wake policy set codex --from policy.json",
        ),
    ),
    "enable": Verb(
        _enable,
        "Let a seat be armed; nothing is armed by it.",
        names=SEAT,
        changes=True,
        more=USERS,
    ),
    "disable": Verb(
        _disable,
        "Let a seat be armed no more; an armed window drains.",
        names=SEAT,
        changes=True,
        more=USERS,
    ),
}
