"""One of a few words, by key and mouse, at any width."""

from __future__ import annotations

import pytest
from textual import on
from textual.app import App, ComposeResult

from panel.widgets.choice import Choice
from tests.panel.screen import lines

KINDS = ("reply", "note", "question", "task", "result")


class Kinds(App[None]):
    """A choice on an app of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield Choice(KINDS, "note")

    @on(Choice.Changed)
    def _changed(self, event: Choice.Changed) -> None:
        self.chosen.append(event.value)


async def test_keys_choose_the_next_and_the_one_before_and_go_round() -> None:
    app = Kinds()
    async with app.run_test(size=(60, 5)) as pilot:
        assert lines(app)[0].rstrip() == "○ reply  ◉ note  ○ question  ○ task  ○ result"
        await pilot.press("right", "space", "left", "left", "left", "left")
        assert app.chosen == ["question", "task", "question", "note", "reply", "result"]
        assert app.query_one(Choice).value == "result"


@pytest.mark.parametrize(("width", "rows"), [(60, 1), (30, 2), (12, 5), (3, 5)])
async def test_a_sign_stays_with_its_word_and_the_mouse_finds_it(width: int, rows: int) -> None:
    app = Kinds()
    async with app.run_test(size=(width, 8)) as pilot:
        choice = app.query_one(Choice)
        assert choice.size.height == rows
        drawn = lines(app)[:rows]
        for place, kind in enumerate(KINDS):
            at = next(((x, y) for y, row in enumerate(drawn) if (x := row.find(kind)) >= 0), None)
            if at is None:
                assert width < 12
                continue
            await pilot.click(Choice, offset=at)
            assert (choice.place, choice.value) == (place, kind)
            drawn = lines(app)[:rows]
