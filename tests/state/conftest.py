"""A project with three agents for tests of rules; a journal of six lines for tests of files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.state.journal_support import Disk, made, written
from tests.state.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The user with `codex`, `gemini` and `hermes`."""
    made = World(tmp_path, "codex", "gemini", "hermes")
    yield made
    made.close()


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    """The files of a journal of six lines."""
    found = Disk(made(tmp_path / "project"))
    written(found.paths)
    return found
