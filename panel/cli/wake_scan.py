"""`wake scan`: one look at what came, or what it would come to (W11, W23)."""

from __future__ import annotations

from argparse import _ArgumentGroup
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from panel.cli import wake_shapes as shapes
from panel.cli.call import Call
from panel.cli.parser import Verb

if TYPE_CHECKING:
    from state.index.view import View
    from state.scanner import SeatFound
    from state.wake.model import SeatWake

VIA = "cli"


def _scan(call: Call) -> int:
    from state.scanner import Scanner

    if call.args.dry_run:
        return _dry(call)
    with call.looking():
        if not call.is_sound:
            return 0
    found = Scanner(call.project, VIA).scan()

    def lines() -> Iterator[str]:
        if not found:
            yield NO_WINDOW
        for one in found:
            yield from _lines(one)

    return call.answer({"seats": [shapes.scanned(one) for one in found]}, lines)


def _dry(call: Call) -> int:
    """W23: what the next scan would do and what a claim would answer."""
    from state.scanner import Scanner, found_by
    from state.wake.load import seats_with_open_window
    from state.wake.scanning import planned

    with call.looking() as view:
        if not call.is_sound:
            return 0
        now = call.project.clock.moment()
        drifted = Scanner(call.project, VIA).drifted(view, now)
        found = []
        for seat in seats_with_open_window(view):
            plan = planned(view, seat, now, drifted)
            claim = _answer(call, view, plan.wake, drifted)
            ops = [op.op for op in plan.ops]  # type: ignore[attr-defined]
            found.append((found_by(plan, seat), ops, claim))
    shown = [
        shapes.scanned(one) | {"would_write": ops, "claim": claim} for one, ops, claim in found
    ]

    def lines() -> Iterator[str]:
        from panel.neutral import plain

        if not found:
            yield NO_WINDOW
        for one, _, claim in found:
            yield from _lines(one, "would find ")
            if claim["code"] is None:
                yield f"  a claim would get #{claim['message']}, attempt {claim['attempt']}"
            else:
                yield plain(f"  a claim would be refused: {claim['why']} ({claim['code']})")
        if found:
            yield "a dry run: nothing was written"

    return call.answer({"seats": shown, "dry_run": True}, lines)


def _answer(call: Call, view: View, wake: SeatWake, drifted: frozenset[str]) -> dict[str, Any]:
    """The gate's answer to the one consumer that may claim in this window."""
    from state.errors import ClaimRefused
    from state.wake.consumers import consumers_of
    from state.wake.gate import refused_nothing
    from state.wake.lease_commands import Claim

    window = wake.window
    pinned = (None, None) if window is None else (window.adapter, window.fingerprint)
    consumers = consumers_of(view, call.paths, wake.seat)
    command = Claim("", *pinned, consumers=consumers, drifted=drifted)
    try:
        grant = command.answer(view, wake, call.project.clock.moment()).grant
        if grant is None:
            raise refused_nothing(wake.seat)
    except ClaimRefused as refused:
        return {
            "code": refused.code,
            "retry_after": refused.retry_after,
            "message": None,
            "attempt": None,
            "why": refused.message,
        }
    return {"code": None, "retry_after": None, "message": grant.message, "attempt": grant.attempt}


def _lines(found: SeatFound, verb: str = "") -> Iterator[str]:
    """The same, with the reasons of what was passed over."""
    from panel.words import wake_show as words

    yield said(found, verb)
    yield from words.passed_over(found)


def said(found: SeatFound, verb: str = "") -> str:
    """What a scan of one seat came to, in words."""
    from panel.neutral import plain
    from panel.words import wake_show as words

    return plain(f"{found.seat}: {verb}{words.scanned(found)}")


NO_WINDOW = "no window is open, so there is nothing to scan; arm one: wake arm SEAT"


def _dry_run(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--dry-run",
        action="store_true",
        help="show what a scan would do and what a claim would answer; write nothing",
    )


STARTS_NOTHING = (
    "It makes intents and starts nothing: who may claim them claims them. Any number of scanners"
    " at once is as good as one; the open panel scans too. Needs neither a seat nor a terminal."
)

SCAN = Verb(
    _scan,
    "Look once at what came for seats with an open window.",
    words="[--dry-run]",
    arguments=_dry_run,
    more=f"{STARTS_NOTHING} What is due by the time is written too.",
)
