"""The paged list on a million rows: what it shows, what it holds, where the cursor stays."""

from __future__ import annotations

import pytest
from textual.content import Content
from textual.events import MouseScrollDown

from panel.widgets.columns import Column
from panel.widgets.paged_list import PagedList, Row
from panel.widgets.pages import HELD, SIZE
from tests.panel.paged import COLUMNS, MILLION, Source, cursor_line, make_row, numbers, until
from tests.panel.screen import lines


async def test_every_row_is_shown_once_and_in_order_while_paging_down() -> None:
    app = Source(PagedList(COLUMNS), range(1_234))
    seen: list[int] = []
    async with app.run_test(size=(60, 24)) as pilot:
        while True:
            await until(pilot, lambda: not app.questions and "…" not in "".join(lines(app)))
            page = numbers(app)
            assert page == list(range(page[0], page[0] + len(page)))
            assert page[0] <= len(seen)
            seen += [key for key in page if key >= len(seen)]
            if page[-1] == 1_233:
                break
            await pilot.press("pagedown")
    assert seen == list(range(1_234))


async def test_a_million_rows_answer_keys_and_hold_few() -> None:
    app = Source(PagedList(COLUMNS), range(MILLION))
    async with app.run_test(size=(60, 24)) as pilot:
        paged = app.paged
        await until(pilot, lambda: numbers(app)[:2] == [0, 1])
        await pilot.press("end")
        await until(pilot, lambda: numbers(app)[-1:] == [MILLION - 1])
        assert cursor_line(app).startswith("▸   #999999 title 999999")
        await pilot.press("home", "down", "down", "pagedown", "up")
        await until(pilot, lambda: app.highlighted[-1:] == [2 + 22 - 1])
        for position in range(0, MILLION, MILLION // 60):
            paged.jump(position)
            await until(pilot, lambda: paged.row is not None)
            assert paged.row is not None
            assert paged.row.key == position
            assert paged.rows_held <= HELD * SIZE
        paged.jump(MILLION * 2)
        await until(pilot, lambda: app.highlighted[-1:] == [MILLION - 1])
        paged.jump(-5)
        await until(pilot, lambda: app.highlighted[-1:] == [0])


async def test_the_mouse_moves_scrolls_and_opens() -> None:
    app = Source(PagedList(COLUMNS), range(MILLION))
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: numbers(app)[:1] == [0])
        await pilot.click(PagedList, offset=(5, 4))
        await until(pilot, lambda: app.highlighted[-1:] == [3])
        assert app.selected == []
        await pilot.double_click(PagedList, offset=(5, 8))
        await until(pilot, lambda: app.selected == [7])
        await pilot.click(PagedList, offset=(5, 0))
        assert app.paged.position == 7
        await pilot._post_mouse_events([MouseScrollDown], PagedList, offset=(5, 5))
        await until(pilot, lambda: numbers(app)[0] > 0)
        assert app.paged.position == 7
        await pilot.press("enter")
        await until(pilot, lambda: app.selected == [7, 7])


async def test_a_row_opened_before_it_is_known_opens_when_it_comes() -> None:
    app = Source(PagedList(COLUMNS), range(MILLION), hold=True)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.questions)
        assert cursor_line(app).split() == ["▸", "…"]
        assert app.highlighted == [None]
        await pilot.press("enter")
        assert app.selected == []
        app.answer()
        await until(pilot, lambda: app.selected == [0])
        assert app.highlighted == [None, 0]
        app.paged.jump(500_000)
        await pilot.press("enter", "down")
        await until(pilot, lambda: app.questions)
        app.answer()
        await until(pilot, lambda: app.highlighted[-1] == 500_001)
        assert app.selected == [0]


async def test_late_and_failed_answers() -> None:
    app = Source(PagedList(COLUMNS), range(1_000), hold=True)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.questions)
        old = app.questions.pop()
        app.paged.set_source(1_000)
        assert not app.paged.put_page(old.first, [make_row(9)], old.generation)
        await until(pilot, lambda: app.questions)
        failed = app.questions.pop()
        await pilot.press("down")
        await pilot.pause(0.1)
        assert app.questions == []
        app.paged.page_failed(failed.first, failed.generation)
        app.paged.tick()
        await pilot.press("pagedown")
        await until(pilot, lambda: app.questions)
        assert app.questions[0].first == failed.first
        app.answer()
        await until(pilot, lambda: 22 in numbers(app))


