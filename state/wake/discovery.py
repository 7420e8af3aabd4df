"""From messages to intents (W8, W9, W11): one scan of one seat, as a pure decision.

It reads nothing, starts nothing and spends nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from state.clock import Moment, elapsed_ms
from state.wake.advance import Advanced, due, superseded
from state.wake.model import Intent, SeatWake, Waiting, Window, with_window
from state.wake.operations import PassedOver, SeatScanned
from state.wake.policy import Policy

# So many messages are looked at in one line.
AT_ONCE = 1_000


class Candidate(NamedTuple):
    """A message in the seat's queue that no scan of this window has looked at yet.

    `closed`: the user closed the queue over it (R14).
    """

    message: int
    sender: str
    kind: str
    urgent: bool
    addressing: str
    hops: int
    answered: bool
    closed: bool


def scan(
    wake: SeatWake,
    candidates: Sequence[Candidate],
    now: Moment,
    rev: int,
    drifted: Collection[str] = (),
) -> Advanced:
    """W11: what one scan finds, with everything that is due before and after it (W27).

    `candidates` are the oldest messages after `through`, at most `AT_ONCE`. The operations are
    none when nothing changes.
    """
    found = due(wake, now, rev, drifted)
    window = found.wake.open_window
    if window is None or window.state != "active":
        return found
    looked = _look(found.wake, window, candidates, now)
    counted = superseded(Advanced(looked.wake, ()))
    quiet = _quiet(counted.wake, window, now, looked.created)
    if looked.created or looked.passed or quiet is not None:
        op = SeatScanned(
            seat=wake.seat,
            through=looked.through,
            created=looked.created,
            passed=looked.passed,
            quiet=0 if looked.created else window.quiet + (quiet is not None),
            counted=quiet,
        )
        after = with_window(
            counted.wake,
            through=op.through,
            quiet=op.quiet,
            counted=window.counted if quiet is None else quiet,
        )
        found = found.then(after, op)
    found = found.then(replace(counted.wake, window=found.wake.window), *counted.ops)
    last = due(found.wake, now, rev, drifted)
    return found.then(last.wake, *last.ops)


def why_passed(policy: Policy, one: Candidate) -> str:
    """W11: why a message gives no intent, empty for one that does."""
    triggers = policy.triggers
    if one.closed:
        return "closed"
    if one.sender == policy.seat:
        return "self_message"
    if one.kind not in triggers.kinds:
        return "kind"
    if triggers.senders and one.sender not in triggers.senders:
        return "sender"
    if triggers.urgency and ("high" if one.urgent else "normal") not in triggers.urgency:
        return "urgency"
    if triggers.addressing == "direct" and one.addressing != "direct":
        return "addressing"
    return "hops" if one.hops > policy.maximum_hops else ""


class _Looked(NamedTuple):
    wake: SeatWake
    through: int
    created: tuple[int, ...]
    passed: tuple[PassedOver, ...]


def _look(wake: SeatWake, window: Window, candidates: Sequence[Candidate], now: Moment) -> _Looked:
    passed: dict[str, list[int]] = {}
    chosen = []
    for one in candidates:
        reason = why_passed(window.policy, one)
        if reason:
            passed.setdefault(reason, []).append(one.message)
        else:
            chosen.append(one)
    after = replace(
        wake,
        intents=(
            *wake.intents,
            *(Intent(one.message, "pending", 0, "", now.utc) for one in chosen),
        ),
        waiting=(
            *wake.waiting,
            *(Waiting(one.message, False, one.hops, one.answered) for one in chosen),
        ),
        passed=_added(wake.passed, passed),
    )
    return _Looked(
        after,
        candidates[-1].message if candidates else window.through,
        tuple(one.message for one in chosen),
        tuple(PassedOver(reason, tuple(passed[reason])) for reason in sorted(passed)),
    )


def _added(
    before: tuple[tuple[str, int], ...], found: dict[str, list[int]]
) -> tuple[tuple[str, int], ...]:
    counts = dict(before)
    for reason, messages in found.items():
        counts[reason] = counts.get(reason, 0) + len(messages)
    return tuple(sorted(counts.items()))


def _quiet(wake: SeatWake, window: Window, now: Moment, created: Sequence[int]) -> Moment | None:
    """W9: the moment of a quiet cycle, None where this scan isn't one."""
    interval = window.policy.scan_interval_seconds * 1000
    if created or wake.lease is not None or wake.messages("pending"):
        return None
    return now if elapsed_ms(window.counted, now) >= interval else None
