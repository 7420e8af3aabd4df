"""Fault 41: every hostile string through every widget, on a real pseudo-terminal and in memory."""

from __future__ import annotations

import codecs
import contextlib
import itertools
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from unicodedata import category

import pyte
import pytest
from rich.segment import Segment
from textual.content import Content
from textual.widgets._toast import Toast
from textual.widgets._tooltip import Tooltip

from tests.panel import hostile
from tests.panel.gallery import EDGE, HARMLESS, Gallery
from tests.support import ROOT, Terminal, environment, until

pytestmark = pytest.mark.rule("M9")

COLUMNS, ROWS = 120, 45
MARKS = dict.fromkeys(
    number
    for number in range(0x300, 0x1FFFF)
    if category(chr(number)) in ("Mn", "Me") or 0x1160 <= number <= 0x11FF
)
FRAME = 61
EDGED = 6  # rows of the gallery that end with an edge

SEQUENCE = re.compile(
    r"\x1b(?:"
    r"\[(?P<params>[0-?]*)(?P<middle>[ -/]*)(?P<final>[@-~])"
    r"|\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|[PX^_](?P<string>[^\x1b]*)\x1b\\"
    r"|(?P<other>[ -/]*[0-Z\\^-~])"
    r")"
)


# What stands in each cell of each row; nothing in the second one of a wide character.
Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Run:
    """What arrived on the terminal: all text, the kinds of sequences, and each scene's screen."""

    text: str
    kinds: frozenset[str]
    scenes: tuple[Cells, ...]


def kind(found: re.Match[str]) -> str:
    """What a sequence does, without the colours and places that it does it with."""
    if found["final"]:
        prefix = re.match(r"[<-?]*", found["params"])
        assert prefix is not None
        settings = found["params"] if found["final"] in "hlpqtunc" else prefix[0]
        return f"CSI {settings}{found['middle']}{found['final']}"
    return f"ESC {found[0][1:]!r}"


def parsed(data: bytes) -> tuple[str, frozenset[str]]:
    """All text outside of sequences, and the kinds of sequences; nothing else may be there."""
    whole = data.decode("utf-8", "strict")
    kinds = frozenset(kind(found) for found in SEQUENCE.finditer(whole))
    return SEQUENCE.sub("", whole), kinds


def cells(screen: pyte.Screen) -> Cells:
    """What stands on the terminal now."""
    return tuple(
        tuple(screen.buffer[row][column].data for column in range(COLUMNS)) for row in range(ROWS)
    )


def edges(scene: Cells) -> list[tuple[int, int]]:
    """Where the edges of columns stand."""
    return [(row, line.index(EDGE)) for row, line in enumerate(scene) if EDGE in line]


def run(which: str, count: int, settled: Callable[[Cells], bool]) -> Run:
    """Run the gallery on a terminal from its first scene to its last.

    A scene is kept once it has settled, or is left as it is when it does not within seconds.
    """
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    decoder = codecs.getincrementaldecoder("utf-8")()
    fed = 0
    moved = 0.0
    scenes: list[Cells] = []
    with Terminal(COLUMNS, ROWS) as terminal:

        def shows(words: str) -> bool:
            nonlocal fed
            data = terminal.shown()
            # Marks take no cell; pyte would leave out what follows some of them.
            stream.feed(decoder.decode(data[fed:]).translate(MARKS))
            fed = len(data)
            return any(words in line for line in screen.display)

        process = terminal.start(
            [sys.executable, "-m", "tests.panel.gallery", which],
            cwd=ROOT,
            env=environment(),
        )
        until(lambda: shows("hover here"))
        for scene in range(count):
            terminal.write(b"n")
            moved = float("-inf")
            hovered = itertools.cycle(b"\x1b[<35;%d;4M" % column for column in (85, 86))

            def ready(scene: int = scene, moves: Iterator[bytes] = hovered) -> bool:
                # A key takes the tooltip away, a move of the mouse brings it back; each is drawn.
                nonlocal moved
                if time.monotonic() > moved + 0.2:
                    terminal.write(next(moves))
                    moved = time.monotonic()
                return shows(f"scene {scene} ready")

            until(ready, f"scene {scene}")
            with contextlib.suppress(AssertionError):
                until(lambda: shows("") and settled(cells(screen)), timeout=20)
            scenes.append(cells(screen))
        terminal.write(b"\x11")
        process.wait(120)
        text, kinds = parsed(terminal.rest())
    assert process.returncode == 0, text[-2_000:]
    return Run(text, kinds, tuple(scenes))


