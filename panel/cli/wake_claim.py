"""`wake claim`, `renew`, `end`, `receipt`: what an adapter does with a lease (W16-W20, W29)."""

from __future__ import annotations

import os
from argparse import _ArgumentGroup
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Verb, whole
from panel.cli.wake_policy import user
from state.errors import BadInput

if TYPE_CHECKING:
    from state.wake.lease_commands import Claim
    from state.wake.receipts import SeenFile


def _claim(call: Call) -> int:
    from state.roster import queries
    from state.roster.decide import may_act
    from state.wake.consumers import consumers_of
    from state.wake.lease_commands import Claim, granted

    actor = call.actor()
    with call.project.view() as view:
        # Whether a seat that there is may claim is the gate's to say, by its codes.
        if queries.find(view, actor.seat) is None:
            may_act("W16", actor.seat, None)
        seen = consumers_of(view, call.paths, actor.seat)
    drifted = shapes.drifted(call, actor.seat, *_named(call))
    who = (call.args.adapter, call.args.fingerprint)
    command = Claim(os.urandom(16).hex(), *who, consumers=seen, drifted=drifted)
    if call.args.dry_run:
        return _would_claim(call, command, actor.seat)
    done = call.change(lambda: command, actor)
    lease = granted(done.ops, actor.seat)
    about = {
        "lease": lease["lease"],
        "seat": actor.seat,
        "intent": lease["intent"],
        "message": lease["message"],
        "attempt": lease["attempt"],
        "expires_at": lease["expires"],
        "lease_seconds": lease["run_ms"] // 1000,
    }

    def lines() -> Iterator[str]:
        from panel.words import wake_policy as words

        now = call.project.clock.now()
        yield f"lease    {lease['lease']}"
        yield f"message  #{lease['message']}; read it: message show {lease['message']}"
        yield f"expires  {words.until(lease['expires'], now)}"

    return shapes.changed(call, done, actor, about, lines)


def _would_claim(call: Call, command: Claim, seat: str) -> int:
    """W23: what a claim would get now; it writes nothing."""
    from state.index.fold_wake import intent_id
    from state.wake.due import by_time
    from state.wake.gate import refused_nothing

    now = call.project.clock.moment()
    with call.looking() as view:
        if not call.is_sound:
            return 0
        wake = by_time(view, seat, now, command.drifted).wake
        answer = command.answer(view, wake, now)
    if answer.grant is None:
        raise refused_nothing(seat)
    message, attempt = answer.grant
    shown = {
        "dry_run": True,
        "lease": None,
        "seat": seat,
        "intent": intent_id(wake.project, seat, message),
        "message": message,
        "attempt": attempt,
        "expires_at": None,
    }
    said = f"a claim would get a lease on #{message}, attempt {attempt}; nothing was written"
    return call.answer(shown, lambda: [said])


def _renew(call: Call) -> int:
    from state.wake.lease_commands import Renew

    actor, lease = call.actor(), call.given(0, "LEASE")
    drifted = shapes.drifted(call, actor.seat, *_named(call))
    who = (call.args.adapter, call.args.fingerprint)
    done = call.change(lambda: Renew(lease, *who, drifted=drifted), actor)
    op = next(op for op in done.ops if op["op"] == "lease_renewed")
    about = {
        "lease": lease,
        "seat": op["seat"],
        "expires_at": op["expires"],
        "lease_seconds": op["run_ms"] // 1000,
    }

    def lines() -> Iterator[str]:
        from panel.words import wake_policy as words

        yield f"expires  {words.until(op['expires'], call.project.clock.now())}"

    return shapes.changed(call, done, actor, about, lines)


def _end(call: Call) -> int:
    from state.wake.lease_commands import EndLease
    from state.wake.queries import find_lease

    actor, lease = user(call, "ends leases"), call.given(0, "LEASE")
    with call.project.view() as view:
        row = find_lease(view, lease)
    drifted = frozenset() if row is None else shapes.drifted(call, row.seat)
    done = call.change(lambda: EndLease(lease, call.args.reason or "", drifted=drifted), actor)
    op = next(op for op in done.ops if op["op"] == "lease_ended")
    about = {
        "lease": lease,
        "seat": op["seat"],
        "message": op["message"],
        "intent_state": op["state"],
    }
    return shapes.changed(call, done, actor, about)


