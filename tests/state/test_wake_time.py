"""W27, W23, W31: limits hold by the time; readers work it out, whoever writes next writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from state.errors import ClaimRefused, Refused
from state.wake import scanned
from state.wake.arming import agreement
from state.wake.due import by_time
from state.wake.explain import explain
from state.wake.lease_commands import Claim
from state.wake.overview import wakes
from state.wake.scanning import planned
from state.wake.shown import Shown
from state.wake.window_commands import DisablePolicy, Drain, Hold
from tests.state.wake_world import (
    arm,
    armed,
    claim,
    intents,
    leased,
    new_lease,
    no_claim,
    receipt,
    scan,
    set_policy,
    state,
    wanted,
    worked_out,
    written,
)
from tests.state.world import World

LIMITS: dict[str, Any] = {
    "window_seconds": 600,
    "cooldown_seconds": 0,
    "lease_seconds": 60,
    "maximum_quiet_cycles": 2,
}


def shown(world: World, seat: str = "codex", *, damaged: bool = False) -> Shown:
    with world.look() as view:
        found = wakes(view, world.paths, damaged=damaged).shown_of(seat, world.clock.moment())
    assert found is not None
    return found


@pytest.mark.rule("W27")
def test_reading_shows_the_time_and_writes_nothing(world: World) -> None:
    armed(world, **LIMITS)
    number, _ = leased(world)
    log = world.log()
    now = shown(world)
    assert (now.state, dict(now.intents)) == ("active", {"claimed": 1})
    world.clock.move(seconds=60)
    now = shown(world)
    assert (now.state, dict(now.intents), now.wake.lease) == ("active", {"failed": 1}, None)
    world.clock.move(seconds=540)
    now = shown(world)
    # `closed` is said only once the closing receipt stands.
    assert (now.state, dict(now.intents)) == ("draining", {"lapsed": 1})
    with world.look() as view:
        (one,) = explain(view, "codex", world.clock.moment(), 9)
    assert (one.message, one.outcome, one.reason) == (number, "lapsed", "deadline")
    assert world.log() == log
    assert (state(world), intents(world)) == ("active", {number: "claimed"})
    scan(world)
    assert shown(world).state == state(world) == "closed"


WRITERS: Mapping[str, Callable[[World, str], object]] = {
    "scan": lambda w, lease: scan(w),
    "claim": lambda w, lease: refused(w, Claim(new_lease())),
    "receipt": lambda w, lease: receipt(w, lease, "failed"),
    "arm": lambda w, lease: arm(w),
    "policy": lambda w, lease: set_policy(w, **LIMITS, hourly_quota=1),
    "disable": lambda w, lease: w.run(DisablePolicy("codex")),
    "hold": lambda w, lease: late_hold(w),
}


def refused(world: World, command: Claim) -> None:
    with pytest.raises(ClaimRefused):
        world.run(command, "codex")


def late_hold(world: World) -> None:
    """The keypress comes too late: there is nothing left to hold."""
    with pytest.raises(Refused, match="no window of codex is open"):
        world.run(Hold("codex"))


@pytest.mark.rule("W27")
@pytest.mark.parametrize("who", WRITERS)
def test_whoever_writes_next_writes_first_what_is_due(world: World, who: str) -> None:
    armed(world, **LIMITS)
    number, lease = leased(world)
    world.clock.move(seconds=600)
    before = len(world.lines())
    WRITERS[who](world, lease)
    line = world.lines()[before]
    assert line["seat"] == "system"
    assert [op["op"] for op in line["ops"]] == [
        "lease_expired",
        "window_draining",
        "intents_lapsed",
        "window_closed",
    ]
    assert written(world).messages("lapsed") == ((number,) if who != "arm" else ())
    more = {"scan": 0, "claim": 0, "hold": 0}.get(who, 1)
    assert len(world.lines()) == before + 1 + more


@pytest.mark.rule("W27")
def test_what_is_due_is_written_once(world: World) -> None:
    armed(world, **LIMITS)
    leased(world)
    world.clock.move(seconds=600)
    refused(world, Claim(new_lease()))
    log = world.log()
    for _ in range(2):
        scan(world)
        no_claim(world, "window_closed")
    assert world.log() == log


@pytest.mark.rule("W27")
def test_what_was_worked_out_is_what_stands_after_it_was_written(world: World) -> None:
    armed(world, **LIMITS, maximum_attempts=1)
    leased(world)
    wanted(world)
    for seconds in (59, 1, 540, 600):
        world.clock.move(seconds=seconds)
        expected = worked_out(world)
        scan(world)
        found = written(world)
        assert (found.state, found.messages("failed", "lapsed", "terminal_hold")) == (
            expected.state,
            expected.messages("failed", "lapsed", "terminal_hold"),
        )
        assert (found.lease, found.ended) == (expected.lease, expected.ended)


@pytest.mark.rule("W27", "W15")
@pytest.mark.parametrize("how", ["answered", "acknowledged"])
def test_what_was_answered_under_a_lease_that_ran_out_needs_no_wake(world: World, how: str) -> None:
    armed(world, **LIMITS)
    number, _ = leased(world)
    if how == "answered":
        world.post("codex", "user", title="", reply_to=number)
    else:
        world.acknowledge("codex", number)
    world.run(Drain("codex"))
    world.clock.move(seconds=60)
    expected = worked_out(world)
    assert (expected.state, expected.messages("superseded")) == ("closed", (number,))
    scan(world)
    assert (state(world), intents(world)) == ("closed", {number: "superseded"})
    assert [op["op"] for op in world.lines()[-1]["ops"]] == [
        "lease_expired",
        "intents_superseded",
        "window_closed",
    ]


@pytest.mark.rule("W27", "W6")
def test_a_window_that_is_over_by_the_time_is_armed_anew(world: World) -> None:
    first = armed(world, **LIMITS)
    leased(world)
    with world.look() as view:
        assert agreement(view, world.paths, "codex", world.clock.moment()).refusal is not None
    world.clock.move(seconds=600)
    with world.look() as view:
        agreed = agreement(view, world.paths, "codex", world.clock.moment())
    assert (agreed.refusal, agreed.wake.state) == (None, "closed")
    world.run(agreed.command())
    found = written(world).window
    assert found is not None
    assert (found.state, found.number > first) == ("active", True)


@pytest.mark.rule("W27")
def test_a_window_with_nothing_due_costs_no_line(world: World) -> None:
    armed(world, **LIMITS)
    before = len(world.lines())
    world.clock.move(seconds=10)
    world.run(Hold("codex"))
    assert len(world.lines()) == before + 1


@pytest.mark.rule("W23")
def test_a_dry_run_says_what_a_scan_would_do_and_writes_nothing(world: World) -> None:
    armed(world, **LIMITS)
    world.post("user", "codex")
    number = world.post("user", "codex", kind="task")
    for passed in (0, 60, 600):
        world.clock.move(seconds=passed)
        log = world.log()
        with world.look() as view:
            found = planned(view, "codex", world.clock.moment())
        assert world.log() == log
        done = scan(world)
        assert [plain(op) for op in found.ops] == [plain(op) for op in done.ops]
        assert intents(world) == {intent.message: intent.state for intent in found.wake.intents}
    assert number in intents(world)


def plain(op: Any) -> Any:
    return orjson.loads(orjson.dumps(op))


@pytest.mark.rule("W23")
def test_a_dry_run_says_what_a_claim_would_be_answered(world: World) -> None:
    armed(world, **LIMITS)
    command = Claim("dry")

    def asked() -> object:
        log = world.log()
        try:
            with world.look() as view:
                wake = by_time(view, "codex", world.clock.moment()).wake
                return command.answer(view, wake, world.clock.moment()).grant
        except ClaimRefused as answer:
            return answer.code
        finally:
            assert world.log() == log

    assert asked() is None
    number = wanted(world)
    assert asked() == (number, 1)
    claim(world)
    assert asked() == "seat_busy"
    world.clock.move(seconds=60)
    assert asked() == (number, 2)
    world.clock.move(seconds=600)
    assert asked() == "window_closed"
    assert state(world) == "active"


@pytest.mark.rule("W31")
def test_a_window_that_nobody_scans_says_so_after_three_intervals(world: World) -> None:
    armed(world, scan_interval_seconds=60, maximum_quiet_cycles=1_000)
    scanned.leave(world.paths, "codex", world.clock.moment())
    for passed, nobody in ((180, False), (1, True)):
        world.clock.move(seconds=passed)
        found = shown(world).window
        assert found is not None
        assert found.nobody_scans is nobody
        assert found.scanned_at is not None
    scanned.leave(world.paths, "codex", world.clock.moment())
    found = shown(world).window
    assert found is not None
    assert (found.nobody_scans, found.scanned_at) == (False, world.clock.now())
    world.run(Hold("codex"))
    world.clock.move(hours=1)
    found = shown(world).window
    assert found is not None
    assert found.nobody_scans is False


@pytest.mark.rule("W31")
@pytest.mark.parametrize("hint", [None, b"", b"{}", b'{"utc":5}', b"\xff", b'{"utc":"yesterday"}'])
def test_a_lost_or_spoilt_hint_is_not_known(world: World, hint: bytes | None) -> None:
    armed(world, scan_interval_seconds=60, maximum_quiet_cycles=1_000)
    scanned.leave(world.paths, "codex", world.clock.moment())
    path = Path(world.paths.scanned("codex"))
    if hint is None:
        path.unlink()
    else:
        path.write_bytes(hint)
    for passed, nobody in ((180, False), (1, None)):
        world.clock.move(seconds=passed)
        found = shown(world).window
        assert found is not None
        assert (found.scanned_at, found.nobody_scans) == (None, nobody)


@pytest.mark.rule("W13")
def test_in_a_damaged_journal_every_open_window_reads_as_hold(world: World) -> None:
    armed(world, **LIMITS)
    armed(world, "gemini", **LIMITS)
    world.run(Drain("gemini"))
    found = shown(world, damaged=True)
    assert found.window is not None
    assert (found.state, found.window.reason) == ("hold", "damaged")
    assert shown(world, "gemini", damaged=True).state == "closed"