# No fixtures: what goes wrong while running is a failure of the test, not of its setting up.
@cache
def harmless() -> Run:
    last: list[tuple[int, int]] = []

    def steady(scene: Cells) -> bool:
        """Every column is there, and where it was when this was asked before."""
        nonlocal last
        before, last = last, edges(scene)
        return len(last) == EDGED and last == before

    return run("harmless", len(HARMLESS), steady)


@cache
def attacked() -> Run:
    wanted = edges(harmless().scenes[0])
    return run("hostile", len(hostile.STRINGS), lambda scene: edges(scene) == wanted)


def test_no_sequence_reaches_the_terminal_that_we_did_not_write() -> None:
    assert attacked().kinds - harmless().kinds == set()
    assert not [one for one in attacked().kinds if re.match(r"ESC .\](0|1|2|8|52);", one)]
    assert "CSI m" in attacked().kinds


def test_nothing_but_visible_text_reaches_the_terminal() -> None:
    assert hostile.unseen(attacked().text, allowed="\r\n") == set()


def test_the_strings_were_really_shown() -> None:
    shown = "".join("".join(row) for scene in attacked().scenes for row in scene)
    for text in ("[/a]", "[@click=app.quit]x[/]", "␛]52;c;aGk=␇", "⟨U+202E⟩", "日本語", "⟨DE⟩"):
        assert text in shown, text


def test_columns_and_frames_stay_where_they_are() -> None:
    (first, *_) = harmless().scenes
    frame = [row for row, line in enumerate(first) if line[FRAME] == "│"]
    wanted = edges(first)
    assert len(frame) > 30
    assert len(wanted) == EDGED
    for name, scene in zip(hostile.STRINGS, attacked().scenes, strict=True):
        assert edges(scene) == wanted, name
        # A toast may lie upon the lower part of the frame.
        assert [row for row in frame if row < ROWS - 16 and scene[row][FRAME] != "│"] == [], name


def test_a_terminal_that_asks_for_no_colour_gets_none() -> None:
    with Terminal(COLUMNS, ROWS) as terminal:
        process = terminal.start(
            [sys.executable, "-m", "tests.panel.gallery", "harmless"],
            cwd=ROOT,
            env=environment({"NO_COLOR": "1"}),
        )
        until(lambda: b"hover here" in terminal.shown())
        terminal.write(b"n")
        until(lambda: "▸".encode() in terminal.shown())
        terminal.write(b"\x11")
        process.wait(120)
        whole = terminal.rest().decode()
    styles = {
        number
        for found in SEQUENCE.finditer(whole)
        if found["final"] == "m" and not found["params"].startswith((">", "?"))
        for number in found["params"].split(";")
    }
    assert styles <= {"", "0", "1", "2", "3", "4", "7", "9", "39", "49"}
    assert "7" in styles


async def test_nothing_becomes_a_link_or_an_action() -> None:
    app = Gallery([])
    async with app.run_test(size=(COLUMNS, ROWS), notifications=True, tooltips=True) as pilot:
        tooltip = app.screen.query_one(Tooltip)
        for name, text in hostile.STRINGS.items():
            app.show(text)
            content = app.query_one("#hover").tooltip
            assert isinstance(content, Content | None)
            # As Textual does it when the mouse rests on the widget.
            tooltip.display = content is not None
            tooltip.update(content or "")
            await pilot.pause()
            assert app.screen.query_one(Toast).size
            for segment in _segments(app):
                style = segment.style
                assert style is None or style.link is None, (name, segment)
                own = ("@mouse.down", "@mouse.up")  # of scrollbars
                actions = {key for key in (style.meta if style else {}) if key.startswith("@")}
                assert actions <= set(own), (name, segment)
                assert hostile.unseen(segment.text) == set(), (name, segment)


def _segments(app: Gallery) -> Iterator[Segment]:
    for strip in app.screen._compositor.render_strips():
        yield from strip
