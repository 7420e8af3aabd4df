"""What one mode opens in another is left by escape, to where it was opened from."""

from __future__ import annotations

from tests.panel.desk import Desk, opened
from tests.state.world import World


async def goes(desk: Desk, key: str, mode: str) -> None:
    """Presses a key, which leads to a mode."""
    await desk.press(key)
    await desk.until(lambda: mode == desk.mode.MODE, f"{key} leads to {mode}")


async def test_a_message_opened_on_the_first_screen_is_left_for_it(world: World) -> None:
    world.post("hermes", "user", title="first?", kind="question")
    world.post("codex", "user", title="second?", kind="question")
    async with opened(world) as desk:
        await desk.press("down")
        await goes(desk, "enter", "queue")
        await desk.sees("who did what")
        await goes(desk, "escape", "overview")
        assert desk.line("▸", "second?")
        # Who goes there without opening anything stays there.
        await goes(desk, "2", "queue")
        await desk.press("enter", "escape", "escape")
        await desk.until(lambda: desk.app.focused is desk.mode.query_one("#messages"))
        assert desk.mode.MODE == "queue"


async def test_a_queue_opened_on_the_first_screen_is_read_and_then_left_for_it(
    world: World,
) -> None:
    world.post("user", "codex", title="the next due")
    async with opened(world) as desk:
        await desk.press("tab", "down")
        await goes(desk, "enter", "queue")
        await desk.sees("codex's queue: 1 unread")
        await desk.sees("the next due")
        await desk.press("enter")
        await desk.until(lambda: desk.app.focused is desk.mode.query_one("#message"), "reading")
        await desk.press("escape")
        await desk.until(lambda: desk.app.focused is desk.mode.query_one("#messages"), "the list")
        await goes(desk, "escape", "overview")
        await goes(desk, "2", "queue")
        await desk.sees("All messages: 1")


async def test_a_filter_begun_elsewhere_and_not_wanted_leads_back(world: World) -> None:
    world.post("user", "codex", title="the next due")
    async with opened(world) as desk:
        await goes(desk, "3", "wake")
        await goes(desk, "slash", "queue")
        await desk.sees("apply", "esc back")
        await goes(desk, "escape", "wake")
        await goes(desk, "slash", "queue")
        await desk.write("kind:task")
        await desk.press("enter")
        await desk.sees("filter kind:task")
        await goes(desk, "escape", "wake")


async def test_who_goes_another_way_is_not_led_back(world: World) -> None:
    world.post("hermes", "user", title="first?", kind="question")
    async with opened(world) as desk:
        await goes(desk, "enter", "queue")
        await goes(desk, "3", "wake")
        await goes(desk, "2", "queue")
        await desk.press("escape", "escape", "escape")
        await desk.sees("All messages")
        assert desk.mode.MODE == "queue"
        assert desk.app.ways_back == []
