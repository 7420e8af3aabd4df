"""The table of keys: no key means two things, what it is for is said everywhere alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Input, Static

from panel import keymap, keys
from panel.present.key_docs import as_markdown
from panel.widgets.key_footer import Item, KeyFooter, placed
from panel.widgets.keyed import Keyed
from panel.widgets.paged_list import Column, PagedList
from tests.panel.screen import lines
from tests.support import ROOT


def test_no_key_has_two_meanings_where_it_acts() -> None:
    assert keymap.conflicts({}) == []


def test_a_conflict_would_be_found() -> None:
    assert ("queue", "k", ("message.acknowledge", "message.reply")) in keymap.conflicts(
        {"message.reply": "k"}
    )
    assert keymap.conflicts({"seat-menu.add": "k"}) == []
    assert [name for _, name, _ in keymap.conflicts({"seat-menu.add": "up"})] == ["up"]


def test_keys_that_terminals_take_are_never_bound() -> None:
    for key in keys.TABLE:
        assert not [name for name in keys.names(key.keys) if keymap.never_bound(name)], key
    for spelt in ("ctrl+h", "ctrl+i", "ctrl+j", "ctrl+m", "ctrl+[", "ctrl+s", "ctrl+\\", "alt+x"):
        assert keymap.never_bound(keys.names(spelt)[0]), spelt
    assert not keymap.never_bound("alt+left")


def test_ids_are_unique_and_every_context_is_known() -> None:
    ids = [key.id for key in keys.TABLE]
    assert len(set(ids)) == len(ids)
    for key in keys.TABLE:
        assert set(key.where) <= {*keys.MODES, *keys.DIALOGS, "app", "list"}, key
        assert key.group in keys.GROUPS
    for context in (*keys.MODES, *keys.DIALOGS):
        assert list(keys.of(context)), context


def test_modes_that_do_not_exist_have_no_key() -> None:
    bound = {name for key in keys.TABLE for name in keys.names(key.keys)}
    assert bound & set("12345678") == {str(number) for number in keys.MODES.values()}


def test_every_dialog_can_be_left_with_escape() -> None:
    for dialog in keys.DIALOGS:
        leaving = {name for key in keys.of(dialog) for name in keys.names(key.keys)}
        assert "escape" in leaving, dialog


def test_where_text_is_typed_no_character_is_a_command() -> None:
    for context in keys.TYPED:
        for key in keys.of(context):
            assert all(len(name) > 1 for name in keys.names(key.keys)), key


def test_the_documentation_is_what_the_table_says() -> None:
    assert (ROOT / "docs" / "keys.md").read_text(encoding="utf-8") == as_markdown()


def test_the_documentation_names_every_binding() -> None:
    text = as_markdown()
    for key in keys.TABLE:
        assert f"`{key.id}`" in text
        assert key.help in text


def test_the_documentation_is_printed() -> None:
    command = [sys.executable, "-m", "panel.keys"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    assert ran.stdout == as_markdown()


# A person's own keys.


def test_own_keys_are_taken_as_textual_names_them(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"message.reply": "R, ?", "panel.help": "f1"}), encoding="utf-8")
    found = keymap.read(file)
    assert found.keys == {"message.reply": "R,question_mark", "panel.help": "f1"}
    assert found.notes == ()


def test_two_keys_may_change_places() -> None:
    swapped = {"message.reply": "k", "message.acknowledge": "r"}
    assert keymap.checked(swapped) == keymap.Keymap(swapped)


@pytest.mark.parametrize(
    ("entries", "kept", "note"),
    [
        ({"no.such": "x"}, {}, "no.such: no such binding"),
        ({"message.reply": "k"}, {}, "the key k already is message.acknowledge"),
        ({"message.reply": "z", "message.write": "z"}, {"message.reply": "z"}, "message.write"),
        ({"message.reply": "ctrl+["}, {}, "does not reach programs"),
        ({"message.reply": "alt+x"}, {}, "does not reach programs"),
        ({"message.reply": "tab"}, {}, "tab is taken"),
        ({"message.reply": "frob"}, {}, "frob is no key"),
        ({"message.reply": "x,,y"}, {}, "a key is missing"),
        ({"message.reply": "x,x"}, {}, "named twice"),
        ({"message.reply": ""}, {}, "no text"),
        ({"message.reply": 7}, {}, "no text"),
        ({"message.reply": None, "message.write": "w"}, {"message.write": "w"}, "no text"),
        ({"compose.send": "x"}, {}, "x is typed there"),
        ({"list.down": "k"}, {}, "the key k already is message.acknowledge"),
    ],
)
def test_what_cannot_be_used_is_named_and_the_default_stays(
    entries: dict[str, object], kept: dict[str, str], note: str
) -> None:
    found = keymap.checked(entries)
    assert found.keys == kept
    assert len(found.notes) == 1
    assert note in found.notes[0]
    assert keymap.conflicts(found.keys) == []


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"{", "not JSON"),
        (b"[]", "not an object"),
        (b"\xff", "not JSON"),
        (b"[" * 5_000, "not JSON"),
        (b" " * 70_000, "more than"),
    ],
)
def test_a_file_that_is_not_understood_is_one_note(tmp_path: Path, data: bytes, note: str) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(data)
    found = keymap.read(file)
    assert found.keys == {}
    assert len(found.notes) == 1
    assert note in found.notes[0]


def test_no_file_is_no_note_and_a_folder_is_one(tmp_path: Path) -> None:
    assert keymap.read(tmp_path / "keys.json") == keymap.Keymap({})
    assert len(keymap.read(tmp_path).notes) == 1


def test_the_file_stands_where_the_person_keeps_such_things() -> None:
    base = Path(os.environ["XDG_CONFIG_HOME"])
    assert keymap.place() == base / "sublation-panel" / "keys.json"
    home = Path(os.environ["HOME"])
    assert keymap.place({}) == home / ".config" / "sublation-panel" / "keys.json"


# On a screen.


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
        (28, ["k acknowledge", "q quit"]),
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


def test_nothing_fits_where_there_is_nothing() -> None:
    assert placed([], 10) == []
