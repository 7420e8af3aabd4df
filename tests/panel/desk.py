"""A panel on a real project folder, driven by keys, with others at work on the same folder."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from sys import executable

from textual.pilot import Pilot

from panel.app import PanelApp
from panel.screens.mode import ModeScreen
from state.paths import Paths
from tests.panel.screen import lines
from tests.panel.settling import held_up, settled
from tests.state.world import World
from tests.support import PATIENCE_SECONDS, environment

# To draw the whole screen and read it costs about half of this.
POLL_SECONDS = 0.02
SIZE = (120, 40)

# Holds the lock as any writer would, until its standard input ends.
_HOLD = """
import sys
from state.clock import SystemClock
from state.journal.lock import exclusive
with exclusive(sys.argv[1], seat=sys.argv[2], since=SystemClock().now()):
    print("held", flush=True)
    sys.stdin.read()
"""


class Desk:
    """A person at one panel: presses keys, reads the screen, waits for what is to come."""

    def __init__(self, app: PanelApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def mode(self) -> ModeScreen:
        """The mode that is seen, also below a dialog."""
        assert self.app.base is not None
        return self.app.base

    @property
    def said(self) -> str:
        """What stands in the line at the bottom of the mode."""
        from panel.widgets.say_line import SayLine

        return self.mode.query_one(SayLine).said

    def text(self) -> str:
        """The whole screen."""
        return "\n".join(lines(self.app))

    def line(self, *words: str) -> str:
        """The first line of the screen that holds all these words, "" without one."""
        for line in lines(self.app):
            if all(word in line for word in words):
                return line
        return ""

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def write(self, text: str) -> None:
        """Type a text, character by character."""
        names = {" ": "space", "-": "minus", ".": "full_stop", ":": "colon", ",": "comma"}
        await self.pilot.press(*(names.get(character, character) for character in text))

    async def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Wait until the condition holds."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"not within {PATIENCE_SECONDS:g} s: {what}\n{self.text()}")
            await asyncio.sleep(POLL_SECONDS)
        await settled()

    async def sees(self, *words: str) -> None:
        """Wait until one line of the screen holds all these words."""
        await self.until(lambda: self.line(*words), f"a line with {words}")

    async def cannot(self, needs: str, why: str) -> None:
        """Wait until it is known that a key can't act, for this reason."""
        await self.until(lambda: why in (self.mode.why_not(needs) or ""), f"{needs}: {why}")

    async def misses(self, *words: str) -> None:
        """Wait until no line of the screen holds all these words."""
        await self.until(lambda: not self.line(*words), f"no line with {words}")


@asynccontextmanager
async def opened(
    world: World, size: tuple[int, int] = SIZE, paths: Paths | None = None
) -> AsyncIterator[Desk]:
    """A panel on a world, with all its lines checked; it had no fault of its own at the end."""
    app = PanelApp(paths or world.paths, world.clock)
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        desk = Desk(app, pilot)
        await desk.until(lambda: app.snapshot is not None and app.verified.is_whole, "opened")
        await desk.until(lambda: desk.mode.seen is not None, "drawn")
        yield desk
        app.stop_working()
    assert app.faults == []


@contextmanager
def holding_lock(paths: Paths, seat: str) -> Iterator[int]:
    """Another process holds the project's lock meanwhile; gives its pid."""
    command = [executable, "-c", _HOLD, paths.mutex, seat]
    with Popen(command, stdin=PIPE, stdout=PIPE, env=environment()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        try:
            with held_up("write", "scan"):
                yield process.pid
        finally:
            process.stdin.close()
            process.wait()


async def outside(work: Callable[[], object]) -> None:
    """Something that another process would do, done in a thread while the panel goes on."""
    await asyncio.to_thread(work)


def folder_of(base: Path, name: str) -> Path:
    """A new folder to put a project into."""
    made = base / name
    os.mkdir(made)
    return made
