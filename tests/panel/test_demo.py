"""The demo's project: what its hosts do with skills shows in the layers as far as it is proved."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from panel.demo import scratch_project
from panel.demo.hosts import bring
from panel.demo.occasions import AGAIN, OCCASIONS, occasion
from panel.demo.script import CAST
from state.overview import overview
from state.project import Project
from state.routing import inventory, skill_index
from state.routing.layers import of_request
from state.routing.roots import PROJECT, defaults
from state.routing.skill_index import Ready

# Suggestion, choice, and what is proved of an invocation.
LAYERS = {
    "claude-code:demo:tool-1": ("flaky-tests", "flaky-tests", "confirmed"),
    "claude-code:demo:tool-2": ("cart-review", "release-notes", "requested"),
    "claude-code:demo:tool-3": ("fallback", None, None),
    "claude-code:demo:prompt-4": ("none", "release-notes", "requested"),
    "codex:demo:tool-1": ("none", None, "file_read"),
    "codex:demo:tool-2": ("cart-review", None, "file_read"),
}


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    """The demo's project after the first turns of each agent, as far as hosts have a part."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_project() as project:
        for turn in range(AGAIN):
            for seat, _ in CAST:
                used = occasion(seat, turn)
                if used is not None:
                    bring(project, seat, used, turn)
        yield project


@pytest.mark.rule("S1", "S2")
def test_each_request_shows_what_is_proved_of_it(played: Project) -> None:
    with played.view() as view:
        assert {row[0] for row in view.rows("SELECT id FROM route_request")} == set(LAYERS)
        for request, expected in LAYERS.items():
            found = of_request(view, request)
            two, three, four = found.suggestion, found.choice, found.invocation
            assert (two.skill or two.state, three.skill, four.level) == expected, request
            assert three.source == (None if three.skill is None else "hook")
            assert all(one.recorded.state == "accepted" for one in four.receipts)
            invoked = four.state == "invoked"
            assert invoked == (request == "claude-code:demo:tool-1")


def test_the_skills_are_sound_and_nobody_needs_the_person(played: Project) -> None:
    found = inventory.take(root for root in defaults(played.paths.project) if root.scope == PROJECT)
    assert [skill.problems or skill.profile_problems for skill in found.skills] == [()] * 4
    ready = skill_index.ready(played.paths)
    assert isinstance(ready, Ready)
    profiled = {skill.name for skill in found.skills if skill.profile is not None}
    assert {entry.skill for entry in ready.index.entries} == profiled
    assert len(profiled) == 3
    with played.view() as view:
        assert overview(view, played.clock.moment()).needs == ()


def test_nothing_of_it_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "demo"))
    for place, name in (("HOME", "home"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")):
        monkeypatch.setenv(place, str(tmp_path / name))
    (tmp_path / "demo").mkdir()
    with scratch_project() as project:
        bring(project, "codex", OCCASIONS["codex"][1], 1)
        assert list((tmp_path / "demo").iterdir())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert list((tmp_path / "demo").iterdir()) == []


def test_hosts_have_their_places_in_the_script() -> None:
    for seat, mine in OCCASIONS.items():
        turns = [occasion(seat, turn) for turn in range(AGAIN)]
        assert turns == [None, *mine, *[None] * (AGAIN - 1 - len(mine))]
        assert occasion(seat, AGAIN + 1) is None
        later = [occasion(seat, AGAIN * number) for number in range(1, 1 + len(mine))]
        assert [one for one in mine if one not in later] == []
    assert not any(occasion("hermes", turn) for turn in range(AGAIN * 2))
