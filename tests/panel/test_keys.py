"""The table of keys: no key means two things, what it is for is said everywhere alike."""

from __future__ import annotations

import subprocess
import sys

from panel import keymap, keys
from panel.present.key_docs import as_markdown
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
