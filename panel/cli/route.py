"""`route`: the router's index and suggestions, what hosts chose, and receipts (S1-S17)."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from panel.cli import route_views
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from panel.neutral import plain
from panel.words import signs
from state.errors import BadInput, Refused

if TYPE_CHECKING:
    from state.project import Committed

REQUEST = (("R", "the request's id"),)
READS = "Needs neither a seat nor a terminal and changes nothing."


def _index(call: Call) -> int:
    from state.routing import building, inventory, roots, skill_index
    from state.routing.notes import shown_path

    with call.looking() as view:
        read = roots.configured(view, call.paths.project)
    found = inventory.take(read)
    index = skill_index.make(building.of_inventory(found))
    skill_index.write(call.paths, index, call.project.clock.now())
    refused = [skill for skill in found.skills if skill.profile_problems]
    shown = {
        "entries": len(index.entries),
        "skills": len(found.skills),
        "refused": len(refused),
        "roots": [{"path": shown_path(one.root.path), "state": one.state} for one in found.roots],
        "skipped": found.skipped,
        "router": index.router,
        "vocabulary": index.vocabulary,
        "sha256": index.sha256,
    }

    def lines() -> Iterator[str]:
        from panel.cli.skill_text import covered

        yield (
            f"profiles in the index: {len(index.entries):,}; skills in the roots:"
            f" {len(found.skills):,}; profiles refused: {len(refused):,} (skill list)"
        )
        yield from map(plain, covered(found))
        yield f"{index.router}, {index.vocabulary}, sha256 {index.sha256}"
        yield "a picture of metadata: nothing is installed, available or allowed by it"

    return call.answer(shown, lines)


def _suggest(call: Call) -> int:
    from state.routing.ask import ask
    from state.routing.commands import Suggest
    from state.running import request_id

    args, actor = call.args, call.actor()
    # The same key makes the same request, so that a repeated call is the same one.
    made_up = request_id(actor.seat, args.key)[:16]
    request = made_up if args.request is None else args.request
    asked = ask(call.paths, tuple(args.feature or ()), args.sample)

    def make() -> Suggest:
        return Suggest(
            request, asked, args.host or "", args.adapter, args.fingerprint, args.mode or "shadow"
        )

    done = call.change(make, actor)
    (made,) = (op for op in done.ops if op["op"] == "suggestion_made")
    shown = {**made, "rev": done.rev, "repeated": done.repeated}
    return call.answer(shown, lambda: route_views.suggestion(made, done))


def _choose(call: Call) -> int:
    from state.routing.commands import Choose

    args, actor = call.args, call.actor()

    def make() -> Choose:
        if args.host is None:
            raise BadInput("the host is missing", "--host H", field="host")
        named = (args.skill, args.of_seat, args.adapter, args.fingerprint)
        return Choose(call.given(0, "R"), args.host, *named)

    return _said(call, actor.seat, call.change(make, actor), "choice_recorded")


def _receipt(call: Call) -> int:
    if call.args.transcript is not None:
        from panel.cli import route_transcript

        return route_transcript.run(call, call.args.transcript)
    from state import files
    from state.routing import documents, receipts, roots
    from state.routing.commands import RecordReceipt

    actor = call.actor()

    def make() -> RecordReceipt:
        try:
            raw = files.read_whole(os.path.abspath(call.given(0, "FILE")), documents.LIMIT + 1)
        except (OSError, ValueError) as error:
            raise BadInput(
                "the receipt can't be read", "name a plain file", field="file"
            ) from error
        receipt = documents.parse(raw)
        with call.project.view() as view:
            read = roots.configured(view, call.paths.project)
        return RecordReceipt(receipt, receipts.look(receipt, read, os.path.expanduser("~")))

    done = call.change(make, actor)
    code = _said(call, actor.seat, done, "receipt_recorded")
    reason = next(op["reason"] for op in done.ops if op["op"] == "receipt_recorded")
    if reason is None:
        return code
    from panel.cli import errors
    from panel.words import routing

    error = Refused("S11", f"it doesn't count: {routing.refused(reason)}", routing.mend(reason))
    errors.say(error, as_json=call.json)
    return error.exit


def _said(call: Call, seat: str, done: Committed, name: str) -> int:
    (op,) = (op for op in done.ops if op["op"] == name)
    shown = {**op, "rev": done.rev, "repeated": done.repeated}

    def lines() -> Iterator[str]:
        from panel.words import operations

        again = ", before with this key; nothing was written now" if done.repeated else ""
        said = operations.in_words(op, done.rev)
        yield plain(f"r{done.rev}: {signs.seat(seat)} {said}{again}")

    return call.answer(shown, lines)


def _by_adapter(group: _ArgumentGroup) -> None:
    group.add_argument("--host", metavar="H", help="the host, as its adapter calls it")
    group.add_argument(
        "--adapter", metavar="ADAPTER", help="the registered adapter that reports it"
    )
    group.add_argument("--fingerprint", metavar="F", help="the adapter's own fingerprint")


def _of_suggest(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--feature", metavar="F", action="append", help="an id of the vocabulary; repeatable"
    )
    group.add_argument("--sample", metavar="SAMPLE", help="a frozen sample instead, as in s-01")
    group.add_argument("--request", metavar="R", help="the request's id; else a new one is made")
    group.add_argument("--mode", metavar="MODE", help="shadow, and nothing else")
    _by_adapter(group)


def _of_choice(group: _ArgumentGroup) -> None:
    group.add_argument("--skill", metavar="SKILL", help="the skill's name; without it: none")
    group.add_argument(
        "--seat", metavar="S", dest="of_seat", help="the seat it is about; else the one that acts"
    )
    _by_adapter(group)


def _of_receipt(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--transcript", metavar="FILE", help="a host's own transcript, read line by line"
    )
    group.add_argument(
        "--seat", metavar="S", dest="of_seat", help="the seat that it is of; else the one that acts"
    )


def _of_list(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--limit",
        metavar="N",
        type=whole,
        default=route_views.LIMIT,
        help=f"at most so many, else {route_views.LIMIT}",
    )


def _of_stats(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--samples", action="store_true", help="the router on the frozen samples, offline"
    )
    group.add_argument(
        "--profiles", metavar="DIR", help="with --samples: a folder of profiles, not the index"
    )


VERBS: Mapping[str, Verb] = {
    "index": Verb(
        _index,
        "Build the router's index anew from every valid profile in the skill roots.",
        more="The index lies in the cache, with the hash of each file. Needs neither a seat nor a"
        " terminal, and writes no line.",
    ),
    "suggest": Verb(
        _suggest,
        "What the router would propose, explained to the last weight; in shadow only.",
        words="(--feature F... | --sample SAMPLE) [--request R] [--host H --adapter ADAPTER"
        " --fingerprint F]",
        arguments=_of_suggest,
        changes=True,
        more="It takes feature ids, never a prompt. Without a registered adapter the suggestion is"
        " offline. It changes nothing at any host, and no host has to follow it.",
        examples=(
            "sublation-panel route suggest --feature action.debug --feature lang.python",
            "sublation-panel route suggest --sample s-01",
        ),
    ),
    "choose": Verb(
        _choose,
        "Record what a host chose for a request: a skill, or none.",
        names=REQUEST,
        words="--host H [--skill SKILL] [--seat S] [--adapter ADAPTER --fingerprint F]",
        arguments=_of_choice,
        changes=True,
        more="Reported by the host's registered adapter, or by the user by hand.",
    ),
    "receipt": Verb(
        _receipt,
        "Record a receipt of an invocation; one that fails a check is kept as refused.",
        names=(("FILE", "a routing-invocation-receipt-v1 in JSON"),),
        words="| --transcript FILE [--seat S]",
        arguments=_of_receipt,
        changes=True,
        more="A refused one ends with 3. With --transcript: what a transcript of Claude Code, or a"
        " rollout of Codex, proves by ids once the host's adapter is registered. What can't be read"
        " is counted, what is recorded already is not written again.",
    ),
    "list": Verb(
        route_views.listing,
        "Requests, the newest first, each with its four layers side by side.",
        words="[--limit N]",
        arguments=_of_list,
        more=READS,
    ),
    "show": Verb(
        route_views.show,
        "The four layers of a request, each with its state and its evidence.",
        names=REQUEST,
        more=READS,
    ),
    "stats": Verb(
        route_views.stats,
        "How often router and hosts agree, per host and router version.",
        words="[--samples [--profiles DIR]]",
        arguments=_of_stats,
        more="With --samples: how the router does on its frozen samples, which counts as offline;"
        f" with --profiles no project is needed. {READS}",
    ),
}
