"""The memory of the real program, as the system sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.panel.seen import panel
from tests.state.world import World

MAPS = Path("/proc/self/maps")
# glibc reserves so much for each place that a thread of its own takes memory from.
RESERVED = 64 << 20


def arenas(maps: str) -> int:
    """How many such places there are besides the first, by what is reserved around them."""
    found = 0
    for line in maps.splitlines():
        span, rights, *_ = line.split()
        first, last = (int(at, 16) for at in span.split("-"))
        found += rights == "---p" and RESERVED // 2 < last - first <= RESERVED
    return found


@pytest.mark.skipif(not MAPS.exists(), reason="nothing here says how memory is mapped")
def test_all_threads_take_memory_from_one_place(world: World) -> None:
    world.post("codex", "user", title="hello", kind="question")
    with panel(cwd=world.folder) as seen:
        seen.sees("asks: hello")
        seen.sees("verified ✓")
        seen.terminal.write(b"2")
        seen.sees("All messages: 1")
        assert arenas(Path(f"/proc/{seen.process.pid}/maps").read_text()) == 0
