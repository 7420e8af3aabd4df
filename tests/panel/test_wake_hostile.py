"""Every string of fault 41 as title, reason, path, consumer and adapter, on the wake mode."""

from __future__ import annotations

import os

import pytest

from panel import neutral
from panel.screens.arming import Arming
from panel.screens.policy_form import PolicyForm
from state.errors import BadInput
from state.wake.consumer_commands import DeclareConsumer, EndConsumer
from state.wake.intent_commands import DismissIntent, RetryIntent
from state.wake.lease_commands import EndLease
from state.wake.window_commands import Drain
from tests.panel import hostile
from tests.panel.desk import Desk, opened
from tests.panel.screen import lines
from tests.state import wake_world as wakes
from tests.state.world import World

TITLES = list(hostile.titles().values())
REASONS = [text for text in hostile.bodies().values() if 0 < len(text.strip()) <= 1000]


@pytest.fixture
def attacked(world: World) -> World:
    """Messages, reasons and evidence with everything that is hostile, in two windows."""
    wakes.armed(world, cooldown_seconds=0, hourly_quota=60, maximum_wakes=100, maximum_attempts=1)
    for title in TITLES:
        world.post("user", "codex", title=title, kind="question")
    wakes.scan(world)
    for title, reason in zip(TITLES[:8], REASONS[:8], strict=True):
        lease = wakes.claim(world)
        world.run(EndLease(lease, reason))
        number = next(iter(wakes.written(world).messages("terminal_hold")))
        kind = RetryIntent if title == TITLES[0] else DismissIntent
        world.run(kind(wakes.id_of(world, number), reason))
        if kind is RetryIntent:
            world.run(DismissIntent(wakes.id_of(world, number), reason))
        wakes.resume(world)
    for name in list(hostile.paths().values())[::6]:
        proof(world, name)
    wakes.leased(world, "codex")
    return world


def proof(world: World, name: str) -> None:
    """A receipt whose evidence is a file of that name, taken or refused."""
    lease = wakes.claim(world)
    world.clock.move(seconds=1)
    path = os.path.join(str(world.folder), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(lease)
    at = world.clock.time.timestamp()
    os.utime(path, (at, at))
    try:
        seen = wakes.seen(world, path, lease)
    except BadInput:
        wakes.receipt(world, lease, "timeout")
    else:
        wakes.receipt(world, lease, "sent_and_verified", file=seen)


def sound(desk: Desk) -> None:
    """Each line has the width of the screen, and shows nothing that is unseen."""
    width = desk.app.size.width
    for line in lines(desk.app):
        assert neutral.cells(line) == width, line
        assert hostile.unseen(line) == set(), line


@pytest.mark.rule("M9")
@pytest.mark.parametrize("size", [(120, 40), (40, 10)])
async def test_each_message_and_all_about_the_seat_is_drawn_as_visible_text(
    attacked: World, size: tuple[int, int]
) -> None:
    async with opened(attacked, size) as desk:
        await desk.press("3", "tab")
        await desk.sees("Why it was")
        for key in ("pagedown", "down") * 12:
            await desk.press(key)
            sound(desk)
        await desk.press("tab", "home")
        for key in ("pagedown",) * 12:
            await desk.press(key)
            sound(desk)
        await desk.press("y")
        attacked.run(Drain("codex"))
        await desk.press("tab")
        await desk.sees("codex", "◌ draining")
        sound(desk)


@pytest.mark.rule("M9", "W6")
async def test_the_dialogs_about_a_hostile_seat_draw_visible_text(world: World) -> None:
    wakes.armed(world)
    world.run(Drain("codex"))
    async with opened(world) as desk:
        await desk.press("3")
        for name in list(hostile.names().values())[::4]:
            world.run(DeclareConsumer("codex", name))
            await desk.sees(f"{world.lines()[-1]['rev']} lines verified")
            await desk.press("a")
            await desk.until(lambda: isinstance(desk.app.screen, Arming), "the dialog")
            await desk.sees("It can't be done now")
            sound(desk)
            await desk.press("escape")
            world.run(EndConsumer("codex"))
        await desk.press("p")
        await desk.until(lambda: isinstance(desk.app.screen, PolicyForm), "the form")
        await desk.sees("window_seconds")
        sound(desk)
