"""What a newcomer sees: nothing that matters is cut, empty lists say all that they have to say."""

from __future__ import annotations

import pytest
from textual.content import Content
from textual.widgets import Static

from state.messages.commands import Post
from tests.panel.desk import Desk, folder_of, opened
from tests.panel.screen import lines
from tests.state.world import World


def flowing(desk: Desk) -> str:
    """All words on the screen, wherever lines end."""
    return " ".join(" ".join(lines(desk.app)).split())


async def test_seats_show_their_windows_and_messages_who_wrote_to_whom_at_80x24(
    world: World,
) -> None:
    world.post("codex", "hermes", title="the title")
    async with opened(world, (80, 24)) as desk:
        await desk.sees("seat", "unread", "tasks", "window", "looked")
        await desk.sees("codex", "○ closed")
        await desk.sees("codex → hermes", "· the title")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10)])
async def test_without_agents_the_wake_mode_says_what_to_do_and_waits_for_nothing(
    world: World, size: tuple[int, int]
) -> None:
    alone = World(folder_of(world.folder, "alone"))
    try:
        async with opened(alone, size) as desk:
            await desk.press("3")
            await desk.until(lambda: "Only you are seated." in flowing(desk), "the empty list")
            said = flowing(desk).translate(dict.fromkeys(map(ord, "│┃"))).split()
            assert "press s, then a, to take an agent in." in " ".join(said)
            assert "reading…" not in said
    finally:
        alone.close()


@pytest.mark.parametrize("width", [120, 80, 40])
async def test_the_help_is_as_wide_as_the_room_beside_its_scrollbar(
    world: World, width: int
) -> None:
    async with opened(world, (width, 24)) as desk:
        await desk.press("question_mark")
        await desk.sees("Messages ─")
        shown = desk.app.screen.query_one("#body").query_one(Static)
        assert isinstance(shown.content, Content)
        longest = max(len(line) for line in shown.content.plain.split("\n"))
        await desk.until(lambda: longest == shown.content_size.width, "drawn for its width")


async def test_a_reply_without_a_title_says_how_its_text_begins(world: World) -> None:
    asked = world.post("user", "codex", title="Which branch?", kind="question")
    reply = Post(("user",), "", "Main, since\nit is frozen.", "reply", reply_to=asked)
    world.run(reply, "codex")
    async with opened(world) as desk:
        await desk.sees(f"↩ re #{asked} “Main, since it")
        await desk.press("2")
        await desk.sees("codex → you", f"↩ re #{asked} “Main, since it")
        await desk.sees("▸ └ ↩ re", "“Main, since it")
        await desk.press("T")
        await desk.sees("└ ↩ re", "“Main, since it")


@pytest.mark.parametrize(("size", "shown"), [((100, 30), "codex → hermes"), ((40, 10), "")])
async def test_lists_keep_what_they_are_about_where_there_is_little_room(
    world: World, size: tuple[int, int], shown: str
) -> None:
    world.post("codex", "hermes", title="the title of it")
    world.post("codex", "gemini", title="another")
    async with opened(world, size) as desk:
        await desk.press("2")
        await desk.sees(shown, "· the title of it")
        await desk.press("3", "tab")
        await desk.until(lambda: desk.app.focused is desk.mode.query_one("#whys"), "the messages")
        await desk.press("shift+tab", "down", "tab")
        await desk.sees("▸ #3", "not woken, no window")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10)])
async def test_what_has_the_keys_is_seen_without_colour(
    world: World, size: tuple[int, int]
) -> None:
    async with opened(world, size) as desk:
        await desk.sees("━", "Needs you")
        await desk.press("tab")
        await desk.sees("━", "Seats (4)")
        assert not desk.line("━", "Needs you")
        await desk.press("3")
        await desk.sees("━", "Wake windows")
        await desk.press("4")
        await desk.sees("━", "Requests")
