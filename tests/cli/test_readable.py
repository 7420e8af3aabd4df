"""Texts that are JSON in lines; every other text as it is."""

from __future__ import annotations

import json

import pytest

from panel.present.readable import readable
from tests.panel import hostile


def test_fields_are_lines_and_the_type_comes_first() -> None:
    text = json.dumps(
        {
            "taskId": "3",
            "type": "task_assignment",
            "description": "one\ntwo",
            "blocked_by": [],
            "steps": ["a", {"name": "b", "isDone": False}],
            "count": 12,
            "nothing": None,
        }
    )
    assert readable(text) == "\n".join(
        [
            "type: task_assignment",
            "task id: 3",
            "description:",
            "  one",
            "  two",
            "blocked by: none",
            "steps:",
            "  - a",
            "  -",
            "    name: b",
            "    is done: no",
            "count: 12",
            "nothing: none",
        ]
    )
    assert readable('\n {"a":1} \n') == "a: 1"
    assert readable('["x","y"]') == "- x\n- y"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "{",
        "{a}",
        "[1",
        "5",
        '"x"',
        "null",
        "hello {}",
        '{"a":1} and more',
        "[" * 9999,
    ],
)
def test_what_is_no_json_object_stays_as_it_is(text: str) -> None:
    assert readable(text) == text


def test_any_text_at_all_is_taken() -> None:
    for text in hostile.STRINGS.values():
        assert isinstance(readable(text), str)
        if len(text) < 10_000 and not any(0xD800 <= ord(sign) <= 0xDFFF for sign in text):
            shown = readable(json.dumps({"type": text, text: [text]}))
            assert isinstance(shown, str)
    deep = "[" * 40 + "]" * 40
    assert readable(deep) == deep
