"""A person's own keys: what can be used is, what can't is named, nothing stops the panel."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from panel import keymap


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
