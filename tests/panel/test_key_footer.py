"""Keys on a screen: they act or say why not, and the footer shows what there is room for."""

from __future__ import annotations

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Input, Static

from panel import keymap, keys
from panel.widgets.key_footer import Item, KeyFooter, placed
from panel.widgets.keyed import Keyed
from panel.widgets.paged_list import Column, PagedList
from tests.panel.screen import lines


class Queue(Keyed, Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("queue")]

    def __init__(self) -> None:
        super().__init__()
        self.reason: str | None = None
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        yield PagedList((Column("key", 4),))
        yield Input()
        yield Static("[r] is no markup", markup=False)
        yield KeyFooter()

    def why_not(self, needs: str) -> str | None:
        return self.reason if needs == "reply" else None

    def action_reply(self) -> None:
        self.done.append("reply")

    def action_find(self) -> None:
        self.done.append("find")

    def action_back(self) -> None:
        self.done.append("back")


class Panel(Keyed, App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("app")]

    def __init__(self) -> None:
        super().__init__()
        self.queue = Queue()

    async def on_mount(self) -> None:
        await self.push_screen(self.queue)

    def action_leave(self) -> None:
        self.queue.done.append("leave")


def toasts(app: App[None]) -> list[str]:
    return [notification.message for notification in app._notifications]


async def test_a_key_acts_and_a_dimmed_key_says_why() -> None:
    app = Panel()
    async with app.run_test(size=(120, 20), notifications=True, tooltips=True) as pilot:
        app.queue.query_one(PagedList).focus()
        await pilot.press("r", "f", "escape", "q")
        assert app.queue.done == ["reply", "find", "back", "leave"]
        assert toasts(app) == []
        assert "r reply" in lines(app)[-1]
        app.queue.reason = "[no] message is under the cursor"
        app.queue.query_one(KeyFooter).refresh_keys()
        await pilot.press("r")
        await pilot.pause()
        assert app.queue.done == ["reply", "find", "back", "leave"]
        assert toasts(app) == ["! [no] message is under the cursor"]
        assert "[no] message is under the cursor" in "".join(lines(app))
        assert "r·reply" in lines(app)[-1]


async def test_remapped_keys_act_and_are_the_ones_shown() -> None:
    app = Panel()
    async with app.run_test(size=(120, 20)) as pilot:
        app.set_keymap(keymap.checked({"message.reply": "z", "queue.find": "r"}).keys)
        app.queue.query_one(PagedList).focus()
        await pilot.press("z", "r", "f")
        assert app.queue.done == ["reply", "find"]
        assert "z reply" in lines(app)[-1]
        assert "r find" in lines(app)[-1]


async def test_the_footer_is_clicked_as_if_the_key_were_pressed() -> None:
    app = Panel()
    async with app.run_test(size=(120, 20)) as pilot:
        app.queue.query_one(PagedList).focus()
        await pilot.pause()
        at = lines(app)[-1].index("find")
        await pilot.click(KeyFooter, offset=(at, 0))
        await pilot.pause()
        assert app.queue.done == ["find"]
        await pilot.click(KeyFooter, offset=(119, 0))
        await pilot.pause()
        assert app.queue.done == ["find"]


async def test_where_text_is_typed_the_footer_shows_no_letters() -> None:
    app = Panel()
    async with app.run_test(size=(120, 20)) as pilot:
        app.queue.query_one(Input).focus()
        await pilot.press("r", "q")
        assert app.queue.query_one(Input).value == "rq"
        assert app.queue.done == []
        assert "reply" not in lines(app)[-1]
        assert "filter" not in lines(app)[-1]
        assert "commands" in lines(app)[-1]


@pytest.mark.parametrize(
    ("width", "words"), [(120, True), (80, True), (60, True), (40, True), (20, False)]
)
async def test_the_footer_always_keeps_the_keys_that_decide(width: int, words: bool) -> None:
    app = Panel()
    async with app.run_test(size=(width, 10)) as pilot:
        app.queue.query_one(PagedList).focus()
        await pilot.pause()
        footer = lines(app)[-1].split()
        assert {"k", "r", "t", "m", "s", "q", "?"} <= set(footer)
        assert ("reply" in footer) == words


def items(*, acts: bool = True) -> list[Item]:
    return [
        Item("k", "k", "acknowledge", "ack", 0, acts),
        Item("f", "f", "find", "find", 1),
        Item("q", "q", "quit", "", 0),
    ]


@pytest.mark.parametrize(
    ("width", "texts"),
    [
        (30, ["k acknowledge", "f find", "q quit"]),
        (29, ["k acknowledge", "f find", "q quit"]),
        (28, ["k ack", "f find", "q quit"]),
        (21, ["k ack", "f find", "q quit"]),
        (20, ["k acknowledge", "q quit"]),
        (19, ["k ack", "q"]),
        (7, ["k ack", "q"]),
        (6, ["k", "q"]),
        (2, ["k"]),
        (0, []),
    ],
)
def test_words_go_before_keys(width: int, texts: list[str]) -> None:
    row = placed(items(), width)
    assert [one.text for one in row] == texts
    assert all(one.stop - one.start == len(one.text) for one in row)


def test_what_still_has_room_is_shown_in_the_order_of_the_table() -> None:
    more = [Item("a", "a", "a long label", "", 2), *items(), Item("z", "z", "zip", "", 3)]
    assert [one.text for one in placed(more, 37)] == ["k acknowledge", "f find", "q quit", "z zip"]
    assert placed(more, 80)[0].text == "a a long label"


def test_a_key_that_cannot_act_takes_the_same_room() -> None:
    on, off = placed(items(), 40), placed(items(acts=False), 40)
    assert off[0].text == "k·acknowledge"
    assert [(one.start, one.stop) for one in on] == [(one.start, one.stop) for one in off]


def test_modes_that_have_no_room_one_by_one_are_one_item() -> None:
    names = ("overview", "queue", "wake", "skills", "journal")
    modes = [
        Item(sign, sign, name, name, 2, mode=name)
        for sign, name in zip("12348", names, strict=True)
    ]
    wide = [one.text for one in placed([*items(), *modes], 90)]
    assert wide[-5:] == ["1 overview", "2 queue", "3 wake", "4 skills", "8 journal"]
    assert [one.text for one in placed([*items(), *modes], 50)][-1] == "1–8 modes"
    assert [one.text for one in placed([*items(), *modes], 8)] == ["k ack", "q"]
    assert [one.text for one in placed([*items(), *modes], 6)] == ["k", "q"]
    assert [one.text for one in placed(modes, 20)] == ["1–8 modes"]


async def test_a_click_on_all_modes_goes_to_the_next_one() -> None:
    app = Panel()
    async with app.run_test(size=(100, 20)) as pilot:
        app.queue.query_one(PagedList).focus()
        await pilot.pause()
        pressed: list[str] = []
        app.simulate_key = pressed.append  # type: ignore[method-assign, assignment]
        app.queue.MODE = "queue"  # type: ignore[attr-defined]
        await pilot.click(KeyFooter, offset=(lines(app)[-1].index("modes"), 0))
        assert pressed == ["3"]
        app.queue.MODE = "journal"  # type: ignore[attr-defined]
        await pilot.click(KeyFooter, offset=(lines(app)[-1].index("modes"), 0))
        assert pressed == ["3", "1"]


def test_nothing_fits_where_there_is_nothing() -> None:
    assert placed([], 10) == []
