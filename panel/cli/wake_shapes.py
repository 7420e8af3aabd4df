"""What `wake` gives as JSON (`docs/cli.md`): fields may be added, never renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from panel.cli.call import Call

if TYPE_CHECKING:
    from state.clock import Moment
    from state.command import Actor
    from state.project import Committed
    from state.scanner import SeatFound
    from state.wake.explain import Explained
    from state.wake.policy import Policy
    from state.wake.queries import IntentRow, LeaseRow, ReceiptRow
    from state.wake.shown import Shown

NO_LINES: tuple[str, ...] = ()


def policy(one: Policy) -> dict[str, Any]:
    """A policy's fields in their order."""
    from state.wake.policy import text_of

    fields: dict[str, Any] = orjson.loads(text_of(one))
    return fields


def listed(seat: str, one: Shown) -> dict[str, Any]:
    """A window as `wake list` gives it; a closed one has no times."""
    window = one.window
    return {
        "seat": seat,
        "state": one.state,
        "reason": None if window is None else window.reason or None,
        "deadline": None if window is None else window.deadline,
        "scanned_at": None if window is None else window.scanned_at,
        "nobody_scans": None if window is None else window.nobody_scans,
        "left_seconds": None if window is None else seconds(window.left_ms),
        "quiet_cycles": None if window is None else window.quiet_cycles,
        "wakes": None if window is None else window.wakes,
        "adapter": None if window is None else window.adapter,
        "enabled": one.wake.enabled,
        "intents": one.intents,
    }


def window(one: Shown) -> dict[str, Any]:
    """A seat's window as `wake show` gives it."""
    found = one.window
    shown: dict[str, Any] = {
        "state": one.state,
        "reason": None,
        "armed_at": None,
        "deadline": None,
        "quiet_cycles": None,
        "wakes": None,
        "policy_hash": None,
        "baseline": None,
    }
    if found is not None:
        shown = {name: getattr(found, name) for name in shown} | {
            "reason": found.reason or None,
            "number": found.number,
            "left_seconds": seconds(found.left_ms),
            "adapter": found.adapter,
            "scanned_at": found.scanned_at,
            "nobody_scans": found.nobody_scans,
        }
    return shown | {
        "revision": one.wake.window_revision,
        "cooldown_seconds": seconds(one.cooldown_ms),
        "quota_left": one.quota_left,
    }


def lease(row: LeaseRow, now: Moment) -> dict[str, Any]:
    """A lease; `over` is how it ended, also where only the time has ended it yet (W27)."""
    from state.clock import after

    left = 0 if row.over is not None else row.lease.left_ms(now)
    return {
        "lease": row.lease.lease,
        "intent": row.intent,
        "message": row.lease.message,
        "attempt": row.lease.attempt,
        "consumer": row.lease.consumer,
        "fingerprint": row.lease.fingerprint,
        "granted_at": row.lease.granted.utc,
        "expires_at": after(now, left) if left else None,
        "left_seconds": seconds(left),
        "over": row.over or (None if left else "expired"),
        "over_at": row.over_at,
        "reason": row.reason or None,
    }


def receipt(row: ReceiptRow, project: str) -> dict[str, Any]:
    """A receipt; a refused one has `code` and `reason`. A file says what became of it since."""
    from state.messages import evidence as files

    evidence = row.evidence
    if evidence is not None and evidence["kind"] == "file":
        evidence = {**evidence, "now": files.now(project, evidence)}
    return {
        "rev": row.rev,
        "lease": row.lease,
        "lease_known": row.seat is not None,
        "message": row.message,
        "outcome": row.outcome,
        "exit_code": row.exit_code,
        "evidence": evidence,
        "code": row.code,
        "reason": row.reason,
        "at": row.at,
        "by": row.by,
    }


def intent(row: IntentRow) -> dict[str, Any]:
    """An intent as `wake intent list` gives it."""
    return {
        "intent": row.intent,
        "seat": row.seat,
        "message": row.message,
        "state": row.state,
        "reason": row.reason or None,
        "attempts": row.attempts,
        "at": row.at,
        "title": row.title,
        "from": row.sender,
        "window": row.window,
    }


def explained(one: Explained) -> dict[str, Any]:
    """Why a message woke the seat, or why not."""
    return {
        "message": one.message,
        "outcome": one.outcome,
        "reason": one.reason or None,
        "intent": one.intent,
        "from": one.sender,
        "kind": one.kind,
        "title": one.title,
        "at": one.at,
        "evidence": one.evidence,
        "waits_for": one.waits_for,
    }


def scanned(found: SeatFound) -> dict[str, Any]:
    """What a scan of one seat came to."""
    return {
        "seat": found.seat,
        "created": found.created,
        "passed": found.passed,
        "window": found.window,
        "rev": found.rev,
    }


def seconds(ms: int) -> int:
    """Whole seconds, rounded up: so long it takes at most."""
    return -(-ms // 1000)


def changed(
    call: Call,
    done: Committed,
    actor: Actor,
    about: Mapping[str, Any],
    lines: Callable[[], Iterable[str]] = lambda: NO_LINES,
) -> int:
    """Answers a change: what was written, and `lines` after it."""

    def said() -> Iterator[str]:
        yield written(done.ops, done.rev, actor.seat, repeated=done.repeated)
        yield from lines()

    return call.answer({"rev": done.rev, **about, "repeated": done.repeated}, said)


def written(
    ops: Sequence[Mapping[str, Any]], rev: int, seat: str, *, repeated: bool = False
) -> str:
    """A line of the journal in words."""
    from panel.neutral import plain
    from panel.words import operations, signs

    again = ", before with this key; nothing was written now" if repeated else ""
    return plain(f"r{rev}: {signs.seat(seat)} {operations.all_in_words(ops, rev)}{again}")


def drifted(call: Call, seat: str, *also: str) -> frozenset[str]:
    """W13: which adapters of a seat's open window, and of those named, are not as registered."""
    from state.adapters.check import check
    from state.adapters.queries import registered
    from state.roster import queries
    from state.wake.load import of_seat

    with call.project.view() as view:
        found = queries.find(view, seat)
        opened = None if found is None else of_seat(view, found).open_window
        names = {*also, *(() if opened is None or opened.adapter is None else (opened.adapter,))}
        known = [one for name in sorted(names) if (one := registered(view, name)) is not None]
    return frozenset(one.adapter for one in known if not check(one).is_same)
