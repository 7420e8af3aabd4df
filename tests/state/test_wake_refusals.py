"""A refused claim says in words what stands in its way, and what ends it (W16, W22)."""

from __future__ import annotations

import pytest

from state.errors import ClaimRefused
from state.wake.consumers import Consumer
from state.wake.window_commands import Drain, EnablePolicy, Hold
from tests.state.wake_world import (
    adapter,
    arm,
    armed,
    claim,
    no_claim,
    resume,
    set_policy,
    state,
    wanted,
)
from tests.state.world import World


@pytest.mark.rule("W16")
def test_a_closed_window_says_why_it_closed(world: World) -> None:
    assert no_claim(world, "window_closed").message == "no window of codex is open"
    armed(world, window_seconds=60)
    world.clock.move(seconds=60)
    # What is due is written first, by the claim itself or by a scan: the answer is the same.
    with pytest.raises(ClaimRefused) as caught:
        claim(world)
    assert (state(world), caught.value.code) == ("closed", "window_closed")
    assert caught.value.message == no_claim(world, "window_closed").message
    assert "its deadline has passed" in caught.value.message
    arm(world)
    world.run(Drain("codex"))
    assert "the user drained it" in no_claim(world, "window_closed").message


@pytest.mark.rule("W16")
def test_a_held_window_says_why_in_words(world: World) -> None:
    armed(world)
    wanted(world)
    world.run(Hold("codex"))
    assert no_claim(world, "window_hold").message.endswith("on hold: the user held it")
    resume(world)
    set_policy(world, hourly_quota=1)
    assert "its policy isn't the one" in no_claim(world, "window_hold").message


@pytest.mark.rule("W16")
def test_a_fingerprint_that_is_wrong_is_told_from_files_that_are(world: World) -> None:
    fingerprint = adapter(world)
    set_policy(world, adapter_id="echo", fingerprint=fingerprint)
    world.run(EnablePolicy("codex"))
    arm(world)
    wanted(world)
    for given in (None, "0" * 64):
        refused = no_claim(world, "fingerprint_mismatch", adapter="echo", fingerprint=given)
        assert refused.message.startswith("the fingerprint given")
        assert "adapter list" in refused.hint


@pytest.mark.rule("W22")
def test_the_way_to_end_another_consumer_is_one_that_ends_it(world: World) -> None:
    armed(world)
    wanted(world)
    held = Consumer("codex", "watcher", "held", None, True, pid=4711)
    refused = no_claim(world, "other_consumer", consumers=(held,))
    assert refused.message == "'watcher' holds codex"
    assert "(process 4711)" in refused.hint
    assert "consumer end" not in refused.hint
