"""A project with three agents for the tests of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.panel.desk import folder_of
from tests.state.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The user with `codex`, `gemini` and `hermes`."""
    made = World(folder_of(tmp_path, "shop"), "codex", "gemini", "hermes")
    yield made
    made.close()
