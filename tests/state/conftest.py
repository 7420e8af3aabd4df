"""A project with three agents for the tests of rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.state.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The user with `codex`, `gemini` and `hermes`."""
    made = World(tmp_path, "codex", "gemini", "hermes")
    yield made
    made.close()
