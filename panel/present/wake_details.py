"""One seat's wakes in full: window, intents, leases, receipts, closed windows, policy. Pure.

Times to come read with the minutes left, so that the text changes once a minute; what ticks each
second stands in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from textual.content import Content

from panel import safe_text
from panel.asks.wake import WakeDetail, worked_out
from panel.present import ages, windows
from panel.present.layout import MUTED, heading, indented, joined, labelled
from panel.present.wake import Looked
from panel.words import adapters, signs, wake_policy
from panel.words import wake as reasons
from panel.words import wake_mode as words
from panel.words import windows as said
from state.wake.model import FINAL, SeatWake
from state.wake.policy import Policy
from state.wake.queries import LeaseRow, ReceiptRow
from state.wake.shown import Shown, ShownWindow

Named = Callable[[str], str]

# A little more, so that the second in which a minute is full is drawn too.
_MINUTE_MS = 62_000
# As wide as the longest name of a limit, with a gap.
_LIMIT_WIDTH = 23


def whole(
    seat: str, detail: WakeDetail | None, looked: Looked, trouble: str, width: int, key: Named
) -> Content:
    """Everything about one seat at one moment; `trouble` is why this panel doesn't scan.

    `key` names the key of a binding.
    """
    one = looked.shown.get(seat)
    parts = [safe_text.line(signs.seat(seat), "bold")]
    if one is None:
        return joined([*parts, _line(words.no_policy(key("wake.policy")), width)])
    parts += _window(one, looked, trouble, width)
    if detail is not None and detail.seat == seat:
        parts += _intents(one, detail, looked, width)
        parts += _leases(one.wake, detail.leases, looked, width)
        parts += _receipts(detail, looked, width)
        parts += _closings(detail.closings, width)
        parts += _consumers(detail, looked, width)
    parts += _policy(one.wake, width, key)
    if detail is not None and detail.jumps:
        parts.append(heading(words.JUMPS, width))
        parts += [
            _line(words.jump(by, rev, _age(at, looked)), width) for rev, at, by in detail.jumps
        ]
    return joined(parts)


def ticks(seat: str, detail: WakeDetail | None, looked: Looked) -> bool:
    """Whether the text may read otherwise a second later: a live lease, or anything so recent."""
    one = looked.shown.get(seat)
    if one is None:
        return False
    if one.wake.lease is not None or (one.window is not None and one.window.left_ms < _MINUTE_MS):
        return True
    times = [] if one.window is None else [one.window.armed_at]
    if detail is not None:
        times += [row.at for row in detail.intents[:1]]
        times += [row.at for row in detail.receipts[:1]]
        times += [row.lease.granted.utc for row in detail.leases[:1]]
    return any((looked.now - ages.parsed(at)).total_seconds() < _MINUTE_MS / 1000 for at in times)


def _line(text: str, width: int, style: str = "") -> Content:
    return joined(safe_text.line(text, style).wrap(max(width, 1)))


def _age(at: str, looked: Looked) -> str:
    return ages.when(at, looked.now)


# The window.


def _window(one: Shown, looked: Looked, trouble: str, width: int) -> list[Content]:
    window = one.window
    state = windows.cell(one.state)
    if window is None:
        last = one.wake.window
        never = safe_text.line(words.NEVER_ARMED, MUTED)
        shown = safe_text.row([state, never], " · ") if last is None else state
        return [labelled(words.STATE, shown, width)]
    state = safe_text.line(said.IN_FULL[one.state], windows.STYLES[one.state])
    if why := said.why(window):
        state = safe_text.row([state, (why, "$text-warning")], " · ")
    claims = wake_policy.claimer(window.policy)
    armed = words.armed(_age(window.armed_at, looked), window.number)
    return [
        labelled(words.STATE, state, width),
        *_scans(window, looked, trouble, width),
        labelled(words.DEADLINE, safe_text.line(_deadline(window, looked)), width),
        labelled(words.LIMITS, safe_text.line(said.used(window)), width),
        labelled(words.REST, safe_text.line(_rest(one, window)), width),
        labelled(words.ADAPTER, safe_text.line(claims), width),
        labelled(words.ARMED, safe_text.line(armed), width),
        labelled(words.LOOKS, safe_text.line(words.looks(window.baseline)), width),
        labelled(words.HASH, safe_text.line(window.policy_hash), width),
    ]


def _deadline(window: ShownWindow, looked: Looked) -> str:
    return words.deadline(_age(window.deadline, looked), passed=not window.left_ms)


def _rest(one: Shown, window: ShownWindow) -> str:
    return f"quota {one.quota_left} of {window.policy.hourly_quota} left this hour"


def _scans(window: ShownWindow, looked: Looked, trouble: str, width: int) -> list[Content]:
    """W31: when it was last scanned, or that nobody does and what would."""
    if window.nobody_scans:
        found = safe_text.line(said.NOBODY_SCANS, "$text-warning")
    elif window.scanned_at is None:
        found = safe_text.line(words.NOT_KNOWN, MUTED)
    else:
        found = safe_text.line(_minutes(window.scanned_at, looked))
    parts = [labelled(words.SCANS, found, width)]
    if trouble:
        parts.append(
            labelled("", safe_text.line(words.scan_trouble(trouble), "$text-error"), width)
        )
    return parts


def _minutes(at: str, looked: Looked) -> str:
    """A moment ago without its seconds, which tick in the table."""
    passed = looked.now - ages.parsed(at)
    return words.SCANNED_NOW if passed.total_seconds() < 60 else _age(at, looked)


# Intents, leases, receipts.


def _intents(one: Shown, detail: WakeDetail, looked: Looked, width: int) -> list[Content]:
    parts = [heading(words.INTENTS, width)]
    counts = said.intents(one.intents)
    parts.append(_line(counts or words.NO_INTENTS, width, "" if counts else MUTED))
    if one.wake.passed:
        passed = safe_text.line(words.passed_over(one.wake.passed))
        parts.append(labelled(words.PASSED, passed, width))
    for row in detail.intents:
        found = worked_out(row, one.wake)
        if found.state not in FINAL:
            sign = words.OUTCOMES[found.state]
            text = words.intent(
                found.message, found.state, found.reason, _age(found.at, looked), found.title
            )
            parts.append(indented(safe_text.row([(sign.sign, sign.style), (text, "")]), 1, width))
    return parts


def _leases(
    wake: SeatWake, leases: Sequence[LeaseRow], looked: Looked, width: int
) -> list[Content]:
    parts = [heading(words.LEASES, width)]
    if not leases:
        parts.append(safe_text.line(words.NO_LEASES, MUTED))
    most = None if wake.window is None else wake.window.policy.maximum_attempts
    for row in leases:
        lease = row.lease
        live = wake.lease is not None and wake.lease.lease == lease.lease
        style = "$text-accent" if live else ""
        held = f"#{lease.message} {words.held_by(lease.consumer, lease.lease, live=live)}"
        of = words.attempt(lease.attempt, most if row.window == _number(wake) else None)
        granted = f"{of}, {words.granted(_age(lease.granted.utc, looked))}"
        over = words.lease_over(row.over or words.EXPIRED, row.reason)
        state = words.runs(said.countdown(lease.left_ms(looked.moment))) if live else over
        parts.append(
            indented(
                safe_text.row([(held, style), (granted, MUTED), (state, style)], "; "), 1, width
            )
        )
    return parts


def _number(wake: SeatWake) -> int | None:
    return None if wake.window is None else wake.window.number


def _receipts(detail: WakeDetail, looked: Looked, width: int) -> list[Content]:
    parts = [heading(words.RECEIPTS, width)]
    if not detail.receipts:
        parts.append(safe_text.line(words.NO_RECEIPTS, MUTED))
    for row in detail.receipts:
        parts.append(indented(_receipt(row, looked), 1, width))
        if row.code is None and row.evidence is not None:
            parts.append(indented(_evidence(row, row.evidence, detail), 3, width))
    return parts


def _receipt(row: ReceiptRow, looked: Looked) -> Content:
    """W25: worded as what was checked."""
    when = (f"r{row.rev} {_age(row.at, looked)}", MUTED)
    if row.code is not None:
        unknown = row.lease if row.seat is None else None
        text = words.refused_receipt(row.outcome, row.reason or row.code, unknown)
        return safe_text.row([when, (f"☒ {text}", "$text-warning")])
    given: Mapping[str, Any] = {
        "outcome": row.outcome,
        "exit_code": row.exit_code,
        "evidence": row.evidence,
        "message": row.message,
    }
    proved = row.evidence is not None
    sign, style = ("☑", "$text-success") if proved else ("☒", "$text-warning")
    return safe_text.row([when, (f"{sign} {reasons.receipt(given)}", style)])


def _evidence(row: ReceiptRow, evidence: Mapping[str, Any], detail: WakeDetail) -> Content:
    seat = signs.seat(row.seat or detail.seat)
    parts = [(words.checked(evidence, row.message, seat), MUTED)]
    if row.rev in detail.became:
        parts.append(words.became(detail.became[row.rev]))
    return safe_text.row(parts, "; ")


# What is over, who else claims, the policy.


def _closings(closings: Sequence[Mapping[str, Any]], width: int) -> list[Content]:
    parts = [heading(words.CLOSINGS, width)]
    if not closings:
        parts.append(safe_text.line(words.NO_CLOSINGS, MUTED))
    for op in closings:
        parts.append(indented(safe_text.line(words.closed(op)), 1, width))
        parts += [indented(safe_text.line(text, MUTED), 3, width) for text in words.tallies(op)]
    return parts


def _consumers(detail: WakeDetail, looked: Looked, width: int) -> list[Content]:
    parts = [heading(words.CONSUMERS, width)]
    if not detail.consumers:
        parts.append(_line(words.NO_CONSUMER, width, MUTED))
    for one in detail.consumers:
        kind = adapters.KINDS[one.kind]
        since = "" if one.since is None else _age(one.since, looked)
        shown = [(adapters.who(one), ""), (kind.word, kind.style), (since, MUTED)]
        parts.append(indented(safe_text.row(shown), 1, width))
    return parts


def _policy(wake: SeatWake, width: int, key: Named) -> list[Content]:
    parts = [heading(words.POLICY, width)]
    policy = wake.policy
    if policy is None:
        return [*parts, _line(words.no_policy(key("wake.policy")), width, MUTED)]
    style = "$text-success" if wake.enabled else "$text-warning"
    parts.append(_line(words.enabled(wake.enabled, key("wake.switch")), width, style))
    parts.append(labelled(words.HASH, safe_text.line(wake.policy_hash), width))
    return [*parts, *_limits(policy, width)]


@lru_cache(8)
def _limits(policy: Policy, width: int) -> tuple[Content, ...]:
    """What a policy says: most of the text, and no clock changes it."""
    triggers = safe_text.line(wake_policy.triggers(policy.triggers))
    claims = safe_text.line(wake_policy.claimer(policy))
    parts = [labelled(words.TRIGGERS, triggers, width), labelled(words.ADAPTER, claims, width)]
    for name, meaning in wake_policy.MEANING.items():
        value = wake_policy.limit(policy, name)
        shown = safe_text.row([(value, "bold"), (meaning, MUTED)], "  ")
        parts.append(labelled(name, shown, width, _LIMIT_WIDTH))
    return tuple(parts)
