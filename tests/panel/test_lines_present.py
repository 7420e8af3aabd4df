"""Lines in words, and hostile strings through every presenter of messages and lines."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from textual.content import Content

from panel.present import lines, message_details
from panel.words import operations
from state.adapters.operations import AdapterFile
from state.clock import Moment
from state.history.queries import LineRow
from state.journal.catalogue import OPERATIONS
from state.messages.operations import Blob, Evidence, FileEvidence, MessageEvidence, Origin
from state.messages.queries import Closed
from state.routing.operations import Locator
from state.routing.router import Candidate
from state.wake.operations import PassedOver, Tally
from tests.panel import hostile
from tests.panel.presented import MESSAGE, NOBODY, NOW, ROW, at, cells, opened, task


@pytest.mark.rule("M9")
@pytest.mark.parametrize("name", hostile.STRINGS)
def test_no_string_from_outside_comes_out_of_a_presenter_as_it_went_in(name: str) -> None:
    evil = hostile.STRINGS[name]
    origin = {
        **dict.fromkeys(("tool", "team", "inbox", "sender", "recipient", "summary"), evil),
        "position": 1,
        "time": at(5),
        "read": None,
        "first": None,
    }
    file = {"kind": "file", "path": evil, "sha256": "ab" * 32, "bytes": 1}
    closed = Closed(1299, at(1), evil, evil)
    message = MESSAGE._replace(
        sender=evil,
        to=(evil, "codex"),
        kind=evil,
        title=evil,
        body=evil,
        refs=(evil,),
        recipients=(replace(NOBODY, seat=evil, closed_unread=closed),),
    )
    imported = message._replace(origin=origin)
    row = replace(ROW, sender=evil, to=(evil,), kind=evil, title=evil, tasks=((evil, evil),))
    held = replace(task("done", file, evil), holder=evil, by=evil)
    made = [opened(one, held, thread=[(row, 1)], thread_size=2) for one in (message, imported)]
    ops = [{"op": evil}, {"op": "seat_hidden", "seat": evil}]
    found = [*cells(row), *_line_cells(ops)]
    for width in (8, 40, 120):
        found += [message_details.whole(one, NOW, width, "T").plain for one in made]
    for shown in found:
        assert hostile.unseen(shown, "\n") == set()
    assert all("\n" not in cell for cell in (*cells(row), *_line_cells(ops)))


def _line_cells(ops: list[dict[str, Any]]) -> list[str]:
    made = lines.row(LineRow(7, at(1), "codex", "cli", ops), lambda: NOW)
    return [cell.plain if isinstance(cell, Content) else cell().plain for cell in made.cells]


def test_every_operation_of_the_journal_has_words() -> None:
    moment = {"utc": at(1), "boot": None, "ms": None}
    words = {
        # Where a word is one of few.
        ("window_draining", "reason"): "user",
        ("window_held", "reason"): "user",
        ("window_resumed", "reason"): "",
        ("window_closed", "reason"): "user",
        ("intents_superseded", "reason"): "hops",
        ("intents_lapsed", "reason"): "deadline",
        ("lease_expired", "state"): "failed",
        ("receipt_taken", "outcome"): "failed",
    }
    values: dict[Any, Any] = {
        Moment: moment,
        Moment | None: None,
        tuple[int, ...]: [3],
        tuple[PassedOver, ...]: [{"reason": "kind", "messages": [3]}],
        tuple[Tally, ...]: [],
        tuple[AdapterFile, ...]: [],
        MessageEvidence | FileEvidence | None: None,
        int: 3,
        str: "x",
        tuple[str, ...]: ["codex"],
        tuple[tuple[int, int], ...]: [[1, 2]],
        str | Blob: "text",
        int | None: None,
        Evidence: {"kind": "none"},
        bool: False,
        str | None: None,
        tuple[Candidate, ...]: [{"skill": "docx"}],
        Locator: {},
        Locator | None: None,
        Origin: {"tool": "t", "sender": "s", "recipient": "r"},
    }
    for name, (module, cls) in OPERATIONS.items():
        operation = getattr(__import__(module, fromlist=[cls]), cls)
        given: dict[str, Any] = {"op": name}
        for field in fields(operation):
            if field.name == "until":
                given[field.name] = at(-60)
            elif field.name != "op":
                given[field.name] = words.get((name, field.name), values.get(field.type))
        said = operations.in_words(given, 9)
        assert "no words" not in said, name
        assert "without what it must hold" not in said, (name, given)
        assert operations.in_words({"op": name}, 9)
    assert "no words" in operations.in_words({"op": "unheard_of"}, 9)


def test_a_line_of_many_operations_says_how_many_more_there_are() -> None:
    ops = [{"op": "seat_hidden", "seat": name} for name in ("codex", "gemini", "hermes")]
    assert operations.all_in_words(ops, 4) == "hid codex · hid gemini · 1 more"
