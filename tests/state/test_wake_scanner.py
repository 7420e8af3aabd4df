"""W9, W13, W31: who scans: every open window at once, with a look at the adapters' files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

from state.adapters.commands import Register
from state.adapters.fingerprint import take
from state.adapters.queries import get as adapter_of
from state.command import Actor, Command
from state.errors import Busy
from state.journal.lock import exclusive
from state.project import Committed, Project
from state.scanner import NEVER_MS, Scanner, next_scan_ms
from state.wake import scanned
from state.wake.window_commands import Drain, EnablePolicy, Hold
from tests.state.wake_world import (
    adapter,
    arm,
    armed,
    claim,
    intents,
    names,
    set_policy,
    state,
    wanted,
    window,
    written,
)
from tests.state.world import World

LIMITS: Mapping[str, Any] = {
    "window_seconds": 600,
    "scan_interval_seconds": 60,
    "lease_seconds": 90,
    "maximum_quiet_cycles": 100,
}


@pytest.mark.rule("W9", "W11")
def test_several_scanners_find_everything_once_and_count_as_one(world: World) -> None:
    armed(world, **LIMITS)
    armed(world, "gemini", **LIMITS)
    armed(world, "hermes", **LIMITS)
    world.run(Drain("hermes"))
    handles = [Project(world.paths, world.clock) for _ in range(3)]
    scanners = [Scanner(handle, "tui") for handle in handles]
    number = world.post("user", "codex", "gemini", kind="task")
    world.post("user", "gemini")
    found = [scanner.scan() for scanner in scanners]
    assert [(one.seat, one.created, dict(one.passed), one.window) for one in found[0]] == [
        ("codex", 1, {}, "active"),
        ("gemini", 1, {"kind": 1}, "active"),
    ]
    assert [one.rev for one in found[0]] == [line["rev"] for line in world.lines()[-2:]]
    assert {(one.created, one.rev) for again in found[1:] for one in again} == {(0, None)}
    assert intents(world) == intents(world, "gemini") == {number: "pending"}
    for seat in ("codex", "gemini"):
        world.acknowledge(seat, number)
    for _ in range(12):
        world.clock.move(seconds=10)
        for scanner in scanners:
            scanner.scan()
    assert (window(world).quiet, window(world, "gemini").quiet) == (2, 2)
    for handle in handles:
        handle.close()


@pytest.mark.rule("W13")
def test_a_file_of_the_adapter_touched_by_one_byte_holds_the_window(world: World) -> None:
    set_policy(world, adapter_id="echo", fingerprint=adapter(world), **LIMITS)
    world.run(EnablePolicy("codex"))
    arm(world)
    scanner = Scanner(world.project, "cli")
    scanner.scan()
    file = world.folder / "echo.py"
    file.write_text("ran")
    # Files are read again only after a while, by a scanner that goes on.
    scanner.scan()
    assert state(world) == "active"
    world.clock.move(seconds=10)
    scanner.scan()
    assert (state(world), window(world).cause) == ("hold", "adapter_drift")
    file.write_text("run")
    os.utime(file, (1, 1))
    world.clock.move(seconds=10)
    with world.look() as view:
        assert scanner.drifted(view, world.clock.moment()) == frozenset()


@pytest.mark.rule("W13")
def test_of_two_adapters_with_the_same_content_each_is_read(world: World) -> None:
    for seat, name in (("codex", "one"), ("gemini", "two")):
        folder = world.folder / name
        folder.mkdir()
        (folder / "run.py").write_text("run")
        world.run(Register(name, take([str(folder)])))
        with world.look() as view:
            fingerprint = adapter_of(view, name).fingerprint
        set_policy(world, seat, **LIMITS, adapter_id=name, fingerprint=fingerprint)
        world.run(EnablePolicy(seat))
        arm(world, seat)
    scanner = Scanner(world.project, "cli")
    scanner.scan()
    (world.folder / "two" / "run.py").write_text("ran")
    world.clock.move(seconds=10)
    scanner.scan()
    assert (state(world), state(world, "gemini")) == ("active", "hold")


@pytest.mark.rule("W31")
def test_a_scan_that_could_not_write_leaves_no_hint(world: World) -> None:
    armed(world, **LIMITS)
    world.post("user", "codex", kind="task")
    impatient = Impatient(world.paths, world.clock)
    held = exclusive(world.paths.mutex, seat="hermes", since=world.clock.now())
    with impatient, held, pytest.raises(Busy):
        Scanner(impatient, "cli").scan()
    assert scanned.read(world.paths, "codex") is None


class Impatient(Project):
    """Waits for the lock only a moment."""

    def run(self, command: Command, actor: Actor, **more: Any) -> Committed:
        return super().run(command, actor, **{**more, "wait": 0.05})


@pytest.mark.rule("W31")
def test_every_scan_leaves_a_hint_of_its_time(world: World) -> None:
    armed(world, **LIMITS)
    assert scanned.read(world.paths, "codex") is None
    Scanner(world.project, "cli").scan()
    assert scanned.read(world.paths, "codex") == world.clock.moment()
    log = world.log()
    world.clock.move(seconds=7)
    Scanner(world.project, "cli").scan()
    assert scanned.read(world.paths, "codex") == world.clock.moment()
    assert world.log() == log
    assert scanned.read(world.paths, "gemini") is None


@pytest.mark.rule("W27")
def test_the_next_scan_is_when_the_time_brings_something_about(world: World) -> None:
    def due_in(last: float | None = 0.0) -> float:
        now = world.clock.moment()
        seen = None if last is None else now
        return next_scan_ms(written(world), seen, now) / 1000

    assert due_in() == NEVER_MS / 1000
    armed(world, **LIMITS)
    assert due_in() == 60
    assert due_in(None) == 0
    world.clock.move(seconds=50)
    assert due_in() == 10
    wanted(world)
    assert due_in() == 60
    claim(world)
    assert due_in() == 60
    world.clock.move(seconds=60)
    assert due_in() == 30
    world.clock.move(seconds=489)
    assert due_in() == 0
    Scanner(world.project, "cli").scan()
    assert due_in() == 1
    world.run(Hold("codex"))
    assert due_in() == 60
    assert names(world)["lease_expired"] == 1
