"""`wake`: windows, policies, intents, leases and receipts; why a seat was woken, or why not."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from panel.cli import output, wake_claim, wake_intent, wake_policy, wake_run, wake_scan, wake_window
from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Group, Verb, whole

if TYPE_CHECKING:
    from state.wake.shown import Shown

LIMIT = 50
NEWEST = 10


def _list(call: Call) -> int:
    from state.wake.overview import wakes

    with call.looking() as view:
        now = call.project.clock.moment()
        found = wakes(view, call.paths, damaged=not call.is_sound).shown(now)
    listed = [shapes.listed(seat, one) for seat, one in found.items()]

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import signs, windows
        from panel.words import wake_show as words

        if not listed:
            yield "no seat has a wake policy; one is set with: wake policy set SEAT"
            return
        rows = []
        for seat, one in found.items():
            window = one.window
            cells = ("—", "—", "—")
            if window is not None:
                limits = window.policy
                cells = (
                    windows.countdown(window.left_ms),
                    f"{window.wakes}/{limits.maximum_wakes}",
                    f"{window.quiet_cycles}/{limits.maximum_quiet_cycles}",
                )
            rows.append((signs.seat(seat), windows.IN_FULL[one.state], *cells, _what(one, now.utc)))
        heads = ("seat", "window", "left", "wakes", "quiet", "what")
        yield from output.table(heads, rows, right=(2, 3, 4), keep=(1,))
        for one in found.values():
            if one.window is not None and one.window.nobody_scans:
                yield plain(f"{one.wake.seat}: {words.NOBODY_SCANS}")

    return call.answer({"windows": listed, "state": call.state}, lines)


def _what(one: Shown, now: str) -> str:
    from panel.words import wake_show as words
    from panel.words import windows

    window = one.window
    if window is None:
        return "" if one.wake.enabled else "policy disabled"
    reason = windows.why(window)
    if reason or window.state != "active":
        return reason
    return words.scans(window.nobody_scans, window.scanned_at, now)


def looked_at(call: Call, seat: str) -> Shown:
    """A seat's wakes as the time has made them."""
    from state.wake import scanned
    from state.wake.load import seat_wake
    from state.wake.shown import shown

    with call.looking() as view:
        wake = seat_wake(view, seat)
        now, hint = call.project.clock.moment(), scanned.read(call.paths, seat)
        return shown(wake, now, view.rev, hint, damaged=not call.is_sound)


def _show(call: Call) -> int:
    from state.wake import queries

    one = looked_at(call, call.given(0, "SEAT"))
    seat, now = one.wake.seat, call.project.clock.moment()
    with call.looking() as view:
        leases = [shapes.lease(row, now) for row in queries.leases(view, seat, NEWEST)]
        receipts = [
            shapes.receipt(row, call.paths.project)
            for row in queries.newest_receipts(view, seat, NEWEST)
        ]
        closing = queries.closing_receipts(view, seat, 1)
    policy = one.wake.policy if one.window is None else one.window.policy
    shown: dict[str, Any] = {
        "seat": seat,
        "window": shapes.window(one),
        "policy": None if policy is None else shapes.policy(policy),
        "enabled": one.wake.enabled,
        "intents": one.intents,
        "leases": leases,
        "receipts": receipts,
        "closing": closing[0] if closing else None,
        "state": call.state,
    }

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import wake_policy as policies
        from panel.words import wake_show as words

        yield from map(plain, words.state(one, now.utc))
        if policy is None:
            yield plain(f"  no wake policy; set one with: wake policy set {seat}")
        else:
            enabled = "enabled" if one.wake.enabled else "disabled"
            yield plain(
                f"  policy {one.wake.policy_hash[:12]}…, {enabled}: wake policy show {seat}"
            )
            yield plain(f"  claims: {policies.claimer(policy)}")
        yield f"  intents: {words.intents(one.intents)}"
        yield from map(plain, words.leases(leases, receipts, now.utc))
        if one.window is None and closing:
            yield from map(plain, words.closing(closing[0]))

    return call.answer(shown, lines)


def _explain(call: Call) -> int:
    from state.wake.explain import explain
    from state.wake.load import seat_wake

    seat = call.given(0, "SEAT")
    limit = LIMIT if call.args.limit is None else call.args.limit
    with call.looking() as view:
        wake = seat_wake(view, seat)
        now = call.project.clock.moment()
        found = () if wake.policy is None else explain(view, seat, now, limit + 1, call.args.before)
    more = len(found) > limit
    found = found[:limit]
    shown = {"seat": seat, "messages": [shapes.explained(one) for one in found], "more": more}

    def lines() -> Iterator[str]:
        from panel.neutral import plain
        from panel.words import messages, signs
        from panel.words import wake as words

        if wake.policy is None:
            yield plain(f"{seat} has no wake policy; set one with: wake policy set {seat}")
            return
        if not found:
            yield plain(f"no message to {seat}")
            return
        rows = [
            (
                *(f"#{one.message}", signs.seat(one.sender), one.kind, words.why(one)),
                messages.called(one.title, one.reply_to, one.opening),
            )
            for one in found
        ]
        heads = ("message", "from", "kind", "why, or why not", "title")
        yield from output.table(heads, rows, keep=(0, 2, 3))
        if more:
            yield f"there are more: wake explain {plain(seat)} --before {found[-1].message}"

    return call.answer(shown | {"state": call.state}, lines)


def _which(group: _ArgumentGroup) -> None:
    group.add_argument("--limit", metavar="N", type=whole, help=f"at most so many; else {LIMIT}")
    group.add_argument("--before", metavar="N", type=whole, help="only messages older than this")


SEAT = (("SEAT", "the agent seat"),)
READS = "Needs neither a seat nor a terminal and changes nothing."

VERBS: Group = {
    "list": Verb(
        _list,
        "Each seat with a policy: its window, and the time left.",
        more=READS,
    ),
    "show": Verb(
        _show,
        "One seat: window, intents, leases, receipts.",
        names=SEAT,
        more=READS,
    ),
    "explain": Verb(
        _explain,
        "For each message: why it woke the seat, or why not.",
        names=SEAT,
        words="[--limit N] [--before N]",
        arguments=_which,
        more=f"{READS} The newest message first; from the journal alone.",
    ),
    "policy": wake_policy.VERBS,
    "arm": wake_window.ARM,
    "drain": wake_window.DRAIN,
    "hold": wake_window.HOLD,
    "resume": wake_window.RESUME,
    "scan": wake_scan.SCAN,
    "run": wake_run.RUN,
    "claim": wake_claim.CLAIM,
    "renew": wake_claim.RENEW,
    "end": wake_claim.END,
    "receipt": wake_claim.RECEIPT,
    "intent": wake_intent.VERBS,
}
