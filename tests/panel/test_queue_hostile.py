"""Every string of fault 41 as title, text and reference, typed and imported, in mode 2 (M9)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from panel.screens.compose import ComposeScreen
from panel.screens.queue import QueueScreen
from panel.screens.task_menu import TaskMenu
from panel.widgets.paged_list import PagedList
from panel.widgets.safe_input import SafeInput, SafeTextArea
from state.importing.run import import_team
from state.messages import listing
from state.messages.listing import Filter
from state.messages.tasks import DeclineTask
from tests.panel import hostile
from tests.panel.desk import Desk, opened
from tests.panel.test_hostile_overview import sound
from tests.panel.test_queue import queue, type_line
from tests.state.world import World

TITLES = hostile.titles()
BODIES = hostile.bodies()


TOGETHER = 8
TEXTS = list(BODIES.values())


@pytest.fixture
def attacked(world: World) -> World:
    """A message for each hostile title; their texts, references and reasons some together."""
    first = world.post("codex", "user", title="harmless")
    for title in TITLES.values():
        world.post("codex", "user", title=title, kind="question", reply_to=first)
    for start in range(0, len(TEXTS), TOGETHER):
        texts = [text for text in TEXTS[start : start + TOGETHER] if text]
        number = world.post(
            "codex",
            "user",
            title=f"texts {start}",
            body="\n".join(texts),
            kind="task",
            refs=tuple(text[:1000] for text in texts),
            reply_to=first,
        )
        world.run(DeclineTask(number, f"no {' '.join(texts)}"[:1000]))
    return world


def numbers(world: World, title: str = "") -> list[int]:
    """The messages whose title begins so, newest first."""
    with world.look() as view:
        rows = listing.page(view, Filter(), 0, 1000)
    return [row.id for row in rows if row.title.startswith(title)]


async def reading(desk: Desk, number: int) -> QueueScreen:
    """Shows a message in the pane."""
    mode = desk.mode
    assert isinstance(mode, QueueScreen)
    mode.point_at(number)
    await desk.until(lambda: shown(mode) == number, f"#{number} is read")
    return mode


@pytest.mark.rule("M9")
@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 10)])
async def test_each_message_is_drawn_as_visible_text(
    attacked: World, size: tuple[int, int]
) -> None:
    async with opened(attacked, size) as desk:
        paged = await queue(desk)
        for _ in range(paged.count // max(size[1] - 4, 1) + 1):
            await desk.until(lambda: paged.row is not None, "the rows")
            sound(desk)
            await desk.press("pagedown")
        await desk.press("enter")
        every = numbers(attacked)[:: 1 if size[0] == 80 else TOGETHER]
        for number in (*numbers(attacked, "texts"), *every):
            mode = await reading(desk, number)
            sound(desk)
            mode.pane.scroll_end(animate=False)
            await desk.pilot.pause()
            sound(desk)


def shown(mode: QueueScreen) -> int | None:
    """The number of the message in the pane."""
    return None if mode.opened is None else mode.opened.message.id


@pytest.mark.rule("M9")
async def test_threads_searches_menus_and_replies_are_drawn_as_visible_text(
    attacked: World,
) -> None:
    async with opened(attacked, (80, 24)) as desk:
        await queue(desk)
        await desk.until(lambda: desk.mode.why_not("message") is None, "a message in hand")
        await desk.press("T")
        await desk.sees("thread of #")
        for _ in range(6):
            sound(desk)
            await desk.press("pagedown")
        await desk.press("escape")
        for text in ("a", "]", "e"):
            await type_line(desk, "f", text)
            await desk.press("enter")
            await desk.sees("found, everything looked through")
            for _ in range(5):
                sound(desk)
                await desk.press("pagedown")
            await desk.press("escape")
        paged = desk.mode.query_one("#messages", PagedList)
        for position in range(1, paged.count, 20):
            paged.jump(position)
            await desk.until(lambda: desk.mode.why_not("reply") is None, "can be answered")
            await desk.press("r")
            await desk.until(lambda: isinstance(desk.app.screen, ComposeScreen), "the reply")
            sound(desk)
            await desk.press("escape")
            await desk.until(lambda: desk.app.screen is desk.mode, "left")
            if desk.mode.why_not("task") is None:
                await desk.press("t")
                await desk.until(lambda: isinstance(desk.app.screen, TaskMenu), "the menu")
                await desk.sees("decline")
                sound(desk)
                await desk.press("escape")
                await desk.until(lambda: desk.app.screen is desk.mode, "left")


@pytest.mark.rule("M9")
async def test_what_is_pasted_into_fields_is_drawn_as_visible_text(world: World) -> None:
    async with opened(world) as desk:
        await queue(desk)
        await desk.press("m")
        await desk.until(lambda: isinstance(desk.app.screen, ComposeScreen), "the message")
        area = desk.app.screen.query_one(SafeTextArea)
        fields = list(desk.app.screen.query(SafeInput))
        for text in TEXTS:
            area.load_text(text)
            for field in fields:
                field.value = text[:300]
            await desk.pilot.pause()
            sound(desk)


@pytest.mark.rule("M9")
async def test_what_is_copied_holds_nothing_unseen(attacked: World) -> None:
    async with opened(attacked) as desk:
        await queue(desk)
        for number in (*numbers(attacked, "texts"), *numbers(attacked)[::TOGETHER]):
            mode = await reading(desk, number)
            for copy in (mode.action_copy, mode.action_copy_whole):
                copy()
                assert hostile.unseen(desk.app.clipboard, "\n") == set()


@pytest.mark.rule("M9", "M16")
async def test_imported_texts_are_drawn_as_visible_text(world: World, tmp_path: Path) -> None:
    team = tmp_path / "team"
    (team / "inboxes").mkdir(parents=True)
    (team / "config.json").write_text(json.dumps({"name": "evil", "members": [{"name": "lead"}]}))
    messages = [
        {"from": text[:60] or "x", "text": text, "summary": text[:100], "read": True}
        | {"timestamp": "2026-02-07T15:20:46.348Z"}
        for text in BODIES.values()
        if len(text) < 10_000
    ]
    (team / "inboxes" / "lead.json").write_text(json.dumps(messages))
    made = import_team(world.project, str(team))
    assert made.new > len(messages) - 5
    async with opened(world) as desk:
        paged = await queue(desk)
        await desk.sees("imported", "from claude-code")
        for _ in range(paged.count // 36 + 1):
            await desk.until(lambda: paged.row is not None, "the rows")
            sound(desk)
            await desk.press("pagedown")
        for number in numbers(world)[::4]:
            await reading(desk, number)
            sound(desk)
        await desk.sees("its claim", "read: true (its word, no evidence)")
    assert world.overview().needs == ()
    assert world.queue("user") == ()
