"""W15: every cell of the intent's table: which act leads from which state where, and no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from state.command import Command
from state.errors import BadInput, NotFound, Refused
from state.wake.intent_commands import DismissIntent, RetryIntent
from state.wake.lease_commands import EndLease
from state.wake.window_commands import Drain, Hold
from tests.state.wake_world import (
    answer,
    armed,
    claim,
    closing,
    id_of,
    intents,
    last_ops,
    later_scan,
    leased,
    no_claim,
    reasons,
    receipt,
    resume,
    scan,
    state,
    verified,
    wanted,
    written,
)
from tests.state.world import World

LIMITS: Mapping[str, Any] = {
    "window_seconds": 3_600,
    "cooldown_seconds": 0,
    "lease_seconds": 60,
    "maximum_quiet_cycles": 1_000,
}


def pending(world: World) -> int:
    armed(world, **LIMITS)
    return wanted(world)


def claimed(world: World) -> int:
    armed(world, **LIMITS)
    return leased(world)[0]


def failed(world: World) -> int:
    number = claimed(world)
    world.run(EndLease(lease_of(world), "hangs"))
    return number


def stuck(world: World) -> int:
    armed(world, **LIMITS, maximum_attempts=1)
    number, lease = leased(world)
    world.run(EndLease(lease, "hangs"))
    return number


def done(world: World) -> int:
    armed(world, **LIMITS)
    number, lease = leased(world)
    verified(world, number, lease)
    return number


def dismissed(world: World) -> int:
    number = pending(world)
    world.run(DismissIntent(id_of(world, number), "no need"))
    return number


def superseded(world: World) -> int:
    number = pending(world)
    answer(world, number)
    scan(world)
    return number


def lapsed(world: World) -> int:
    armed(world, **LIMITS, maximum_wakes=1)
    number = wanted(world)
    leased(world)
    return number


def lease_of(world: World) -> str:
    """The lease that was granted last, live or not."""
    with world.look() as view:
        row = view.row("SELECT id FROM lease ORDER BY rev DESC LIMIT 1")
    return "none" if row is None else str(row[0])


STATES: Mapping[str, Callable[[World], int]] = {
    "pending": pending,
    "claimed": claimed,
    "failed": failed,
    "terminal_hold": stuck,
    "sent_and_verified": done,
    "dismissed": dismissed,
    "superseded": superseded,
}

RECEIPTS = ("receipt failed", "receipt timeout", "watcher only")
Act = Callable[[World, int], object]


def run(make: Callable[[World, int], Command]) -> Act:
    return lambda world, number: world.run(make(world, number))


def bring(outcome: str, *, reply: bool = False) -> Act:
    def act(world: World, number: int) -> object:
        proof = answer(world, number) if reply else None
        refused = receipt(world, lease_of(world), outcome, reply=proof)
        if refused is not None:
            raise refused
        return None

    return act


def passes(world: World, number: int) -> object:
    world.acknowledge("codex", number)
    return scan(world)


def replies(world: World, number: int) -> object:
    answer(world, number)
    return scan(world)


def times_out(world: World, number: int) -> object:
    return later_scan(world, seconds=60)


def ends_the_window(world: World, number: int) -> object:
    if state(world) == "hold":
        world.run(Drain("codex"))
    return later_scan(world, seconds=3_600)


# What each act makes of an intent in the states named; in any other it stays, or is refused.
ACTS: Mapping[str, tuple[Act, Mapping[str, str]]] = {
    "claim": (lambda w, n: claim(w), {"pending": "claimed", "failed": "claimed"}),
    "verified": (bring("sent_and_verified", reply=True), {"claimed": "sent_and_verified"}),
    "receipt failed": (bring("failed"), {"claimed": "failed"}),
    "receipt timeout": (bring("timeout"), {"claimed": "failed"}),
    "watcher only": (bring("watcher_only"), {}),
    "expiry": (times_out, {"claimed": "failed"}),
    "end": (run(lambda w, n: EndLease(lease_of(w), "hangs")), {"claimed": "failed"}),
    "retry": (
        run(lambda w, n: RetryIntent(id_of(w, n), "try again")),
        {"terminal_hold": "pending"},
    ),
    "dismiss": (
        run(lambda w, n: DismissIntent(id_of(w, n), "no need")),
        {"pending": "dismissed", "failed": "dismissed", "terminal_hold": "dismissed"},
    ),
    "acknowledged": (passes, {"pending": "superseded", "failed": "superseded"}),
    "answered": (replies, {"pending": "superseded", "failed": "superseded"}),
    "the window ends": (
        ends_the_window,
        # A lease that runs out by then is an attempt before it is anything else.
        {"pending": "lapsed", "failed": "lapsed", "claimed": "lapsed"},
    ),
    "another scan": (lambda w, n: scan(w), {}),
}


@pytest.mark.rule("W15")
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("before", STATES)
def test_an_intent_goes_as_the_table_says_and_in_no_other_way(
    world: World, before: str, act: str
) -> None:
    number = STATES[before](world)
    assert intents(world)[number] == before
    do, to = ACTS[act]
    kept = (before, reasons(world)[number])
    log = world.log()
    try:
        do(world, number)
    except (Refused, NotFound) as refused:
        assert refused.hint
        assert before not in to
        # Of what is refused only a receipt is kept.
        assert world.log() == log or act in ("verified", *RECEIPTS)
    after = intents(world)[number]
    assert after == to.get(before, before)
    if before not in to:
        assert (after, reasons(world)[number]) == kept


@pytest.mark.rule("W15", "W12")
@pytest.mark.parametrize("act", [name for name in ACTS if name != "the window ends"])
def test_what_has_lapsed_stays_so(world: World, act: str) -> None:
    number = lapsed(world)
    assert (intents(world)[number], reasons(world)[number]) == ("claimed", "")
    # The older one was claimed; the younger one can't be any more.
    younger = max(intents(world))
    assert (intents(world)[younger], reasons(world)[younger]) == ("lapsed", "wakes_used")
    if act in ("claim", "retry", "dismiss"):
        with pytest.raises(Refused):
            ACTS[act][0](world, younger)
    elif act in ("acknowledged", "another scan", "answered"):
        world.acknowledge("codex", number)
        ACTS[act][0](world, younger)
    else:
        ACTS[act][0](world, number)
    assert (intents(world)[younger], reasons(world)[younger]) == ("lapsed", "wakes_used")


@pytest.mark.rule("W15")
@pytest.mark.parametrize("kind", [RetryIntent, DismissIntent])
def test_only_the_user_retries_and_dismisses_and_with_a_reason(
    world: World, kind: type[RetryIntent | DismissIntent]
) -> None:
    number = stuck(world)
    for seat in ("codex", "gemini"):
        world.refused("W6", kind(id_of(world, number), "mine"), seat)
    for reason in ("", " \n", "x" * 1_001):
        with pytest.raises(BadInput):
            kind(id_of(world, number), reason)
    with pytest.raises(NotFound):
        world.run(kind("no such intent", "why"))
    assert intents(world) == {number: "terminal_hold"}


@pytest.mark.rule("W15", "W13")
def test_the_last_attempt_ends_in_a_hold_that_the_user_resolves(world: World) -> None:
    armed(world, **LIMITS, maximum_attempts=2)
    number, lease = leased(world)
    assert receipt(world, lease, "failed", exit_code=1) is None
    assert (state(world), intents(world)[number]) == ("active", "failed")
    assert receipt(world, claim(world), "timeout") is None
    assert (state(world), intents(world)[number]) == ("hold", "terminal_hold")
    assert [op["op"] for op in last_ops(world)] == ["receipt_taken", "window_held"]
    with pytest.raises(Refused, match="used up its attempts") as caught:
        resume(world)
    assert caught.value.blocking == (("terminal_hold", 1, number),)
    world.run(RetryIntent(id_of(world, number), "mended"))
    assert (state(world), intents(world)[number]) == ("hold", "pending")
    no_claim(world, "window_hold")
    resume(world)
    claim(world)
    # Attempts are counted from 0 again, so one more failure is not the last.
    assert [op["attempt"] for op in last_ops(world)] == [1]
    world.run(EndLease(lease_of(world), "again"))
    assert (state(world), intents(world)[number]) == ("active", "failed")


@pytest.mark.rule("W15")
def test_what_is_stuck_is_only_retried_while_its_window_is_open(world: World) -> None:
    number = stuck(world)
    world.run(Drain("codex"))
    assert (state(world), intents(world)) == ("closed", {number: "terminal_hold"})
    assert closing(world)["terminal_hold"] == [[number, number]]
    world.refused("W15", RetryIntent(id_of(world, number), "late"))
    armed(world, **LIMITS, hourly_quota=9)
    world.refused("W15", RetryIntent(id_of(world, number), "late"))
    # Dismissing is possible at any time, and disturbs the window of now in nothing.
    world.run(DismissIntent(id_of(world, number), "too late"))
    with world.look() as view:
        assert view.row("SELECT state FROM intent WHERE message=?", number) == ("dismissed",)
    assert (state(world), intents(world)) == ("active", {})


@pytest.mark.rule("W15")
def test_what_is_retried_after_the_deadline_lapses_at_once(world: World) -> None:
    number = stuck(world)
    world.clock.move(seconds=3_600)
    world.run(RetryIntent(id_of(world, number), "late"))
    assert (state(world), intents(world)[number]) == ("hold", "pending")
    world.run(Drain("codex"))
    assert (state(world), intents(world)) == ("closed", {number: "lapsed"})
    assert world.queue("codex") == (number,)


@pytest.mark.rule("W15")
def test_a_claimed_intent_is_left_to_its_lease(world: World) -> None:
    number = claimed(world)
    world.run(Hold("codex"))
    world.refused("W15", DismissIntent(id_of(world, number), "no"))
    world.acknowledge("codex", number)
    answer(world, number)
    scan(world)
    assert intents(world) == {number: "claimed"}
    assert written(world).lease is not None