async def test_scrolling_far_asks_for_a_few_pages_only() -> None:
    app = Source(PagedList(COLUMNS), range(MILLION), hold=True)
    async with app.run_test(size=(60, 24)) as pilot:
        for position in range(0, MILLION, MILLION // 500):
            app.paged.jump(position)
            if position % 100_000 == 0:
                await pilot.pause()
        await pilot.pause(0.2)
        assert len(app.questions) <= 4
        app.hold = False
        app.answer()
        await until(pilot, lambda: app.paged.row is not None)


async def test_what_ticks_is_painted_when_it_reads_otherwise() -> None:
    now = [0]
    paged = PagedList((Column("key", 4), Column("age", 8)), header=False)
    app = Source(paged, range(3), hold=True)
    async with app.run_test(size=(40, 10)) as pilot:
        await until(pilot, lambda: app.questions)
        asked = app.questions.pop()
        rows = [
            Row(key, (Content(str(key)), lambda key=key: Content(f"{now[0] * key} s")))  # type: ignore[misc]
            for key in range(3)
        ]
        paged.put_page(0, rows, asked.generation)
        await until(pilot, lambda: "2    0 s" in lines(app)[2])
        now[0] = 1
        paged.tick()
        await until(pilot, lambda: "2    2 s" in lines(app)[2])
        assert "1    1 s" in lines(app)[1]
        assert "0    0 s" in lines(app)[0]


async def test_the_empty_and_the_waiting_state_say_what_they_are() -> None:
    empty = Content("No message yet. Press m to write the first, or let an agent post one.")
    paged = PagedList(COLUMNS, empty=empty, waiting=Content("reading the index"))
    app = Source(paged, [])
    async with app.run_test(size=(40, 10)) as pilot:
        await until(pilot, lambda: "No message yet" in "".join(lines(app)))
        text = " ".join(line.strip() for line in lines(app))
        assert "let an agent post one." in text
        assert "reading" not in text
        app.rows = range(2)
        paged.grow(2)
        await until(pilot, lambda: numbers(app) == [0, 1])


@pytest.mark.parametrize(
    ("width", "titles"),
    [
        (60, ["number", "title", "from", "state"]),
        (34, ["number", "title", "state"]),
        (25, ["number", "title"]),
        (10, ["number"]),
    ],
)
async def test_narrow_screens_leave_the_less_important_columns_out(
    width: int, titles: list[str]
) -> None:
    app = Source(PagedList(COLUMNS), range(5))
    async with app.run_test(size=(width, 10)) as pilot:
        await until(pilot, lambda: len(numbers(app)) == 5)
        assert lines(app)[0].split() == titles


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (20, 5), (200, 60)])
async def test_any_size_and_resizing_keep_the_cursor_in_sight(size: tuple[int, int]) -> None:
    app = Source(PagedList(COLUMNS), range(MILLION))
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.paged.row is not None)
        app.paged.jump(700_000)
        await pilot.resize_terminal(*size)
        await pilot.press("down", "pageup", "pagedown")
        await pilot.resize_terminal(60, 24)
        await until(pilot, lambda: app.paged.row is not None)
        await until(pilot, lambda: cursor_line(app).split()[1:2] == [f"#{app.paged.position}"])


async def test_the_order_can_be_turned_round_and_the_cursor_stays_on_its_row() -> None:
    app = Source(PagedList(COLUMNS, newest_first=True), range(MILLION))
    async with app.run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: numbers(app)[:2] == [MILLION - 1, MILLION - 2])
        await pilot.press("down", "down")
        await until(pilot, lambda: app.highlighted[-1] == MILLION - 3)
        app.paged.order(newest_first=False)
        await until(pilot, lambda: "#999997" in cursor_line(app))
        await until(pilot, lambda: numbers(app)[-1:] == [MILLION - 3])
        await pilot.press("home")
        await until(pilot, lambda: numbers(app)[:2] == [0, 1])


async def test_the_empty_state_can_say_something_else() -> None:
    app = Source(PagedList(COLUMNS, empty=Content("nothing yet")), [])
    async with app.run_test(size=(40, 10)) as pilot:
        await until(pilot, lambda: "nothing yet" in "".join(lines(app)))
        app.paged.say_empty(Content("nothing left"))
        await until(pilot, lambda: "nothing left" in "".join(lines(app)))
