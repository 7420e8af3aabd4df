"""W5, W12, W13: what a project that was copied, or goes on from damage, makes of its windows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from state import moved
from state.accept import accept
from state.command import Actor
from state.errors import MovedOrCopied
from state.journal.journal import Journal
from state.paths import Paths
from state.project import Project
from state.wake.explain import explain
from state.wake.intent_commands import DismissIntent
from state.wake.window_commands import Arm, Drain, EnablePolicy, Hold, Resume
from tests.state.index_support import rows_of
from tests.state.wake_world import (
    armed,
    claim,
    id_of,
    intents,
    later_scan,
    leased,
    no_claim,
    reasons,
    receipt,
    resume,
    scan,
    set_policy,
    shown,
    state,
    wanted,
    window,
    written,
)
from tests.state.world import World

USER = Actor("user", "cli")
LIMITS: dict[str, Any] = {"cooldown_seconds": 0, "lease_seconds": 600, "window_seconds": 3_600}


class Elsewhere(World):
    """A project that exists already."""

    def __init__(self, first: World, folder: Path) -> None:
        self.clock = first.clock
        self.folder = folder
        self.paths = Paths(str(folder / Path(first.paths.root).name))
        self.project = Project(self.paths, self.clock)


@pytest.fixture
def copy(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A copy, made while one window of it had a lease and a wish, and another was on hold."""
    armed(world, **LIMITS)
    armed(world, "gemini", **LIMITS)
    world.run(Hold("gemini"))
    set_policy(world, "hermes")
    leased(world)
    wanted(world)
    folder = tmp_path_factory.mktemp("elsewhere") / "copy"
    shutil.copytree(world.folder, folder, symlinks=True)
    made = Elsewhere(world, folder)
    with pytest.raises(MovedOrCopied):
        made.run(Hold("codex"))
    moved.copied(made.project, USER)
    yield made
    made.close()


@pytest.mark.rule("W5", "W12")
def test_in_a_copy_every_window_is_closed_and_what_was_wanted_has_lapsed(
    world: World, copy: World
) -> None:
    for seat in ("codex", "gemini"):
        assert (state(copy, seat), window(copy, seat).reason) == ("closed", "forked")
        assert not written(copy, seat).enabled
    assert set(intents(copy).values()) == {"lapsed"}
    assert set(reasons(copy).values()) == {"forked"}
    assert written(copy).lease is None
    assert copy.queue("codex") == tuple(intents(copy))
    # In the first one nothing has changed.
    assert (state(world), set(intents(world).values())) == ("active", {"claimed", "pending"})


@pytest.mark.rule("W5", "W16")
def test_in_a_copy_every_policy_must_be_set_again(copy: World) -> None:
    for seat in ("codex", "hermes"):
        no_claim(copy, "project_mismatch", seat)
        copy.refused("W5", EnablePolicy(seat))
        copy.refused("W5", shown(copy, Arm, seat))
    armed(copy, **LIMITS)
    number = wanted(copy)
    assert intents(copy) == {number: "pending"}
    claim(copy)


@pytest.mark.rule("W19", "W11")
def test_a_lease_of_the_first_one_is_worth_nothing_in_the_copy(world: World, copy: World) -> None:
    lease = written(world).lease
    assert lease is not None
    refused = receipt(copy, lease.lease, "failed")
    assert refused is not None
    assert "lease_over" in refused.message
    assert receipt(world, lease.lease, "failed") is None
    assert id_of(world, lease.message) != id_of(copy, lease.message)


@pytest.mark.rule("W5")
def test_an_index_built_anew_says_the_same_of_a_copy(copy: World) -> None:
    with copy.look() as view:
        before = rows_of(view)
        found = explain(view, "codex", copy.clock.moment(), 9)
    copy.close()
    shutil.rmtree(copy.paths.cache)
    with copy.look() as view:
        assert rows_of(view) == before
        assert explain(view, "codex", copy.clock.moment(), 9) == found
    assert {one.outcome for one in found} == {"lapsed"}


def spoilt(world: World) -> None:
    """The last line on disk is another than it was."""
    world.close()
    path = Path(world.paths.segment(1))
    raw = path.read_bytes()
    path.write_bytes(raw[:-40] + bytes([raw[-40] ^ 1]) + raw[-39:])


@pytest.mark.rule("W13")
def test_whoever_goes_on_from_damage_finds_every_open_window_on_hold(world: World) -> None:
    armed(world, **LIMITS)
    number, lease = leased(world)
    armed(world, "gemini", **LIMITS)
    wanted(world, "gemini")
    world.run(Drain("gemini"))
    armed(world, "hermes", **LIMITS)
    world.run(Hold("hermes"))
    world.post("user", "codex", title="this line gets lost")
    spoilt(world)
    accept(world.paths, USER, world.clock)
    world.project = Project(world.paths, world.clock)
    assert Journal(world.paths).head().rev == len(world.lines())
    assert world.lines()[-1]["ops"][0]["op"] == "accepted"
    found = [window(world, seat) for seat in ("codex", "gemini", "hermes")]
    assert [(one.state, one.origin, one.cause) for one in found] == [
        ("hold", "active", "accepted"),
        ("hold", "draining", "accepted"),
        ("hold", "active", "user"),
    ]
    scan(world)
    no_claim(world, "window_hold")
    # The lease runs on, and the user resumes what shall go on.
    assert receipt(world, lease, "failed") is None
    resume(world)
    assert (state(world), intents(world)) == ("active", {number: "failed"})
    world.run(shown(world, Resume, "gemini"))
    assert state(world, "gemini") == "draining"


@pytest.mark.rule("W15")
def test_what_lapsed_in_the_copy_is_final(copy: World) -> None:
    number = min(intents(copy))
    with copy.look() as view:
        row = view.row("SELECT id FROM intent WHERE seat='codex' AND message=?", number)
    assert row is not None
    copy.refused("W15", DismissIntent(row[0], "no"))
    later_scan(copy, hours=2)
    assert intents(copy)[number] == "lapsed"
