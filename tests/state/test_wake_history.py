"""What a line of the journal changed of wakes, read from the journal afterwards."""

from __future__ import annotations

from state.history.changes import Change, changes
from state.wake.window_commands import Hold
from tests.state.wake_world import armed, claim, later_scan, resume, scan
from tests.state.world import World


def changed(world: World, rev: int) -> list[Change]:
    with world.look() as view:
        return list(changes(view, rev))


def test_the_way_of_a_window_and_an_intent_can_be_read_line_by_line(world: World) -> None:
    number = armed(world, maximum_attempts=1)
    assert Change("window:codex", "state", "closed", "active") in changed(world, number)
    task = world.post("user", "codex", kind="task")
    note = world.post("user", "codex")
    assert changed(world, scan(world).rev) == [
        Change(f"intent:{task}:codex", "state", None, "pending"),
        Change(f"message:{note}:codex", "passed over", None, "kind"),
    ]
    lease = claim(world)
    with world.look() as view:
        last = view.rev
    assert changed(world, last) == [
        Change(f"intent:{task}:codex", "state", "pending", "claimed"),
        Change(f"lease:{lease}", "holder", None, "codex"),
    ]
    assert changed(world, later_scan(world, seconds=301).rev) == [
        Change(f"intent:{task}:codex", "state", "claimed", "terminal_hold"),
        Change("window:codex", "state", "active", "hold"),
    ]


def test_what_lapsed_was_pending_and_the_window_that_drained_was_active(world: World) -> None:
    armed(world)
    task = world.post("user", "codex", kind="task")
    scan(world)
    held = world.run(Hold("codex")).rev
    assert changed(world, held) == [Change("window:codex", "state", "active", "hold")]
    resumed = resume(world).rev
    assert changed(world, resumed) == [Change("window:codex", "state", "hold", "active")]
    assert changed(world, later_scan(world, hours=1).rev) == [
        Change("window:codex", "state", "active", "draining"),
        Change(f"intent:{task}:codex", "state", "pending", "lapsed"),
        Change("window:codex", "state", "draining", "closed"),
    ]