def _receipt(call: Call) -> int:
    from state.wake.receipt_commands import TakeReceipt, refusal

    args, actor, lease = call.args, call.actor(), call.given(0, "LEASE")
    if args.outcome is None:
        raise BadInput("a receipt needs an outcome", _OUTCOMES, field="outcome")
    if args.reply is not None and args.evidence is not None:
        raise BadInput("a receipt names one piece of evidence", "--reply or --evidence")
    file = None if args.evidence is None else _seen(call.paths.project, args.evidence, lease)
    drifted = shapes.drifted(call, actor.seat, *_named(call))
    command = TakeReceipt(
        lease,
        args.outcome,
        reply=args.reply,
        file=file,
        exit_code=args.exit_code,
        adapter=args.adapter,
        fingerprint=args.fingerprint,
        drifted=drifted,
    )
    done = call.change(lambda: command, actor)
    refused = refusal(done.ops)
    if refused is not None:
        raise refused
    op = next(op for op in done.ops if op["op"] == "receipt_taken")
    about: dict[str, Any] = {
        "lease": lease,
        "seat": op["seat"],
        "message": op["message"],
        "outcome": op["outcome"],
        "evidence": op["evidence"],
        "intent_state": op["state"],
    }
    about["waits_for"] = _waits_for(call, op["seat"], op["message"], op["outcome"])

    def lines() -> Iterator[str]:
        if about["waits_for"] is not None:
            yield f"verified, waits for #{about['waits_for']}: it is acknowledged after that one"

    return shapes.changed(call, done, actor, about, lines)


def _seen(project: str, path: str, lease: str) -> SeenFile:
    """What stands at that name; what is no evidence at all is a receipt refused, and kept (W19)."""
    from state.messages.evidence import take_marked
    from state.wake.receipts import SeenFile

    try:
        return SeenFile(*take_marked(project, path, lease))
    except BadInput as error:
        return SeenFile(None, unfit=error.message)


def _waits_for(call: Call, seat: str, message: int, outcome: str) -> int | None:
    """W20: the message that must be acknowledged before a verified one counts as such."""
    from state.wake.explain import explain_one

    if outcome != "sent_and_verified":
        return None
    with call.project.view() as view:
        found = explain_one(view, seat, message, call.project.clock.moment())
    return None if found is None else found.waits_for


def _named(call: Call) -> tuple[str, ...]:
    return () if call.args.adapter is None else (call.args.adapter,)


def _who(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--adapter", metavar="ADAPTER", help="the adapter that claims; without it the seat itself"
    )
    group.add_argument("--fingerprint", metavar="F", help="the one it was registered with")


def _who_or_dry(group: _ArgumentGroup) -> None:
    _who(group)
    group.add_argument(
        "--dry-run", action="store_true", help="say what a claim would get, and write nothing"
    )


def _reason(group: _ArgumentGroup) -> None:
    group.add_argument("--reason", metavar="TEXT", help="why; it is kept in the journal")


def _outcome(group: _ArgumentGroup) -> None:
    group.add_argument("--outcome", metavar="O", help=_OUTCOMES)
    group.add_argument(
        "--reply", metavar="N", type=whole, help="the seat's message that answers, by its number"
    )
    group.add_argument(
        "--evidence", metavar="FILE", help="a file of the project that holds the lease's id"
    )
    group.add_argument(
        "--exit-code", metavar="N", type=whole, help="of what was run; not 0 means it failed"
    )
    _who(group)


_OUTCOMES = "sent_and_verified, failed, timeout or watcher_only"
LEASE = (("LEASE", "the lease's id, as the claim gave it"),)
WHO = "[--adapter ADAPTER --fingerprint F]"
HOLDER = "Only who holds the lease: the same seat, adapter and fingerprint."

CLAIM = Verb(
    _claim,
    "Get a lease on the message of the seat's oldest intent.",
    words=f"{WHO} [--dry-run]",
    arguments=_who_or_dry,
    changes=True,
    more="The seat is the one that acts: --as SEAT or SUBLATION_SEAT. Refused it ends with 3, the"
    " gate's code, and retry_after in seconds where waiting helps. It starts nothing; what to do"
    " with a lease is in docs/adapters.md.",
    examples=(
        "sublation-panel --as codex wake claim --json",
        "sublation-panel --as codex wake claim --adapter mini --fingerprint 3f2a… --json",
    ),
)
RENEW = Verb(
    _renew,
    "Let a lease run on while its holder is at work.",
    names=LEASE,
    words=WHO,
    arguments=_who,
    changes=True,
    more=f"{HOLDER} Never longer than the policy's maximum_lease_seconds from its grant.",
)
END = Verb(
    _end,
    "End a lease, with a reason; it counts as an attempt.",
    names=LEASE,
    words="--reason TEXT",
    arguments=_reason,
    changes=True,
    more="Only the user may do it, at a terminal. It stops no program: what held it may go on.",
)
RECEIPT = Verb(
    _receipt,
    "Say what came of a lease; the evidence is checked.",
    names=LEASE,
    words=f"--outcome O [--reply N | --evidence FILE] [--exit-code N] {WHO}",
    arguments=_outcome,
    changes=True,
    more=f"{HOLDER} sent_and_verified needs a reply of the seat to the message, written after the"
    " claim, or a file of the project, changed after it, that holds the lease's id. A refused"
    " receipt ends with 3 and is kept; the lease runs on.",
    examples=(
        "sublation-panel --as codex wake receipt LEASE --outcome sent_and_verified --reply 31",
        "sublation-panel --as codex wake receipt LEASE --outcome failed --exit-code 2",
    ),
)
