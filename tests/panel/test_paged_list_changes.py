"""The paged list while its rows change: the cursor stays on its row, only changes are painted."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from panel.widgets.columns import Column
from panel.widgets.paged_list import PagedList
from tests.panel.paged import COLUMNS, Source, cursor_line, make_row, numbers, until
from tests.panel.screen import lines


@pytest.fixture(params=[False, True], ids=["oldest first", "newest first"])
def newest_first(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


async def test_the_cursor_stays_on_its_row_while_rows_are_added(newest_first: bool) -> None:
    rows = list(range(500))
    app = Source(PagedList(COLUMNS, newest_first=newest_first), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.paged.row is not None)
        await pilot.press(*["down"] * 30)
        key = 469 if newest_first else 30
        await until(pilot, lambda: app.highlighted[-1] == key)
        before = [line[:59] for line in lines(app)]
        for _ in range(60):
            rows.append(len(rows))
            app.paged.grow(len(rows))
        await until(pilot, lambda: app.paged.count == 560)
        await pilot.pause(0.1)
        assert [line[:59] for line in lines(app)] == before
        assert app.highlighted[-1] == key
        await pilot.press("home" if newest_first else "end")
        await until(pilot, lambda: app.highlighted[-1] == 559)
        await until(pilot, lambda: 559 in numbers(app))


async def test_a_number_longer_than_its_owner_knew_of_is_whole_at_once() -> None:
    columns = (Column("number", 2, align="right"), *COLUMNS[1:])
    rows = list(range(9))
    app = Source(PagedList(columns, newest_first=True), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        app.paged.number_to(9)
        await until(pilot, lambda: app.highlighted[-1:] == [8])
        rows += (99_998, 99_999)
        app.paged.grow(len(rows))
        await until(pilot, lambda: numbers(app)[:1] == [99_999])
        # Less is not less room: rows seen before may come again.
        app.paged.number_to(9)
        assert numbers(app)[:2] == [99_999, 99_998]


async def test_new_rows_push_the_cursor_down_but_not_out_of_sight() -> None:
    rows = list(range(500))
    app = Source(PagedList(COLUMNS, newest_first=True), rows)
    async with app.run_test(size=(60, 10)) as pilot:
        await until(pilot, lambda: app.highlighted[-1:] == [499])
        rows += range(500, 505)
        app.paged.grow(505)
        await until(pilot, lambda: numbers(app)[:1] == [504])
        assert cursor_line(app).split()[1] == "#499"
        rows += range(505, 530)
        app.paged.grow(530)
        await until(pilot, lambda: app.paged.count == 530)
        await until(pilot, lambda: "#499" in cursor_line(app))
        assert app.highlighted[-1] == 499


@pytest.mark.parametrize("at_newest", [True, False])
async def test_following_goes_along_only_from_the_newest_row(at_newest: bool) -> None:
    rows = list(range(300))
    app = Source(PagedList(COLUMNS, follow=True), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.paged.row is not None)
        await pilot.press("end", *([] if at_newest else ["up"]))
        await until(pilot, lambda: app.highlighted[-1] == (299 if at_newest else 298))
        rows += [300, 301]
        app.paged.grow(302)
        await until(pilot, lambda: app.paged.count == 302)
        await until(pilot, lambda: app.paged.row is not None)
        await until(pilot, lambda: app.highlighted[-1] == (301 if at_newest else 298))
        await until(pilot, lambda: (301 in numbers(app)) == at_newest)
        await pilot.pause()
        assert app.highlighted[-1] == (301 if at_newest else 298)


async def test_a_refreshed_list_shows_the_old_rows_until_the_new_ones_come() -> None:
    rows = list(range(300))
    app = Source(PagedList(COLUMNS), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.paged.row is not None)
        await pilot.press(*["down"] * 10)
        await until(pilot, lambda: app.highlighted[-1] == 10)
        app.hold = True
        app.titles[12] = "another title"
        del rows[:4]
        app.paged.refresh_source(len(rows))
        await until(pilot, lambda: app.questions)
        assert numbers(app)[:2] == [0, 1]
        app.answer()
        await until(pilot, lambda: numbers(app)[:2] == [4, 5])
        assert cursor_line(app).split()[1] == "#10"
        assert app.paged.position == 6
        assert any("another title" in line for line in lines(app))
        assert app.highlighted[-1] == 10


async def test_a_row_that_is_gone_leaves_the_cursor_where_it_was() -> None:
    rows = list(range(30))
    app = Source(PagedList(COLUMNS), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.paged.row is not None)
        await pilot.press("end")
        del rows[10:]
        app.paged.refresh_source(len(rows))
        await until(pilot, lambda: app.highlighted[-1] == 9)
        assert cursor_line(app).split()[1] == "#9"
        rows.clear()
        app.paged.refresh_source(0)
        await until(pilot, lambda: app.highlighted[-1] is None)
        await pilot.press("enter", "down", "end", "pageup")
        assert app.selected == []


async def quiet(pilot: Pilot[None], drawn: list[int]) -> None:
    """Wait until nothing more is drawn, and forget what was."""
    drawn.append(0)
    while drawn:
        drawn.clear()
        await pilot.pause(0.1)


async def test_only_the_lines_that_changed_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(range(300))
    app = Source(PagedList(COLUMNS), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: 0 in numbers(app))
        drawn: list[int] = []
        paint = PagedList.render_line

        def painted(paged: PagedList, y: int) -> Strip:
            drawn.append(y)
            return paint(paged, y)

        monkeypatch.setattr(PagedList, "render_line", painted)
        await quiet(pilot, drawn)
        await pilot.press("down")
        await until(pilot, lambda: {1, 2} <= set(drawn))
        await pilot.pause(0.1)
        assert set(drawn) == {1, 2}
        drawn.clear()
        app.titles[5] = "changed"
        app.paged.refresh_source(300)
        await until(pilot, lambda: any("changed" in line for line in lines(app)))
        await pilot.pause(0.1)
        assert set(drawn) == {6}
        drawn.clear()
        rows.append(300)
        app.paged.grow(301)
        await until(pilot, lambda: app.paged.count == 301)
        await pilot.pause(0.1)
        assert drawn == []


async def test_a_jump_is_not_undone_by_a_page_that_comes_before_that_of_its_row() -> None:
    app = Source(PagedList(COLUMNS), range(1000))
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: app.highlighted[-1:] == [0])
        app.hold = True
        # As where a message is sought: the list is asked for again, and tells where it stands.
        app.paged.refresh_source(1000, 700)
        app.paged.jump(700)
        await until(pilot, lambda: any(asked.first == 700 for asked in app.questions))
        app.paged.put_page(0, [make_row(key) for key in range(100)], app.paged.generation)
        assert app.paged.position == 700
        app.answer()
        await until(pilot, lambda: app.highlighted[-1] == 700)
