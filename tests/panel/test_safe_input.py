"""Fields keep what was put into them and draw it harmlessly, each character in its place."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from panel import neutral
from panel.widgets.safe_input import SafeInput, SafeTextArea
from tests.panel import hostile
from tests.panel.screen import lines

pytestmark = pytest.mark.rule("M9")

SHORT = {name: text[:40] for name, text in hostile.STRINGS.items()}


class Fields(App[None]):
    CSS = "SafeInput, SafeTextArea { border: none; height: 3; }"

    def compose(self) -> ComposeResult:
        yield SafeInput()
        yield SafeTextArea()


async def test_the_value_stays_and_the_cursor_stands_where_it_is_drawn() -> None:
    app = Fields()
    async with app.run_test(size=(100, 10)) as pilot:
        field = app.query_one(SafeInput)
        field.focus()
        for name, text in SHORT.items():
            field.value = text
            await pilot.pause()
            assert field.value == text, name
            shown = neutral.masked(text)
            assert shown.rstrip() in lines(app)[0], name
            field.cursor_position = len(text)
            # One cell beyond the last character.
            assert field.cursor_screen_offset.x - field.content_region.x in (
                neutral.cells(shown),
                neutral.cells(shown) + 1,
            ), name


async def test_what_is_pasted_is_kept_and_drawn_harmlessly() -> None:
    app = Fields()
    async with app.run_test(size=(100, 10)) as pilot:
        area = app.query_one(SafeTextArea)
        area.load_text("a\x1b[2J\u202eb\tc\n日本\x07")
        await pilot.pause()
        assert area.text == "a\x1b[2J\u202eb\tc\n日本\x07"
        assert lines(app)[3].strip().startswith("a␛[2J␦b")
        assert lines(app)[4].strip().startswith("日本␇")


async def test_a_password_is_not_drawn() -> None:
    app = Fields()
    async with app.run_test(size=(100, 10)) as pilot:
        field = app.query_one(SafeInput)
        field.password = True
        field.value = "a\x1bb"
        await pilot.pause()
        assert lines(app)[0].strip().startswith("•••")
