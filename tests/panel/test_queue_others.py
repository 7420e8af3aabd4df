"""Mode 2 while others write, by the command or with an editor."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.panel.desk import opened, outside
from tests.panel.test_queue import cursor, flowing, queue, shown
from tests.state.world import World
from tests.support import run_cli

AGENTS = ("codex", "gemini", "hermes")


async def test_what_other_processes_post_comes_in_by_itself(world: World) -> None:
    def post(seat: str) -> None:
        for number in range(3):
            title = f"{seat} {number}"
            ran = run_cli("post", "user", "--title", title, project=world.folder, seat=seat)
            assert ran.code == 0, ran.err

    async with opened(world) as desk:
        await queue(desk)
        await asyncio.gather(*(outside(lambda s=seat: post(s)) for seat in AGENTS))  # type: ignore[misc]
        await desk.sees("All messages: 9")
        for seat in AGENTS:
            await desk.sees(f"{seat} → you", f"{seat} 2")
        assert sorted(shown(desk)) == list(range(2, 11))


async def test_a_record_that_was_changed_on_disk_is_one_bad_row(world: World) -> None:
    numbers = [world.post("codex", "user", title=f"note {n}", body=f"text {n}") for n in range(4)]
    async with opened(world) as desk:
        await queue(desk)
        log = Path(world.paths.segment(1))
        log.write_bytes(log.read_bytes().replace(b"text 1", b"text X"))
        await desk.press("down")
        await desk.sees("text 2")
        await desk.press("down")
        await desk.until(lambda: "can't be shown: line 3" in flowing(desk), "one bad record")
        await desk.press("down")
        await desk.sees("text 0")
        assert shown(desk) == numbers[::-1]


async def test_the_first_way_into_the_mode_leads_to_the_message_that_was_meant(
    world: World,
) -> None:
    number = world.post("codex", "user", title="the oldest question", kind="question")
    for seat in AGENTS * 20:
        world.post(seat, "user", title="more")
    async with opened(world) as desk:
        await desk.sees("asks: the oldest question")
        await desk.press("enter")
        await desk.until(lambda: desk.mode.MODE == "queue", "the queue")
        await desk.until(lambda: f"#{number} " in cursor(desk), "the question")
        await desk.sees("question", f"#{number}")
        await desk.press("escape", "1", "tab", "down", "enter")
        await desk.sees("codex's queue: 0 unread", "oldest first")
