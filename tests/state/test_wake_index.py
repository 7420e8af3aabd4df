"""An index that lags, or is built anew, says the same of wakes as one that followed every line."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from state.roster.commands import CloseQueue
from state.wake.intent_commands import RetryIntent
from state.wake.lease_commands import Renew
from state.wake.load import seat_wake
from state.wake.window_commands import DisablePolicy, Drain, EnablePolicy
from tests.state.index_support import index_of, remove_index, rows_of
from tests.state.wake_world import (
    arm,
    armed,
    claim,
    id_of,
    later_scan,
    leased,
    names,
    receipt,
    resume,
    scan,
    set_policy,
    verified,
    wanted,
)
from tests.state.world import World


def story(world: World) -> Iterator[None]:
    """Every operation on wakes; it stops where an index may have been left behind."""
    armed(world, cooldown_seconds=0, hourly_quota=60, maximum_wakes=50, lease_seconds=60)
    yield
    number, lease = leased(world)
    yield
    verified(world, number, lease)
    yield
    number, lease = leased(world)
    world.clock.move(seconds=5)
    world.run(Renew(lease), "codex")
    yield
    receipt(world, lease, "watcher_only")
    receipt(world, lease, "failed")
    receipt(world, "nobody's", "failed")
    claim(world)
    yield
    later_scan(world, seconds=60)
    yield
    world.run(RetryIntent(id_of(world, number), "mended"))
    resume(world)
    world.clock.set(hours=1)
    yield
    wanted(world)
    world.post("user", "codex")
    scan(world)
    yield
    world.run(CloseQueue("codex", "gone"))
    wanted(world)
    set_policy(world, hourly_quota=3)
    yield
    world.run(Drain("codex"))
    later_scan(world, hours=3)
    yield
    world.run(DisablePolicy("codex"))
    world.run(EnablePolicy("codex"))
    arm(world)
    later_scan(world, seconds=60)
    yield


@pytest.mark.rule("W11", "W27")
def test_it_says_the_same_wherever_it_was_left_behind(world: World, tmp_path: Path) -> None:
    index, older = index_of(world.project), []
    for part, _ in enumerate(story(world)):
        world.close()
        older.append(Path(shutil.copy(index, tmp_path / f"index-{part}")))
    assert len(names(world)) >= 20
    with world.look() as view:
        followed, wake = rows_of(view), seat_wake(view, "codex")
    remove_index(world.project)
    with world.look() as view:
        assert (rows_of(view), seat_wake(view, "codex")) == (followed, wake)
    for file in older:
        world.close()
        remove_index(world.project)
        shutil.copy(file, index)
        with world.look() as view:
            assert (rows_of(view), seat_wake(view, "codex")) == (followed, wake)
