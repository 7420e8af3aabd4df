"""Pictures of every mode from a fixed scenario, as SVG into `docs/screens/` or another folder.

The scenario has a clock of its own, ids that are not random and a folder of a fixed name, so the
same program draws the same pictures.
"""

import argparse
import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from textual.pilot import Pilot

from panel.app import PanelApp
from state.paths import Paths
from tools.scenario import ScenarioClock, play

TARGET = Path(__file__).resolve().parent.parent / "docs" / "screens"
HOME = "panel-screens"
PATIENCE_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: its file's name, the size in cells, the keys before it, what it must show."""

    name: str
    size: tuple[int, int]
    keys: tuple[str, ...]
    shows: str


PICTURES = (
    Picture("overview", (120, 40), (), "Merge the two crawler skills?"),
    Picture("overview-80x24", (80, 24), (), "Merge the two"),
    Picture("overview-40x10", (40, 10), (), "Needs you"),
    Picture("queue", (120, 40), ("2", "down", "down", "down"), "who did what"),
    Picture("queue-80x24", (80, 24), ("2",), "All messages"),
    Picture("wake", (120, 40), ("3",), "no receipt proves"),
    Picture("wake-80x24", (80, 24), ("3",), "no receipt proves"),
    Picture("wake-40x10", (40, 10), ("3",), "active (armed)"),
    Picture("arming", (120, 40), ("3", "down", "down", "a"), "exclusive"),
    Picture("skills", (120, 40), ("4",), "asked in"),
    Picture("skills-request", (120, 40), ("4", *["down"] * 5, "enter"), "reckoned from"),
    Picture("skills-80x24", (80, 24), ("4",), "Requests"),
    Picture("skills-40x10", (40, 10), ("4",), "not invoked"),
    Picture("journal", (120, 40), ("8", "down", "down"), "as stored"),
    Picture("journal-80x24", (80, 24), ("8",), "All lines"),
    Picture("compose", (120, 40), ("m",), "send"),
    Picture("seat-menu", (120, 40), ("down", "s"), "deactivate"),
    Picture("help", (120, 40), ("question_mark",), "Everywhere"),
)


def main(folder: Path) -> None:
    """Writes every picture into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with _home() as home:
        places = {name: f"{home}/{name}" for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME")}
        os.environ.update(places, XDG_CONFIG_HOME=f"{home}/config", TZ="UTC", HOME=home)
        os.environ.pop("NO_COLOR", None)
        time.tzset()
        chance = Random(1)
        os.urandom = chance.randbytes
        project = Path(home) / "shop"
        project.mkdir()
        clock = ScenarioClock()
        paths = play(str(project), clock)
        for picture in PICTURES:
            drawn = asyncio.run(_draw(paths, clock, picture))
            (folder / f"{picture.name}.svg").write_text(drawn, encoding="utf-8")
            print(f"{picture.name}.svg")


@contextmanager
def _home() -> Iterator[str]:
    """A folder that is called the same each time: paths are hashed into what is drawn."""
    home = Path(tempfile.gettempdir()) / HOME
    home.mkdir(mode=0o700)
    try:
        yield str(home)
    finally:
        shutil.rmtree(home)


async def _draw(paths: Paths, clock: ScenarioClock, picture: Picture) -> str:
    app = PanelApp(paths, clock)
    async with app.run_test(size=picture.size, notifications=True, tooltips=True) as pilot:
        await _shown(pilot, "verified" if picture.size[0] > 60 else "Needs you")
        for key in picture.keys:
            await pilot.press(key)
            await _settled(pilot)
        await _shown(pilot, picture.shows)
        await _settled(pilot)
        return app.export_screenshot(title="sublation-panel")


async def _shown(pilot: Pilot[int], text: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while text not in _text(pilot):
        if time.monotonic() > end:
            raise SystemExit(f"{text!r} did not come:\n{_text(pilot)}")
        await pilot.pause(0.05)


async def _settled(pilot: Pilot[int]) -> None:
    """Waits until two looks in a row show the same."""
    before = ""
    while (now := _text(pilot)) != before:
        before = now
        await pilot.pause(0.2)


def _text(pilot: Pilot[int]) -> str:
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.screens", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET, metavar="FOLDER")
    main(parser.parse_args().folder)
