"""The paged list on a million rows: what it shows, what it holds, where the cursor stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.content import Content
from textual.events import MouseScrollDown
from textual.pilot import Pilot
from textual.strip import Strip

from panel import safe_text
from panel.widgets.columns import Column
from panel.widgets.paged_list import PagedList, Row
from panel.widgets.pages import HELD, SIZE
from tests.panel.screen import lines

MILLION = 1_000_000
COLUMNS = (
    Column("number", 9, align="right"),
    Column("title", 10, flex=1),
    Column("from", 8, priority=2),
    Column("state", 6, priority=1),
)


def make_row(key: int, title: str = "") -> Row:
    cells = (f"#{key}", title or f"title {key}", f"seat{key % 7}", "open")
    return Row(key, tuple(safe_text.line(cell) for cell in cells))


class Source(App[None]):
    """A list whose questions are answered from `rows`, at once or when `answer` is called."""

    CSS = "PagedList { height: 1fr; }"

    def __init__(self, paged: PagedList, rows: Sequence[int], hold: bool = False) -> None:
        super().__init__()
        self.paged = paged
        self.rows = rows
        self.hold = hold
        self.questions: list[PagedList.PageWanted] = []
        self.highlighted: list[int | None] = []
        self.selected: list[int] = []
        self.titles: dict[int, str] = {}

    def compose(self) -> ComposeResult:
        yield self.paged

    def on_mount(self) -> None:
        self.paged.set_source(len(self.rows))
        self.paged.focus()

    @on(PagedList.PageWanted)
    def _wanted(self, event: PagedList.PageWanted) -> None:
        self.questions.append(event)
        if not self.hold:
            self.answer()

    @on(PagedList.RowHighlighted)
    def _highlighted(self, event: PagedList.RowHighlighted) -> None:
        self.highlighted.append(event.key)

    @on(PagedList.RowSelected)
    def _selected(self, event: PagedList.RowSelected) -> None:
        self.selected.append(event.key)

    def answer(self) -> None:
        while self.questions:
            asked = self.questions.pop(0)
            keys = self.rows[asked.first : asked.first + asked.count]
            found = [make_row(key, self.titles.get(key, "")) for key in keys]
            self.paged.put_page(asked.first, found, asked.generation)


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait until the condition holds, letting the app go on."""
    async with asyncio.timeout(30):
        while not condition():
            await pilot.pause(0.01)


def numbers(app: App[None]) -> list[int]:
    """The numbers of the rows on the screen, from top to bottom."""
    found = []
    for line in lines(app):
        word = line.lstrip("▸ ").split(" ")[0]
        if word.startswith("#"):
            found.append(int(word[1:]))
    return found


def cursor_line(app: App[None]) -> str:
    """The one line that carries the sign of the cursor."""
    (line,) = [line for line in lines(app) if line.startswith("▸")]
    return line


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
        assert app.highlighted[-1] == (301 if at_newest else 298)
        await until(pilot, lambda: (301 in numbers(app)) == at_newest)


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


async def test_only_the_lines_that_changed_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(range(300))
    app = Source(PagedList(COLUMNS), rows)
    async with app.run_test(size=(60, 24)) as pilot:
        await until(pilot, lambda: 0 in numbers(app))
        await pilot.pause(0.1)
        drawn: list[int] = []
        paint = PagedList.render_line

        def painted(paged: PagedList, y: int) -> Strip:
            drawn.append(y)
            return paint(paged, y)

        monkeypatch.setattr(PagedList, "render_line", painted)
        await pilot.press("down")
        await until(pilot, lambda: app.highlighted[-1] == 1)
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
        await until(pilot, lambda: cursor_line(app).split()[1] == f"#{app.paged.position}")


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
