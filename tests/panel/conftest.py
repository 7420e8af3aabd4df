"""A project with three agents for the tests of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.app import App

from tests.panel.big import Big
from tests.panel.desk import folder_of
from tests.panel.settling import settled
from tests.state.world import World


@pytest.fixture(autouse=True)
def _keys_are_handled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot goes on when the app has settled, not when the processor looks idle."""
    monkeypatch.setattr("textual.app.wait_for_idle", settled)
    monkeypatch.setattr("textual.pilot.wait_for_idle", settled)


@pytest.fixture(autouse=True)
def _what_is_said_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow machine it would be gone before it is looked for."""
    monkeypatch.setattr("panel.widgets.say_line.SECONDS", 3600.0)
    monkeypatch.setattr(App, "NOTIFICATION_TIMEOUT", 3600.0)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The user with `codex`, `gemini` and `hermes`."""
    made = World(folder_of(tmp_path, "shop"), "codex", "gemini", "hermes")
    yield made
    made.close()


@pytest.fixture(scope="session")
def big(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Big]:
    """10,000 messages; tests only read it."""
    made = Big(folder_of(tmp_path_factory.mktemp("panel"), "big"))
    yield made
    made.close()
